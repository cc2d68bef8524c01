import { assert, describe, it } from "@effect/vitest"
import { CallingKey, ConsoleSessions, Permission } from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { failsWith } from "../internal/failsWith.ts"

const { keys, organizations } = fixtureIds
const { acme, globex, unknown } = organizations

const createSession = ConsoleSessions.use((sessions) => sessions.createSession({ organizationId: acme }))
const createCode = ConsoleSessions.use((sessions) => sessions.createCode({ organizationId: acme }))

/** Asserts that a result ends so many minutes after it was made, to a second. */
const lasts = <A extends { readonly expiresAt: { readonly epochMilliseconds: number } }, E, R>(
  minutes: number,
  create: Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const before = yield* Clock.currentTimeMillis
    const made = yield* create
    const after = yield* Clock.currentTimeMillis
    const madeAt = made.expiresAt.epochMilliseconds - minutes * 60_000
    assert.isAtLeast(madeAt, before - 1000)
    assert.isAtMost(madeAt, after + 1000)
    return made
  })

/**
 * The laws of the `ConsoleSessions` port, for an adapter that acts for the fixture's admin key, also over a network. What becomes of
 * sessions and codes is in `consoleSignInLaws` and `consoleKeysLaws`. Contract: docs/wire-contract.md#the-console.
 */
export const consoleSessionsLaws = ({ layer, name }: LawsOptions<ConsoleSessions>): void => {
  const law = (title: string, body: Effect.Effect<void, unknown, ConsoleSessions>) =>
    it.live(title, () =>
      Effect.flatMap(fixtureSnapshot, (snapshot) => Effect.provide(body, layer(snapshot, acme))).pipe(
        // Over a network, the fixture's admin key makes all calls.
        Effect.provideService(CallingKey, keys.admin)
      )
    )

  describe(`${name}: laws of ConsoleSessions`, () => {
    law(
      "a session has a token, lasts 8 hours, and may do what its key may, but open the console",
      Effect.gen(function* () {
        const session = yield* lasts(8 * 60, createSession)
        assert.match(Redacted.value(session.token), /^hgs_[0-9A-Za-z]{40}$/)
        assert.strictEqual(session.organizationId, acme)
        assert.sameMembers(
          [...session.permissions],
          Permission.literals.filter((permission) => permission !== "console:open")
        )
      })
    )

    law(
      "a code lasts 5 minutes",
      Effect.gen(function* () {
        const { code } = yield* lasts(5, createCode)
        assert.match(Redacted.value(code), /^hgc_[0-9A-Za-z]{40}$/)
      })
    )

    law(
      "each one is another, also above the number that a key may have",
      Effect.gen(function* () {
        const sessions = yield* Effect.replicateEffect(createSession, 22)
        const codes = yield* Effect.replicateEffect(createCode, 7)
        const secrets = [...sessions.map(({ token }) => token), ...codes.map(({ code }) => code)].map(Redacted.value)
        assert.strictEqual(new Set(secrets).size, 29)
      })
    )

    for (const [what, organizationId] of [
      ["another organization", globex],
      ["an organization that is not there", unknown]
    ] as const) {
      law(
        `none is made in ${what}`,
        Effect.gen(function* () {
          const sessions = yield* ConsoleSessions
          yield* failsWith(sessions.createSession({ organizationId }), "Forbidden", "Unauthorized")
          yield* failsWith(sessions.createCode({ organizationId }), "Forbidden", "Unauthorized")
        })
      )
    }
  })
}
