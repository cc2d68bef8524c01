import { assert, describe, it } from "@effect/vitest"
import { type ApiKeyCreate, ApiKeys, type CreatedApiKey } from "@headgate/core"
import { Authenticator, type KeyCredentials } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { failsWith } from "../internal/failsWith.ts"
import { hashDataOf } from "../internal/requests.ts"
import { apiKeyUseLaws } from "./apiKeyUseLaws.ts"

const { acme } = fixtureIds.organizations

const create = (request: ApiKeyCreate) => ApiKeys.use((keys) => keys.create({ organizationId: acme }, request))

const credentialsOf = ({ keyId, keySecret }: CreatedApiKey): KeyCredentials => ({
  _tag: "KeyCredentials",
  keyId: keyId ?? "",
  keySecret: keySecret ?? Redacted.make("")
})

const callersOwn = (keyId: string, keySecret: string): KeyCredentials => ({
  _tag: "KeyCredentials",
  keyId,
  keySecret: Redacted.make(keySecret)
})

const signIn = (credentials: KeyCredentials, remoteAddress: string | undefined = "192.0.2.7") =>
  Authenticator.use((authenticator) => authenticator.authenticate(credentials, remoteAddress))

/**
 * The laws of `ApiKeys` and `Authenticator` together: authentication with a key that was created or changed, `usedAt`,
 * and versions. They set the `TestClock`, so both ports must run in the process of the test. Contract:
 * docs/wire-contract.md#create-an-api-key and docs/wire-contract.md#access.
 */
export const apiKeyCredentialsLaws = ({ layer, name }: LawsOptions<ApiKeys | Authenticator>): void => {
  const law = (title: string, body: Effect.Effect<void, unknown, ApiKeys | Authenticator>) =>
    it.effect(title, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(DateTime.makeUnsafe("2026-01-01T00:00:00Z").epochMilliseconds)
        yield* Effect.provide(body, layer(yield* fixtureSnapshot, acme))
      })
    )

  apiKeyUseLaws({ layer, name })

  describe(`${name}: laws of created API keys`, () => {
    law(
      "a created key authenticates at once as itself",
      Effect.gen(function* () {
        const created = yield* create({ name: "ci", roles: ["developer", "query_endpoints"] })
        assert.deepStrictEqual(yield* signIn(credentialsOf(created)), {
          _tag: "KeyPrincipal",
          organizationId: acme,
          keyId: created.key.id,
          keyName: "ci",
          keySuffix: (created.keyId ?? "").slice(-4),
          roles: ["developer", "query_endpoints"],
          hasCustomRoles: false,
          isSession: false
        })
      })
    )

    law(
      "a key created without roles authenticates without roles",
      Effect.gen(function* () {
        const principal = yield* signIn(credentialsOf(yield* create({ name: "no rights" })))
        assert.deepStrictEqual(principal._tag === "KeyPrincipal" ? principal.roles : undefined, [])
      })
    )

    law(
      "credentials that the caller made are accepted",
      Effect.gen(function* () {
        const hashData = yield* hashDataOf("callersOwnKeyId-0001", "the caller's own secret")
        const { key } = yield* create({ name: "own", roles: ["admin"], hashData })
        const principal = yield* signIn(callersOwn("callersOwnKeyId-0001", "the caller's own secret"))
        assert.strictEqual(principal._tag === "KeyPrincipal" ? principal.keyId : undefined, key.id)
      })
    )

    law(
      "a request with a key ID that exists does not change the first key",
      Effect.gen(function* () {
        const first = yield* hashDataOf("callersOwnKeyId-0001", "first secret")
        const second = yield* hashDataOf("callersOwnKeyId-0001", "second secret")
        yield* create({ name: "first", hashData: first })
        yield* failsWith(create({ name: "second", hashData: second }), "Conflict")
        yield* signIn(callersOwn("callersOwnKeyId-0001", "first secret"))
        yield* failsWith(signIn(callersOwn("callersOwnKeyId-0001", "second secret")), "Unauthorized")
      })
    )

    law(
      "a key created disabled is rejected",
      Effect.gen(function* () {
        const created = yield* create({ name: "off", state: "disabled" })
        yield* failsWith(signIn(credentialsOf(created)), "Unauthorized")
      })
    )

    law(
      "a key is accepted until the instant it expires",
      Effect.gen(function* () {
        const expireAt = DateTime.makeUnsafe("2026-01-01T01:00:00Z")
        const credentials = credentialsOf(yield* create({ name: "an hour", expireAt }))
        yield* TestClock.setTime(expireAt.epochMilliseconds - 1)
        yield* signIn(credentials)
        yield* TestClock.setTime(expireAt.epochMilliseconds)
        yield* failsWith(signIn(credentials), "Unauthorized")
      })
    )

    law(
      "a key without expireAt is accepted a century later",
      Effect.gen(function* () {
        const credentials = credentialsOf(yield* create({ name: "for ever" }))
        yield* TestClock.setTime(DateTime.makeUnsafe("2126-01-01T00:00:00Z").epochMilliseconds)
        yield* signIn(credentials)
      })
    )

    law(
      "expireAt equal to the current time is an InvalidRequest",
      Effect.gen(function* () {
        yield* failsWith(
          create({ name: "late", expireAt: DateTime.makeUnsafe("2026-01-01T00:00:00Z") }),
          "InvalidRequest"
        )
      })
    )

    law(
      "createdAt is the time of the clock",
      Effect.gen(function* () {
        const { key } = yield* create({ name: "now" })
        assert.strictEqual(
          key.createdAt?.epochMilliseconds,
          DateTime.makeUnsafe("2026-01-01T00:00:00Z").epochMilliseconds
        )
      })
    )

    law(
      "the access list of the request is enforced",
      Effect.gen(function* () {
        const listed = credentialsOf(yield* create({ name: "listed", ipAccessList: [{ source: "192.0.2.0/24" }] }))
        yield* signIn(listed, "192.0.2.200")
        yield* failsWith(signIn(listed, "192.0.3.1"), "Forbidden")
        const closed = credentialsOf(yield* create({ name: "closed", ipAccessList: [] }))
        yield* failsWith(signIn(closed, "192.0.2.200"), "Forbidden")
      })
    )

    law(
      "no key is lost when many are created concurrently",
      Effect.gen(function* () {
        const created = yield* Effect.forEach(Array.from({ length: 50 }), (_, n) => create({ name: `key ${n}` }), {
          concurrency: "unbounded"
        })
        const principals = yield* Effect.forEach(created, (each) => signIn(credentialsOf(each)))
        assert.deepStrictEqual(
          principals.map((principal) => (principal._tag === "KeyPrincipal" ? principal.keyId : undefined)),
          created.map(({ key }) => key.id)
        )
      })
    )
  })
}
