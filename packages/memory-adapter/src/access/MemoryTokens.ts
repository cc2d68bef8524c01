import type { OrganizationId } from "@headgate/core"
import { issueToken, tokenNotFound, Tokens } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { MemoryStore } from "../MemoryStore.ts"

const layerNoDeps: Layer.Layer<Tokens, never, MemoryStore | Digest.Digest | SecureRandom.SecureRandom> = Layer.effect(
  Tokens,
  Effect.gen(function* () {
    const { tokens } = yield* MemoryStore
    const crypto = yield* Effect.context<Digest.Digest | SecureRandom.SecureRandom>()

    const ownedBy = (organizationId: OrganizationId) =>
      Array.from(tokens.values()).filter((record) => record.organizationId === organizationId)

    return Tokens.of({
      create: Effect.fn("MemoryTokens.create")(function* (organizationId, name) {
        const { created, record } = yield* issueToken(organizationId, name)
        tokens.set(record.tokenHash, record)
        return created
      }, Effect.provideContext(crypto)),
      list: Effect.fn("MemoryTokens.list")((organizationId) =>
        Effect.sync(() => ownedBy(organizationId).map(({ token }) => token))
      ),
      revoke: Effect.fn("MemoryTokens.revoke")(function* (organizationId, tokenId) {
        const held = ownedBy(organizationId).find(({ token }) => token.id === tokenId)
        if (held === undefined) return yield* tokenNotFound(organizationId, tokenId)
        tokens.delete(held.tokenHash)
      })
    })
  })
)

const layer: Layer.Layer<Tokens, never, MemoryStore> = Layer.provide(layerNoDeps, [
  Digest.layerWebCrypto,
  SecureRandom.layerWebCrypto
])

/**
 * The `Tokens` port over a {@link MemoryStore}. `layerNoDeps` leaves the cryptography to the caller.
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core"
 * import { Authenticator, Tokens } from "@headgate/core/adapter"
 * import { MemoryAuthenticator, MemoryStore, MemoryTokens } from "@headgate/memory-adapter"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const layer = Layer.mergeAll(MemoryAuthenticator.layer, MemoryTokens.layer).pipe(Layer.provide(MemoryStore.layer))
 *
 * // A token that was minted signs in: both layers see the one store.
 * export const minted = Effect.fn("minted")(function* (organizationId: OrganizationId) {
 *   const { secret } = yield* Tokens.use((tokens) => tokens.create(organizationId, "grafana"))
 *   const authenticator = yield* Authenticator
 *   return yield* authenticator.authenticate({ _tag: "TokenCredentials", token: secret }, undefined)
 * }, Effect.provide(layer))
 * ```
 */
export const MemoryTokens = { layer, layerNoDeps }
