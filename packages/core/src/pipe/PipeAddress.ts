import * as Schema from "effect/Schema"
import { OrganizationId } from "../access/OrganizationId.ts"
import { PipeId } from "./PipeId.ts"
import { ServiceId } from "./ServiceId.ts"

/**
 * Where a pipe lives: the three path parameters of the pipe operations, all UUIDs. Contract: section 4.1.
 *
 * @example
 * ```ts
 * import { PipeAddress } from "@headgate/core/pipe"
 * import * as Schema from "effect/Schema"
 *
 * // Ids are branded: one of a service does not pass for one of a pipe. Text from outside becomes one by decoding.
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
/** What {@link PipeAddress} decodes to. */
export type PipeAddress = typeof PipeAddress.Type
