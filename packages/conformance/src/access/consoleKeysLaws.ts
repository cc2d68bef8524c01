import { assert, describe } from "@effect/vitest"
import { type ApiKeyUpdate, ApiKeys, Snapshot, Snapshots } from "@headgate/core"
import {
  type Authenticator,
  type ConsoleSessions,
  type ConsoleSignIn,
  hashCredential,
  StoredServices
} from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Digest from "effect/crypto/Digest"
import * as TestClock from "effect/testing/TestClock"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
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
  start
} from "../internal/console.ts"
import { failsWith } from "../internal/failsWith.ts"

type Ports = ApiKeys | Authenticator | ConsoleSessions | ConsoleSignIn | Snapshots | StoredServices

const { keys, organizations } = fixtureIds
const { acme } = organizations

const minute = 60_000

/** The fixture's key `developer`, which the other keys outlive. */
const address = { organizationId: acme, keyId: keys.developer }

const update = (changes: ApiKeyUpdate) => ApiKeys.use((apiKeys) => apiKeys.update(address, changes))
const remove = ApiKeys.use((apiKeys) => apiKeys.delete(address))
const importFixture = Snapshots.use((snapshots) => Effect.flatMap(fixtureSnapshot, snapshots.import))
const replaceByFixture = Snapshots.use((snapshots) => Effect.flatMap(fixtureSnapshot, snapshots.replace))

/** A session and a code of the developer, both of which work, and a session of the admin, which never ends in these laws. */
const open = Effect.gen(function* () {
  const { token } = yield* createSession("developer")
  const { code } = yield* createCode("developer")
  const { token: admin } = yield* createSession("admin")
  yield* authenticate(token)
  return { token, code, admin }
})

type Opened = Effect.Success<typeof open>

/** Asserts that both of the developer's have ended, and that new ones work once the key does. */
const haveEnded = Effect.fnUntraced(function* ({ code, token }: Opened) {
  yield* hasEnded(token)
  yield* opensNothing(code)
})

const areMadeAgain = Effect.gen(function* () {
  const { code } = yield* createCode("developer")
  yield* authenticate((yield* exchange(code)).token)
  yield* authenticate((yield* createSession("developer")).token)
})

const encodeSnapshot = Schema.encodeEffect(Snapshot)

const exported = Effect.gen(function* () {
  const snapshots = yield* Snapshots
  return {
    plain: yield* encodeSnapshot(yield* snapshots.export),
    withSecrets: yield* encodeSnapshot(yield* snapshots.exportWithSecrets),
    organizations: yield* snapshots.organizations
  }
})

/**
 * The laws of what becomes of the console's sessions and codes when their key, its organization or the store changes, and of what shows
 * of them elsewhere. They set the `TestClock`, so the adapter must run in the process of the test. Contract:
 * docs/wire-contract.md#the-console.
 */
export const consoleKeysLaws = ({ layer, name }: LawsOptions<Ports>): void => {
  const law = lawOf(layer)

  describe(`${name}: laws of the keys of ConsoleSessions`, () => {
    law(
      "disabling a key ends its sessions and codes at once, and for good",
      Effect.gen(function* () {
        const opened = yield* open
        yield* update({ state: "disabled" })
        yield* haveEnded(opened)
        yield* failsWith(createSession("developer"), "Unauthorized")
        yield* failsWith(createCode("developer"), "Unauthorized")
        yield* update({ state: "enabled" })
        yield* haveEnded(opened)
        yield* areMadeAgain
        yield* authenticate(opened.admin)
      })
    )

    law(
      "a key that expires ends its sessions and codes at this instant, also if its expiry is moved later on",
      Effect.gen(function* () {
        const opened = yield* open
        yield* update({ expireAt: DateTime.makeUnsafe(start + minute) })
        yield* TestClock.setTime(start + minute - 1)
        yield* authenticate(opened.token)
        yield* TestClock.setTime(start + minute)
        yield* haveEnded(opened)
        yield* failsWith(createSession("developer"), "Unauthorized")
        yield* update({ expireAt: DateTime.makeUnsafe(start + 1000 * minute) })
        yield* haveEnded(opened)
        yield* areMadeAgain
      })
    )

    law(
      "an expiry that is moved before it comes ends nothing",
      Effect.gen(function* () {
        const { code, token } = yield* open
        yield* update({ expireAt: DateTime.makeUnsafe(start + minute) })
        yield* update({ expireAt: DateTime.makeUnsafe(start + 1000 * minute), name: "renamed" })
        yield* TestClock.setTime(start + 2 * minute)
        const principal = yield* authenticate(token)
        assert.strictEqual(principal._tag === "KeyPrincipal" ? principal.keyName : undefined, "renamed")
        yield* exchange(code)
      })
    )

    for (const [what, restored] of [
      ["deleting a key", Effect.andThen(remove, importFixture)],
      [
        "removing an organization",
        Effect.andThen(
          StoredServices.use((stored) => stored.removeOrganization(acme)),
          importFixture
        )
      ],
      ["replacing the store", replaceByFixture]
    ] as const) {
      law(
        `${what} ends its sessions and codes, also if a snapshot brings the key back`,
        Effect.gen(function* () {
          const opened = yield* open
          yield* restored
          yield* haveEnded(opened)
          yield* areMadeAgain
        })
      )
    }

    law(
      "a key that is deleted opens nothing",
      Effect.gen(function* () {
        const opened = yield* open
        yield* remove
        yield* haveEnded(opened)
        yield* failsWith(createSession("developer"), "Unauthorized")
        yield* failsWith(createCode("developer"), "Unauthorized")
        yield* authenticate(opened.admin)
      })
    )

    law(
      "of what is made while its key is disabled, nothing is left when it is enabled again",
      Effect.gen(function* () {
        const { code } = yield* createCode("developer")
        const session = Effect.result(createSession("developer"))
        const attempts = [session, session, session, Effect.result(exchange(code)), session, session, session]
        const [made] = yield* Effect.all(
          [
            Effect.all(attempts, { concurrency: "unbounded" }),
            Effect.andThen(Effect.yieldNow, update({ state: "disabled" }))
          ],
          { concurrency: "unbounded" }
        )
        yield* update({ state: "enabled" })
        for (const one of made) if (Result.isSuccess(one)) yield* hasEnded(one.success.token)
      })
    )

    law(
      "roles count as they are at the request",
      Effect.gen(function* () {
        const { code, token } = yield* open
        for (const roles of [["admin"], [], ["developer", "query_endpoints"]] as const) {
          yield* update({ roles })
          assert.deepInclude(yield* authenticate(token), { roles, isSession: true })
        }
        yield* update({ roles: [] })
        assert.deepStrictEqual((yield* exchange(code)).permissions, ["organization:read"])
      })
    )

    law(
      "the access list counts as it is at the request",
      Effect.gen(function* () {
        const { code, token } = yield* open
        yield* authenticateFrom(elsewhere, token)
        yield* update({ ipAccessList: [{ source: "192.0.2.0/24" }] })
        yield* failsWith(authenticateFrom(elsewhere, token), "Forbidden")
        yield* failsWith(authenticateFrom(undefined, token), "Forbidden")
        yield* failsWith(exchangeFrom(elsewhere, code), "Forbidden")
        yield* authenticateFrom(office, token)
        yield* update({ ipAccessList: [{ source: "192.0.3.0/24" }] })
        yield* failsWith(authenticateFrom(office, token), "Forbidden")
        yield* authenticateFrom(elsewhere, token)
        yield* exchangeFrom(elsewhere, code)
      })
    )

    law(
      "a request with a session is a use of its key, in the minute",
      Effect.gen(function* () {
        const { token } = yield* createSession("admin")
        const usedAt = ApiKeys.use((apiKeys) =>
          Effect.map(apiKeys.get({ organizationId: acme, keyId: keys.admin }), (key) => key.usedAt?.epochMilliseconds)
        )
        assert.isUndefined(yield* usedAt)
        for (const minutes of [0, 7]) {
          yield* TestClock.setTime(start + minutes * minute)
          yield* authenticate(token)
          assert.strictEqual(
            yield* usedAt,
            DateTime.makeUnsafe("2026-06-01T12:34:00Z").epochMilliseconds + minutes * minute
          )
        }
      })
    )

    law(
      "no snapshot and no summary of the store has one, nor its hash",
      Effect.gen(function* () {
        const before = yield* exported
        const { token } = yield* createSession("admin")
        const { code } = yield* createCode("admin")
        const after = yield* exported
        assert.deepStrictEqual(after, before)
        const text = JSON.stringify(after)
        for (const secret of [token, code].map(Redacted.value)) {
          assert.notInclude(text, secret)
          assert.notInclude(text, yield* Effect.provide(hashCredential(secret), Digest.layerWebCrypto))
        }
      })
    )
  })
}
