import type { PipeAddress } from "@headgate/core"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixturePipes } from "../fixtures/pipes.ts"

const { organizations, pipes: pipeIds, services } = fixtureIds

/** A pipe of acme. */
export const kafka: PipeAddress = {
  organizationId: organizations.acme,
  serviceId: services.ingest,
  pipeId: pipeIds.kafka
}

/** The pipes of acme, by the names of their fixtures. */
export const mine = ["kafka", "kinesis", "objectStorage", "postgres", "minimal", "nulls"] as const

/** Where a pipe of acme is. */
export const addressOf = (name: (typeof mine)[number]): PipeAddress => ({
  ...kafka,
  serviceId: fixturePipes[name].serviceId,
  pipeId: pipeIds[name]
})

/** Addresses in reach of acme at which there is no pipe. */
export const nowhere: ReadonlyArray<readonly [string, PipeAddress]> = [
  ["an unknown id", { ...kafka, pipeId: pipeIds.unknown }],
  ["an unknown service", { ...kafka, serviceId: services.unknown }],
  ["another service of the organization", { ...kafka, serviceId: services.archive }],
  ["another organization's service", { ...kafka, serviceId: services.globex }],
  ["another organization's pipe", { ...kafka, pipeId: pipeIds.globex }],
  ["another organization's service and pipe", { ...kafka, serviceId: services.globex, pipeId: pipeIds.globex }]
]

/** Addresses out of reach of acme. */
export const elsewhere: ReadonlyArray<readonly [string, PipeAddress]> = [
  ["another organization", { ...kafka, organizationId: organizations.globex }],
  ["an unknown organization", { ...kafka, organizationId: organizations.unknown }]
]
