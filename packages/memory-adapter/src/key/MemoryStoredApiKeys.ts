import type { ApiKeyId, OrganizationId } from "@headgate/core"
import { keyNotFound, StoredApiKeys } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore } from "../MemoryStore.ts"

const layer: Layer.Layer<StoredApiKeys, never, MemoryStore> = Layer.effect(
  StoredApiKeys,
  Effect.gen(function* () {
    const { keys } = yield* MemoryStore

    const find = Effect.fnUntraced(function* (organizationId: OrganizationId, keyId: ApiKeyId) {
      const held = keys.byId(keyId)
      return held?.organizationId === organizationId ? held : yield* keyNotFound(organizationId, keyId)
    })

    return StoredApiKeys.of({
      list: Effect.fn("MemoryStoredApiKeys.list")((organizationId) =>
        Effect.sync(() => keys.ownedBy(organizationId).map(({ key }) => key))
      ),
      setState: Effect.fn("MemoryStoredApiKeys.setState")(function* (organizationId, keyId, state) {
        const record = yield* find(organizationId, keyId)
        keys.set(record.keyIdHash, { ...record, key: { ...record.key, state } })
      }),
      delete: Effect.fn("MemoryStoredApiKeys.delete")(function* (organizationId, keyId) {
        const record = yield* find(organizationId, keyId)
        keys.delete(record.keyIdHash)
      })
    })
  })
)

/**
 * The `StoredApiKeys` port over a {@link MemoryStore}: what is done to a key here, `MemoryAuthenticator` over the same
 * store feels at once.
 *
 * @example
 * ```ts
 * import type { OrganizationId, Snapshot } from "@headgate/core"
 * import { StoredApiKeys } from "@headgate/core/adapter"
 * import { MemoryAdapter } from "@headgate/memory-adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const keysOf = (snapshot: Snapshot, organizationId: OrganizationId) =>
 *   StoredApiKeys.use((stored) => stored.list(organizationId)).pipe(Effect.provide(MemoryAdapter.layer({ snapshot })))
 * ```
 */
export const MemoryStoredApiKeys = { layer }
