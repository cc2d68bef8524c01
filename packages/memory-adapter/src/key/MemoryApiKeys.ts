import { ApiKeys } from "@headgate/core"
import { duplicateKeyId, issueApiKey, maxApiKeys, tooManyApiKeys } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { MemoryStore } from "../MemoryStore.ts"

const layerNoDeps: Layer.Layer<ApiKeys, never, MemoryStore | Digest.Digest | SecureRandom.SecureRandom> = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const { keys } = yield* MemoryStore
    const digest = yield* Digest.Digest
    const random = yield* SecureRandom.SecureRandom

    return ApiKeys.of({
      create: Effect.fnUntraced(function* (organizationId, request) {
        const { created, record } = yield* issueApiKey(organizationId, request).pipe(
          Effect.provideService(Digest.Digest, digest),
          Effect.provideService(SecureRandom.SecureRandom, random)
        )
        // No yield between the checks and the change: no other fiber comes between them.
        if (keys.countOf(organizationId) >= maxApiKeys) return yield* tooManyApiKeys()
        if (keys.has(record.keyIdHash)) return yield* duplicateKeyId()
        keys.set(record.keyIdHash, record)
        return created
      })
    })
  })
)

const layer: Layer.Layer<ApiKeys, never, MemoryStore> = Layer.provide(layerNoDeps, [
  Digest.layerWebCrypto,
  SecureRandom.layerWebCrypto
])

/**
 * The `ApiKeys` port over a {@link MemoryStore}. `layerNoDeps` leaves the cryptography to the caller: a test that wants
 * the same credentials each time gives it randomness of its own (one key, since a second with the same key ID is a
 * `Conflict`).
 *
 * @example
 * ```ts
 * import { MemoryApiKeys, MemoryStore } from "@headgate/memory-adapter"
 * import * as Digest from "effect/crypto/Digest"
 * import * as SecureRandom from "effect/crypto/SecureRandom"
 * import * as Layer from "effect/Layer"
 *
 * export const zeros = MemoryApiKeys.layerNoDeps.pipe(
 *   Layer.provide([
 *     Digest.layerWebCrypto,
 *     Layer.succeed(
 *       SecureRandom.SecureRandom,
 *       SecureRandom.make((size) => new Uint8Array(size))
 *     ),
 *     MemoryStore.layer
 *   ])
 * )
 * ```
 */
export const MemoryApiKeys = { layer, layerNoDeps }
