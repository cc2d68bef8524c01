import * as Schema from "effect/Schema"
import { Uuid } from "../schema/fieldSchemas.ts"
import { OrganizationId } from "./organization.ts"
import { ServiceId } from "./service.ts"

/** The id of a pipe, a UUID. Contract: docs/wire-contract.md#fields-of-a-pipe, `id`. */
export const PipeId = Uuid.pipe(Schema.brand("PipeId")).annotate({ description: "The id of the pipe, a UUID." })
export type PipeId = typeof PipeId.Type

/**
 * The address of a pipe: the three path parameters of the pipe operations, all UUIDs. Contract:
 * docs/wire-contract.md#read-a-pipe.
 *
 * @example
 * ```ts
 * import { PipeAddress } from "@headgate/core"
 * import * as Schema from "effect/Schema"
 *
 * // Ids are branded: the id of a service is not assignable to the id of a pipe. Decoding makes them from strings.
 * export const address = Schema.decodeUnknownSync(PipeAddress)({
 *   organizationId: "1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21",
 *   serviceId: "0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d",
 *   pipeId: "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f"
 * })
 * ```
 */
export const PipeAddress = Schema.Struct({
  organizationId: OrganizationId,
  serviceId: ServiceId,
  pipeId: PipeId
})
export type PipeAddress = typeof PipeAddress.Type
