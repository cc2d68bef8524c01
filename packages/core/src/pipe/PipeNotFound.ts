import * as Schema from "effect/Schema"
import { callFields } from "../error/CallFields.ts"
import { PipeAddress } from "./PipeAddress.ts"

/**
 * There is no such pipe in that service of that organization (HTTP 404): `address` is the one that was asked for. A
 * pipe of another organization is not found either.
 *
 * @example
 * ```ts
 * import { type PipeAddress, Pipes } from "@headgate/core/pipe"
 * import * as Effect from "effect/Effect"
 *
 * // Deletes a pipe if it is there, and tells whether it was.
 * export const deleteIfThere = (address: PipeAddress) =>
 *   Pipes.use((pipes) => pipes.delete(address)).pipe(
 *     Effect.as(true),
 *     Effect.catchTag("PipeNotFound", () => Effect.succeed(false))
 *   )
 * ```
 */
export class PipeNotFound extends Schema.TaggedError<PipeNotFound>("@headgate/core/pipe/PipeNotFound")("PipeNotFound", {
  ...callFields,
  address: PipeAddress
}) {}

/** The error of a store that holds no pipe at an address: for whoever writes an adapter, so that all say the same. */
export const pipeNotFound = (address: PipeAddress): PipeNotFound =>
  new PipeNotFound({ message: `the service has no pipe ${address.pipeId}`, address })
