import { assert, describe, it } from "@effect/vitest"
import type { OrganizationId } from "@headgate/core"
import { Authenticator, type CreatedToken, type TokenId, Tokens } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureCredentials } from "../fixtures/credentials.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { failsWith } from "../internal/failsWith.ts"

const { organizations, tokens: tokenIds } = fixtureIds
const { acme, globex } = organizations
const { tokens } = fixtureCredentials

const create = (name: string, organizationId: OrganizationId = acme) =>
  Tokens.use((port) => port.create(organizationId, name))

const list = (organizationId: OrganizationId = acme) => Tokens.use((port) => port.list(organizationId))

const revoke = (tokenId: TokenId, organizationId: OrganizationId = acme) =>
  Tokens.use((port) => port.revoke(organizationId, tokenId))

const grant = (tokenId: TokenId, organizationId: OrganizationId = acme) =>
  Tokens.use((port) => port.grant(organizationId, tokenId, "chart:query"))

const names = (organizationId?: OrganizationId) =>
  Effect.map(list(organizationId), (all) => all.map(({ name }) => name))

const signIn = (token: Redacted.Redacted) =>
  Authenticator.use((authenticator) => authenticator.authenticate({ _tag: "TokenCredentials", token }, undefined))

const grantsOf = (token: Redacted.Redacted) =>
  Effect.map(signIn(token), (principal) => (principal._tag === "TokenPrincipal" ? principal.grants : undefined))

const isRejected = (token: Redacted.Redacted) => failsWith(signIn(token), "Unauthorized")

const now = DateTime.makeUnsafe("2026-06-01T12:34:56.789Z")

/** Tokens that `revoke` must not find. */
const nowhere: ReadonlyArray<readonly [string, OrganizationId, TokenId]> = [
  ["an unknown id", acme, tokenIds.unknown],
  ["another organization's token", acme, tokenIds.globex],
  ["an unknown organization", organizations.unknown, tokenIds.acme]
]

/**
 * The laws of the `Tokens` port and of authentication with a token. They set the `TestClock`, so the adapter must
 * run in the process of the test.
 */
export const tokensLaws = ({ layer, name }: LawsOptions<Authenticator | Tokens>): void => {
  const law = (title: string, body: Effect.Effect<void, unknown, Authenticator | Tokens>) =>
    it.effect(title, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(now.epochMilliseconds)
        yield* Effect.provide(body, layer(yield* fixtureSnapshot, acme))
      })
    )

  describe(`${name}: laws of Tokens`, () => {
    law(
      "none is created in an organization that the store does not have",
      Effect.gen(function* () {
        assert.isTrue(Exit.isFailure(yield* Effect.exit(create("x", organizations.unknown))))
        assert.deepStrictEqual(yield* list(organizations.unknown), [])
      })
    )

    law(
      "each organization lists its own tokens as they were imported",
      Effect.gen(function* () {
        for (const who of ["acme", "globex"] as const) {
          const [token, ...others] = yield* list(organizations[who])
          assert.deepStrictEqual(others, [])
          assert.deepStrictEqual([token?.id, token?.name], [tokenIds[who], who])
          const imported = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
          assert.strictEqual(token?.createdAt.epochMilliseconds, imported.epochMilliseconds)
        }
      })
    )

    law(
      "an organization that the store does not hold has an empty list",
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* list(organizations.unknown), [])
      })
    )

    law(
      "a created token has the requested name, its own id and the time of the clock",
      Effect.gen(function* () {
        const first = yield* create("größe 🚰")
        const second = yield* create("größe 🚰")
        for (const { token } of [first, second]) {
          assert.strictEqual(token.name, "größe 🚰")
          assert.strictEqual(token.createdAt.epochMilliseconds, now.epochMilliseconds)
        }
        assert.notStrictEqual(first.token.id, second.token.id)
        assert.notStrictEqual(Redacted.value(first.secret), Redacted.value(second.secret))
      })
    )

    law(
      "created tokens are listed newest last, and only for their organization",
      Effect.gen(function* () {
        const created: ReadonlyArray<CreatedToken> = [
          yield* create("one"),
          yield* create("two"),
          yield* create("three")
        ]
        assert.deepStrictEqual(
          (yield* list()).map(({ id }) => id),
          [tokenIds.acme, ...created.map(({ token }) => token.id)]
        )
        assert.deepStrictEqual(yield* names(globex), ["globex"])
      })
    )

    law(
      "a listed token is the created one without its secret",
      Effect.gen(function* () {
        const { secret, token } = yield* create("ci")
        const listed = yield* list()
        assert.deepStrictEqual(listed.at(-1), token)
        assert.isTrue(Redacted.isRedacted(secret))
        assert.isAtLeast(Redacted.value(secret).length, 20)
        assert.notInclude(JSON.stringify(listed), Redacted.value(secret))
      })
    )

    law(
      "a created token authenticates at once as itself",
      Effect.gen(function* () {
        const { secret, token } = yield* create("ci", globex)
        assert.deepStrictEqual(yield* signIn(secret), {
          _tag: "TokenPrincipal",
          organizationId: globex,
          tokenId: token.id,
          grants: ["chart:query"]
        })
      })
    )

    for (const [what, bad] of [
      ["empty", ""],
      ["of 256 characters", "x".repeat(256)]
    ] as const) {
      law(
        `a name that is ${what} is an InvalidRequest that names it, and nothing is stored`,
        Effect.gen(function* () {
          const error = yield* failsWith(create(bad), "InvalidRequest")
          assert.include(error.message, "name: ")
          assert.deepStrictEqual(yield* names(), ["acme"])
        })
      )
    }

    law(
      "a name may have 255 characters",
      Effect.gen(function* () {
        const { token } = yield* create("x".repeat(255))
        assert.strictEqual(token.name.length, 255)
      })
    )

    law(
      "an imported token has the grants of its snapshot: none if it is of a version without grants",
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* grantsOf(tokens.acme.token), ["chart:query"])
        assert.deepStrictEqual(yield* grantsOf(tokens.globex.token), [])
      })
    )

    law(
      "a permission is granted to one token at once, and once",
      Effect.gen(function* () {
        const others = yield* list(globex)
        yield* grantsOf(tokens.globex.token)
        for (let time = 0; time < 2; time += 1) {
          yield* grant(tokenIds.globex, globex)
          assert.deepStrictEqual(yield* grantsOf(tokens.globex.token), ["chart:query"])
        }
        assert.deepStrictEqual(yield* list(globex), others)
      })
    )

    law(
      "of a token that is granted to and revoked at the same time, nothing is left",
      Effect.gen(function* () {
        const granting = Effect.catchTag(grant(tokenIds.globex, globex), "TokenNotFound", () => Effect.void)
        yield* Effect.all([granting, revoke(tokenIds.globex, globex), granting], { concurrency: "unbounded" })
        yield* isRejected(tokens.globex.token)
        assert.deepStrictEqual(yield* list(globex), [])
      })
    )

    law(
      "a revoked token is rejected at once, other tokens are not",
      Effect.gen(function* () {
        const { secret, token } = yield* create("ci")
        const other = yield* create("other")
        yield* signIn(secret)
        yield* revoke(token.id)
        yield* isRejected(secret)
        yield* signIn(other.secret)
        yield* signIn(tokens.acme.token)
        assert.deepStrictEqual(yield* names(), ["acme", "other"])
      })
    )

    law(
      "an imported token is revoked like any other",
      Effect.gen(function* () {
        yield* revoke(tokenIds.acme)
        yield* isRejected(tokens.acme.token)
        yield* signIn(tokens.globex.token)
        assert.deepStrictEqual(yield* list(), [])
      })
    )

    for (const [what, organizationId, tokenId] of nowhere) {
      law(
        `grant fails with TokenNotFound for ${what}, and changes nothing`,
        Effect.gen(function* () {
          const error = yield* failsWith(grant(tokenId, organizationId), "TokenNotFound")
          assert.deepStrictEqual([error.organizationId, error.tokenId], [organizationId, tokenId])
          assert.deepStrictEqual(yield* grantsOf(tokens.globex.token), [])
        })
      )

      law(
        `revoke fails with TokenNotFound for ${what}, and changes nothing`,
        Effect.gen(function* () {
          const error = yield* failsWith(revoke(tokenId, organizationId), "TokenNotFound")
          assert.deepStrictEqual([error.organizationId, error.tokenId], [organizationId, tokenId])
          yield* signIn(tokens.acme.token)
          yield* signIn(tokens.globex.token)
          assert.deepStrictEqual([yield* names(acme), yield* names(globex)], [["acme"], ["globex"]])
        })
      )
    }

    law(
      "of many concurrent revocations, one succeeds",
      Effect.gen(function* () {
        const outcomes = yield* Effect.forEach(
          Array.from({ length: 10 }),
          () =>
            revoke(tokenIds.acme).pipe(
              Effect.as("revoked"),
              Effect.catchTag("TokenNotFound", () => Effect.succeed("not found"))
            ),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(outcomes.toSorted(), [...Array.from({ length: 9 }, () => "not found"), "revoked"])
      })
    )

    law(
      "no token is lost when many are created concurrently",
      Effect.gen(function* () {
        const created = yield* Effect.forEach(Array.from({ length: 50 }), (_, n) => create(`token ${n}`), {
          concurrency: "unbounded"
        })
        const principals = yield* Effect.forEach(created, ({ secret }) => signIn(secret))
        const ids = created.map(({ token }) => token.id)
        assert.deepStrictEqual(
          principals.map((principal) => (principal._tag === "TokenPrincipal" ? principal.tokenId : undefined)),
          ids
        )
        assert.deepStrictEqual((yield* list()).map(({ id }) => id).toSorted(), [tokenIds.acme, ...ids].toSorted())
      })
    )
  })
}
