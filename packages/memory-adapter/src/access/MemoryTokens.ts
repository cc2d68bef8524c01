import type { OrganizationId } from "@headgate/core"
import { makeToken, noOrganization, notFound, type TokenId, Tokens } from "@headgate/core/adapter"
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

    const find = (organizationId: OrganizationId, tokenId: TokenId) =>
      Effect.suspend(() => {
        const held = ownedBy(organizationId).find(({ token }) => token.id === tokenId)
        return held === undefined
          ? Effect.fail(notFound("TokenNotFound", { organizationId, tokenId }))
          : Effect.succeed(held)
      })

    return Tokens.of({
      create: Effect.fnUntraced(function* (organizationId, name) {
        const { created, record } = yield* makeToken(organizationId, name)
        if (!organizations.has(organizationId)) return yield* Effect.die(noOrganization(organizationId))
        tokens.set(record.tokenHash, record)
        return created
      }, Effect.provideContext(crypto)),
      list: (organizationId) => Effect.sync(() => ownedBy(organizationId).map(({ token }) => token)),
      grant: Effect.fnUntraced(function* (organizationId, tokenId, permission) {
        const held = yield* find(organizationId, tokenId)
        if (!held.grants.includes(permission)) {
          tokens.set(held.tokenHash, { ...held, grants: [...held.grants, permission] })
        }
      }),
      revoke: Effect.fnUntraced(function* (organizationId, tokenId) {
        const { tokenHash } = yield* find(organizationId, tokenId)
        tokens.delete(tokenHash)
      })
    })
  })
)

/** The `Tokens` port over a {@link MemoryStore}. */
export const MemoryTokens = { layer }
