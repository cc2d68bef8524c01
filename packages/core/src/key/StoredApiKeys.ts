import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import { OrganizationId } from "../access/ids.ts"
import { KeyNotFound } from "../error/NotFound.ts"
import type { ApiKey } from "./ApiKey.ts"
import { ApiKeyId, type ApiKeyState } from "./ids.ts"

/**
 * The port to existing API keys, for the operator of a server. Only adapters that store keys have it: the contract
 * (section 3) has no operation on an existing key.
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core"
 * import { StoredApiKeys } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 * import * as Predicate from "effect/Predicate"
 *
 * // Disables every key that was never used.
 * export const disableUnused = Effect.fn("disableUnused")(function* (organizationId: OrganizationId) {
 *   const stored = yield* StoredApiKeys
 *   const unused = (yield* stored.list(organizationId)).filter(({ usedAt }) => Predicate.isNullish(usedAt))
 *   yield* Effect.forEach(unused, ({ id }) => stored.setState(organizationId, id, "disabled"), { discard: true })
 * })
 * ```
 */
export class StoredApiKeys extends Context.Service<
  StoredApiKeys,
  {
    /** The organization's keys, newest last. */
    readonly list: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<ApiKey>>
    /** Enables or disables a key at once. Fails with `KeyNotFound`. */
    readonly setState: (
      organizationId: OrganizationId,
      keyId: ApiKeyId,
      state: ApiKeyState
    ) => Effect.Effect<void, KeyNotFound>
    /** Deletes a key at once. Fails with `KeyNotFound`. */
    readonly delete: (organizationId: OrganizationId, keyId: ApiKeyId) => Effect.Effect<void, KeyNotFound>
  }
>()("@headgate/core/key/StoredApiKeys") {}
