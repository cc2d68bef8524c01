import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { OrganizationId } from "../access/OrganizationId.ts"
import { callFields } from "../error/CallFields.ts"
import type { ApiKey } from "./ApiKey.ts"
import { ApiKeyId } from "./ApiKeyId.ts"
import type { ApiKeyState } from "./ApiKeyState.ts"

/** The organization has no such API key: another organization's key is not found either. */
export class KeyNotFound extends Schema.TaggedError<KeyNotFound>("@headgate/core/key/KeyNotFound")("KeyNotFound", {
  ...callFields,
  organizationId: OrganizationId,
  keyId: ApiKeyId
}) {}

/**
 * The error of a store that holds no such key: for whoever writes an adapter, so that all say the same.
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core/access"
 * import { type ApiKeyId, type ApiKeyRecord, type ApiKeyState, keyNotFound } from "@headgate/core/key"
 * import * as Effect from "effect/Effect"
 *
 * // `StoredApiKeys.setState` over a Map.
 * const records = new Map<ApiKeyId, ApiKeyRecord>()
 * export const setState = (organizationId: OrganizationId, keyId: ApiKeyId, state: ApiKeyState) =>
 *   Effect.suspend(() => {
 *     const held = records.get(keyId)
 *     if (held?.organizationId !== organizationId) return Effect.fail(keyNotFound(organizationId, keyId))
 *     records.set(keyId, { ...held, key: { ...held.key, state } })
 *     return Effect.void
 *   })
 * ```
 */
export const keyNotFound = (organizationId: OrganizationId, keyId: ApiKeyId): KeyNotFound =>
  new KeyNotFound({ message: `the organization has no API key ${keyId}`, organizationId, keyId })

/**
 * The port to the API keys that a store holds, for whoever runs the server: only adapters that hold keys have it. The
 * contract shows no operation on an existing key (section 3).
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core/access"
 * import { StoredApiKeys } from "@headgate/core/key"
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
    /** Enables or disables a key, at once. Fails with `KeyNotFound`. */
    readonly setState: (
      organizationId: OrganizationId,
      keyId: ApiKeyId,
      state: ApiKeyState
    ) => Effect.Effect<void, KeyNotFound>
    /** Deletes a key, at once and for good. Fails with `KeyNotFound`. */
    readonly delete: (organizationId: OrganizationId, keyId: ApiKeyId) => Effect.Effect<void, KeyNotFound>
  }
>()("@headgate/core/key/StoredApiKeys") {}
