import documents from "./documents.json" with { type: "json" }
import { type Organization, organizationDocument } from "@headgate/harness/Snapshot"

/** A UUID that is the same in every process, so that contestants and load agree on the ids. */
const uuid = (group: number, index: number): string =>
  `${group.toString(16).padStart(8, "0")}-0000-4000-8000-${index.toString(16).padStart(12, "0")}`

/** Enough for the keys of one round: an organization may have 100, its admin key included. */
const organizationCount = 3000

export const organizations: ReadonlyArray<Organization> = Array.from({ length: organizationCount }, (_, index) => ({
  id: uuid(1, index),
  serviceId: uuid(2, index),
  keyId: `benchkey${String(index).padStart(12, "0")}`,
  keySecret: `hgs_bench${String(index).padStart(35, "0")}`,
  token: `hgt_bench${String(index).padStart(35, "0")}`
}))

// There are thousands of them.
const [one, two, three] = organizations as readonly [Organization, Organization, Organization]

/** The organization with one pipe. */
export const first = one
/** The organization whose service holds the pipes that are listed. */
export const second = two
/** The organization whose pipes are copied again, and whose dashboards are replaced. */
export const third = three

/** A pipe with every field that the contract has for a Kafka source: about 3 KB of JSON. */
export const pipeOf = (id: string, serviceId: string) => ({ ...documents.pipe, id, serviceId })

const listedPipes = 100

export const pipeId = uuid(3, 0)

/** A pipe that can be copied again: with a database as its source, whose fields take about as many bytes. */
const databasePipeOf = (id: string) => ({ ...pipeOf(id, third.serviceId), source: documents.databaseSource })

/** The pipes that are copied again. So many that each has done so long before its next command. */
export const movedPipes: ReadonlyArray<string> = Array.from({ length: 640 }, (_, index) => uuid(5, index))

/** A pipe of the environment. */
export type Pipe = Omit<ReturnType<typeof pipeOf>, "source"> & { readonly source: object }

/** The pipes by organization. */
export const pipesOf: ReadonlyMap<Organization, ReadonlyArray<Pipe>> = new Map<Organization, ReadonlyArray<Pipe>>([
  [first, [pipeOf(pipeId, first.serviceId)]],
  [second, Array.from({ length: listedPipes }, (_, index) => pipeOf(uuid(4, index), second.serviceId))],
  [third, movedPipes.map(databasePipeOf)]
])

/** The payloads of the creations. */
export const { key: keyBody, dashboard: dashboardBody } = documents

/** The dashboards that are replaced. */
export const replacedDashboards = Array.from({ length: 64 }, (_, index) => ({
  ...dashboardBody,
  id: uuid(6, index),
  tiles: dashboardBody.tiles.map((tile, at) => ({ ...tile, id: uuid(7, at) }))
}))

/** A document for `headgate-server --import`. */
export const snapshot = (): string =>
  JSON.stringify({
    organizations: organizations.map((organization) =>
      organizationDocument(organization, {
        pipes: pipesOf.get(organization) ?? [],
        dashboards: organization === third ? replacedDashboards : []
      })
    )
  })
