import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrganizationId } from "../id/organization.ts"
import type { CallError } from "../error/CallError.ts"
import type { KeyNotFound } from "../error/NotFound.ts"
import type { ApiKey, CreatedApiKey } from "./ApiKey.ts"
import type { ApiKeyCreate } from "./ApiKeyCreate.ts"
import type { ApiKeyUpdate } from "./ApiKeyUpdate.ts"
import type { ApiKeyAddress } from "../id/key.ts"

/**
 * The port to the API keys of an organization. A change takes effect at once. Contract:
 * docs/wire-contract.md#create-an-api-key (create); the other operations are decided.
 *
 * @example
 * ```ts
 * import { ApiKeys, type OrganizationId } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 * import * as Predicate from "effect/Predicate"
 *
 * // Disables every key that was never used.
 * export const disableUnused = Effect.fn("disableUnused")(function* (organizationId: OrganizationId) {
 *   const keys = yield* ApiKeys
 *   const unused = (yield* keys.list({ organizationId })).filter(({ usedAt }) => Predicate.isNullish(usedAt))
 *   yield* Effect.forEach(unused, ({ id }) => keys.update({ organizationId, keyId: id }, { state: "disabled" }))
 * })
 * ```
 */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** The organization's keys, without credentials. The key that makes the call is one of them. */
    readonly list: (address: {
      readonly organizationId: OrganizationId
    }) => Effect.Effect<ReadonlyArray<ApiKey>, CallError>
    /** Reads a key. Fails with `KeyNotFound`. */
    readonly get: (address: ApiKeyAddress) => Effect.Effect<ApiKey, KeyNotFound | CallError>
    /**
     * Creates a key. Only this result holds its credentials; it does not if the request has `hashData`. Fails with
     * `InvalidRequest` for a bad field, and with `Conflict` if the organization is at a limit or the key ID exists.
     */
    readonly create: (
      address: { readonly organizationId: OrganizationId },
      request: ApiKeyCreate
    ) => Effect.Effect<CreatedApiKey, CallError>
    /**
     * Changes a key. Fails with `KeyNotFound`, with `InvalidRequest` for a bad field, with `Conflict` if the key that makes
     * the call would disable itself or take the role `admin` from itself, and with `PreconditionFailed` if the key does not
     * have the version of `IfMatch`.
     */
    readonly update: (address: ApiKeyAddress, changes: ApiKeyUpdate) => Effect.Effect<ApiKey, KeyNotFound | CallError>
    /**
     * Deletes a key. Fails with `KeyNotFound`, with `Conflict` if it is the key that makes the call, and with
     * `PreconditionFailed` if the key does not have the version of `IfMatch`.
     */
    readonly delete: (address: ApiKeyAddress) => Effect.Effect<void, KeyNotFound | CallError>
  }
>()("@headgate/core/key/ApiKeys") {}
