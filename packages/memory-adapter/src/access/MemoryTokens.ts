import type { OrganizationId } from "@headgate/core"
import { makeToken, noOrganization, notFound, Tokens } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Digest } from "effect/crypto/Digest"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { MemoryStore } from "../MemoryStore.ts"

const layer: Layer.Layer<Tokens, never, MemoryStore | Digest | SecureRandom> = Layer.effect(
  Tokens,
  Effect.gen(function* () {
    const { organizations, tokens } = yield* MemoryStore
    const crypto = yield* Effect.context<Digest | SecureRandom>()

    const ownedBy = (organizationId: OrganizationId) =>
      Array.from(tokens.values()).filter((record) => record.organizationId === organizationId)

    return Tokens.of({
      create: Effect.fnUntraced(function* (organizationId, name) {
        const { created, record } = yield* makeToken(organizationId, name)
        if (!organizations.has(organizationId)) return yield* Effect.die(noOrganization(organizationId))
        tokens.set(record.tokenHash, record)
        return created
      }, Effect.provideContext(crypto)),
      list: (organizationId) => Effect.sync(() => ownedBy(organizationId).map(({ token }) => token)),
      revoke: Effect.fnUntraced(function* (organizationId, tokenId) {
        const held = ownedBy(organizationId).find(({ token }) => token.id === tokenId)
        if (held === undefined) return yield* notFound("TokenNotFound", { organizationId, tokenId })
        tokens.delete(held.tokenHash)
      })
    })
  })
)

/** The `Tokens` port over a {@link MemoryStore}. */
export const MemoryTokens = { layer }
