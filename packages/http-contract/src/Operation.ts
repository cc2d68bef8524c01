import type { Permission } from "@headgate/core/access"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * An operation of the contract as plain data: what the groups of the `HttpApi` are built from, and all that a client of
 * its own needs to speak it. It draws in no server and no router.
 *
 * @example
 * ```ts
 * import { neutral } from "@headgate/http-contract"
 * import { pipeOperations } from "@headgate/http-contract/pipe"
 *
 * const { method, path, permission } = pipeOperations(neutral).get
 * console.log(method, path, permission)
 * // GET /v1/organizations/:organizationId/services/:serviceId/dbpipes/:dbPipeId pipe:read
 * ```
 */
export interface Operation<Params, Payload, Content> {
  readonly method: "GET" | "POST" | "DELETE"
  /** With `:name` for each of `params`. */
  readonly path: `/${string}`
  /** What the principal must be allowed. */
  readonly permission: Permission
  readonly params: Schema.Codec<Params, { readonly [name: string]: string }>
  /** `undefined` where a request has no body. */
  readonly payload: Schema.Codec<Payload, unknown>
  /** What a success holds, from its parsed body. Fails with what is wrong, everything of it. */
  readonly read: (body: unknown) => Effect.Effect<Content, Schema.SchemaError>
}

/** The parameters of an operation whose path has none. */
export const noParams = Schema.Struct({})

/** The payload of an operation whose request has no body. */
export const noPayload = Schema.Undefined
