import { authorizationOf, type Organization } from "@headgate/harness/Snapshot"
import { type AnyOperation, neutral, operations } from "@headgate/http-contract"
import {
  dashboardBody,
  first,
  keyBody,
  movedPipes,
  organizations,
  pipeId,
  replacedDashboards,
  second,
  third
} from "./environment.ts"

/** One kind of request, sent repeatedly. */
export interface Scenario {
  readonly name: string
  readonly method: string
  /** The payload as JSON. */
  readonly body?: string
  /** Requests go to each in order, then begin again with the first. */
  readonly targets: ReadonlyArray<{ readonly path: string; readonly authorization: string }>
}

/** The most that headgate may cost, as a multiple of another contestant's CPU time. */
export interface Bounds {
  readonly memoryToFastify: number
  readonly sqliteToFastify?: number
}

/** A row of the comparison: an operation of the contract, whom it is requested for and on what. */
interface Row extends Bounds {
  readonly operation: AnyOperation | undefined
  readonly organizations: ReadonlyArray<Organization>
  /** The resources, where that is not the pipe of the first organization. */
  readonly ids?: ReadonlyArray<string>
  readonly payload?: object
}

const { dashboard, key, pipe }: Readonly<Record<string, Readonly<Record<string, AnyOperation>>>> = operations(neutral)

const rows: Readonly<Record<string, Row>> = {
  "GET pipe": {
    operation: pipe?.["get"],
    organizations: [first],
    memoryToFastify: 1.2,
    sqliteToFastify: 1.8
  },
  "GET list of 100 pipes": {
    operation: pipe?.["list"],
    organizations: [second],
    memoryToFastify: 1
  },
  "POST key": {
    operation: key?.["create"],
    // An organization may have 100 keys.
    organizations,
    payload: keyBody,
    memoryToFastify: 1.2
  },
  "POST dashboard": {
    operation: dashboard?.["create"],
    organizations: [first],
    payload: dashboardBody,
    memoryToFastify: 1.2
  },
  "PATCH state of a pipe": {
    operation: pipe?.["setState"],
    organizations: [third],
    ids: movedPipes,
    // The only command that a running pipe takes again and again.
    payload: { command: "resync" },
    memoryToFastify: 1.2
  },
  "PUT dashboard": {
    operation: dashboard?.["update"],
    organizations: [third],
    ids: replacedDashboards.map(({ id }) => id),
    payload: dashboardBody,
    memoryToFastify: 1.2
  }
}

/** The path of an operation of {@link rows}. */
const pathOf = ({ path }: AnyOperation, { id, serviceId }: Organization, resource: string): string =>
  path
    .replace(":organizationId", id)
    .replace(":serviceId", serviceId)
    .replace(/:(dbPipeId|dashboardId)/, resource)

const scenarioOf = (name: string, operation: AnyOperation, row: Row): Scenario & { readonly bounds: Bounds } => ({
  name,
  method: operation.method,
  ...(row.payload === undefined ? {} : { body: JSON.stringify(row.payload) }),
  targets: row.organizations.flatMap((organization) =>
    (row.ids ?? [pipeId]).map((id) => ({
      path: pathOf(operation, organization, id),
      authorization: authorizationOf(organization)[operation.api]
    }))
  ),
  bounds: row
})

/** The scenarios by name; `undefined` for an operation that the contract does not have. */
export const scenarios: ReadonlyMap<string, (Scenario & { readonly bounds: Bounds }) | undefined> = new Map(
  Object.entries(rows).map(([name, row]) => [
    name,
    row.operation === undefined ? undefined : scenarioOf(name, row.operation, row)
  ])
)

/** A scenario whose operation the contract has. */
export const scenarioNamed = (name: string): Scenario => {
  const scenario = scenarios.get(name)
  if (scenario === undefined) throw new Error(`the contract has no operation for ${name}`)
  return scenario
}
