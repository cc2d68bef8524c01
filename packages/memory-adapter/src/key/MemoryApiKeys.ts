import { type ApiKeyId, ApiKeys, type OrganizationId } from "@headgate/core"
import {
  duplicateKeyId,
  exceededLimit,
  keyNotFound,
  makeApiKey,
  OrganizationLimits,
  StoredApiKeys
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Digest } from "effect/crypto/Digest"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { MemoryStore, usageOf } from "../MemoryStore.ts"

const layer: Layer.Layer<ApiKeys, never, MemoryStore | Digest | SecureRandom> = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const store = yield* MemoryStore
    const { keys } = store
    const crypto = yield* Effect.context<Digest | SecureRandom>()

    return ApiKeys.of({
      // Without a span, which keeps a creation cheap.
      create: Effect.fnUntraced(function* (organizationId, request) {
        const limits = yield* OrganizationLimits
        const { created, record } = yield* makeApiKey(organizationId, request)
        // No yield between the checks and the changes, so no other fiber runs between them.
        if (keys.has(record.keyIdHash)) return yield* duplicateKeyId()
        keys.set(record.keyIdHash, record)
        const exceeded = exceededLimit("keys", usageOf(store, organizationId), limits)
        if (exceeded === undefined) return created
        keys.delete(record.keyIdHash)
        return yield* exceeded
      }, Effect.provideContext(crypto))
    })
  })
)

const layerStored: Layer.Layer<StoredApiKeys, never, MemoryStore> = Layer.effect(
  StoredApiKeys,
  Effect.gen(function* () {
    const { keys } = yield* MemoryStore

    const find = Effect.fnUntraced(function* (organizationId: OrganizationId, keyId: ApiKeyId) {
      const record = keys.byId(keyId)
      return record?.organizationId === organizationId ? record : yield* keyNotFound(organizationId, keyId)
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

/** The ports to API keys over a {@link MemoryStore}: `layer` is `ApiKeys`, `layerStored` is `StoredApiKeys`. */
export const MemoryApiKeys = { layer, layerStored }
