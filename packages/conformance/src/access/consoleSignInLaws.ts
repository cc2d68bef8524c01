import { assert, describe } from "@effect/vitest"
import { type Authenticator, ConsoleSessions, type ConsoleSignIn } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureCredentials } from "../fixtures/credentials.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import {
  authenticate,
  authenticateFrom,
  createCode,
  createSession,
  elsewhere,
  exchange,
  exchangeFrom,
  hasEnded,
  lawOf,
  office,
  opensNothing,
  signOut,
  start
} from "../internal/console.ts"
import { failsWith } from "../internal/failsWith.ts"

type Ports = Authenticator | ConsoleSessions | ConsoleSignIn

const { keys, organizations } = fixtureIds

const minute = 60_000
const hour = 60 * minute

/** How many of these succeed when all run at once. */
const successes = <A, E, R>(calls: Iterable<Effect.Effect<A, E, R>>) =>
  Effect.map(
    Effect.forEach(calls, Effect.exit, { concurrency: "unbounded" }),
    (exits) => exits.filter(Exit.isSuccess).length
  )

/**
 * The laws of the sessions of the console and of the codes that open them: how long they last, how many there are, and how they are used
 * and ended. They set the `TestClock`, so the adapter must run in the process of the test. Contract:
 * docs/wire-contract.md#the-console.
 */
export const consoleSignInLaws = ({ layer, name }: LawsOptions<Ports>): void => {
  const law = lawOf(layer)

  describe(`${name}: laws of ConsoleSignIn`, () => {
    for (const [who, organizationId, roles] of [
      ["admin", organizations.acme, ["admin"]],
      ["developer", organizations.acme, ["developer"]],
      ["noRoles", organizations.acme, []],
      ["globex", organizations.globex, ["admin"]]
    ] as const) {
      law(
        `a session of the key "${who}" authenticates as the key, as a session, and so does one that a code opens`,
        Effect.gen(function* () {
          const { token } = yield* createSession(who)
          const { code } = yield* createCode(who)
          const opened = yield* exchange(code)
          for (const address of [office, "2001:db8::1", undefined]) {
            for (const one of [token, opened.token]) {
              assert.deepStrictEqual(yield* authenticateFrom(address, one), {
                _tag: "KeyPrincipal",
                organizationId,
                keyId: keys[who],
                keyName: who,
                keySuffix: fixtureCredentials.keys[who].keyId.slice(-4),
                roles,
                hasCustomRoles: false,
                isSession: true
              })
            }
          }
        })
      )
    }

    law(
      "a call without a key makes none",
      Effect.gen(function* () {
        const sessions = yield* ConsoleSessions
        const address = { organizationId: organizations.acme }
        yield* failsWith(sessions.createSession(address), "Unauthorized")
        yield* failsWith(sessions.createCode(address), "Unauthorized")
      })
    )

    for (const who of ["disabled", "expired", "unknown"] as const) {
      law(
        `a key that is ${who} makes none`,
        Effect.gen(function* () {
          yield* failsWith(createSession(who), "Unauthorized")
          yield* failsWith(createCode(who), "Unauthorized")
        })
      )
    }

    law(
      "a session ends 8 hours after it was made, however it is used",
      Effect.gen(function* () {
        const { expiresAt, token } = yield* createSession("admin")
        assert.strictEqual(expiresAt.epochMilliseconds, start + 8 * hour)
        for (const after of [0, 4 * hour, 8 * hour - 1]) {
          yield* TestClock.setTime(start + after)
          yield* authenticate(token)
        }
        yield* TestClock.setTime(start + 8 * hour)
        yield* hasEnded(token)
      })
    )

    law(
      "a code opens one session, of 8 hours from then, until 5 minutes after it was made",
      Effect.gen(function* () {
        const first = yield* createCode("developer")
        const second = yield* createCode("developer")
        assert.strictEqual(first.expiresAt.epochMilliseconds, start + 5 * minute)
        yield* TestClock.setTime(start + 5 * minute - 1)
        const session = yield* exchange(first.code)
        assert.match(Redacted.value(session.token), /^hgs_[0-9A-Za-z]{40}$/)
        assert.deepStrictEqual(session, {
          ...(yield* createSession("developer")),
          token: session.token,
          expiresAt: DateTime.makeUnsafe(start + 5 * minute - 1 + 8 * hour)
        })
        yield* TestClock.setTime(start + 5 * minute)
        yield* opensNothing(second.code)
        yield* authenticate(session.token)
      })
    )

    law(
      "codes that are used, expired, unknown, empty or a token are refused alike, and tokens that are none as well",
      Effect.gen(function* () {
        const expired = yield* createCode("admin")
        yield* TestClock.setTime(start + 5 * minute)
        const { code } = yield* createCode("admin")
        const { token } = yield* exchange(code)
        const messages: Array<string> = []
        for (const bad of [expired.code, code, token, Redacted.make("hgc_unknown"), Redacted.make("")]) {
          for (const address of [office, undefined]) {
            messages.push((yield* failsWith(exchangeFrom(address, bad), "Unauthorized")).message)
          }
        }
        for (const bad of [code, Redacted.make("hgs_unknown"), Redacted.make("")]) {
          messages.push((yield* hasEnded(bad)).message)
        }
        assert.strictEqual(new Set(messages).size, 1)
        yield* authenticate(token)
      })
    )

    law(
      "of many that use a code at once, one gets a session",
      Effect.gen(function* () {
        const { code } = yield* createCode("admin")
        assert.strictEqual(yield* successes(Array.from({ length: 10 }, () => exchange(code))), 1)
        yield* opensNothing(code)
      })
    )

    law(
      "a code from an address outside the key's list is Forbidden, and is not used up",
      Effect.gen(function* () {
        const { code } = yield* createCode("listed")
        for (const address of [elsewhere, "2001:db9::1", undefined, elsewhere]) {
          yield* failsWith(exchangeFrom(address, code), "Forbidden")
        }
        const { token } = yield* exchangeFrom(office, code)
        yield* failsWith(exchangeFrom(elsewhere, code), "Unauthorized")
        yield* failsWith(authenticateFrom(elsewhere, token), "Forbidden")
        yield* authenticateFrom(office, token)
      })
    )

    law(
      "a key has 20 sessions, whoever opened them: one more ends the oldest, of this key alone",
      Effect.gen(function* () {
        const other = yield* createSession("developer")
        const made = [yield* createSession("admin")]
        const { code } = yield* createCode("admin")
        made.push(yield* exchange(code))
        made.push(...(yield* Effect.replicateEffect(createSession("admin"), 18)))
        for (const { token } of made) yield* authenticate(token)
        for (const [index, { token }] of made.slice(0, 3).entries()) {
          const next = yield* createSession("admin")
          yield* hasEnded(token)
          for (const kept of [...made.slice(index + 1), next, other]) yield* authenticate(kept.token)
          made.push(next)
        }
      })
    )

    law(
      "a key has 5 codes: one more ends the oldest, of this key alone",
      Effect.gen(function* () {
        const other = yield* createCode("developer")
        const made = yield* Effect.replicateEffect(createCode("admin"), 7)
        for (const { code } of made.slice(0, 2)) yield* opensNothing(code)
        for (const { code } of [...made.slice(2), other]) yield* exchange(code)
      })
    )

    law(
      "the numbers hold when many are made at once, and ended ones do not count",
      Effect.gen(function* () {
        const many = <A, E, R>(create: Effect.Effect<A, E, R>, count: number) =>
          Effect.replicateEffect(create, count, { concurrency: "unbounded" })
        yield* Effect.forEach(yield* many(createSession("admin"), 20), ({ token }) => signOut(token))
        const sessions = yield* many(createSession("admin"), 30)
        const codes = yield* many(createCode("admin"), 12)
        assert.strictEqual(yield* successes(sessions.map(({ token }) => authenticate(token))), 20)
        assert.strictEqual(yield* successes(codes.map(({ code }) => exchange(code))), 5)
        yield* TestClock.setTime(start + 8 * hour)
        const later = yield* many(createSession("admin"), 20)
        assert.strictEqual(yield* successes(later.map(({ token }) => authenticate(token))), 20)
      })
    )

    law(
      "signing out ends the session at once, this one alone, and is no error if there is none",
      Effect.gen(function* () {
        const { token } = yield* createSession("admin")
        const other = yield* createSession("admin")
        const { code } = yield* createCode("admin")
        yield* authenticate(token)
        for (const ended of [token, token, code, Redacted.make("hgs_unknown")]) yield* signOut(ended)
        yield* hasEnded(token)
        yield* authenticate(other.token)
        yield* exchange(code)
      })
    )
  })
}
