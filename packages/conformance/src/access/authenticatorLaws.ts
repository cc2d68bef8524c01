import { assert, describe, it } from "@effect/vitest"
import { Authenticator, type Credentials, hashCredential, type KeyCredentials } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Digest from "effect/crypto/Digest"
import * as TestClock from "effect/testing/TestClock"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureCredentials } from "../fixtures/credentials.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { failsWith } from "../internal/failsWith.ts"

const { keys, tokens } = fixtureCredentials
const { keys: keyIds, organizations, tokens: tokenIds } = fixtureIds

const office = "192.0.2.7"

const signIn = (credentials: Credentials, remoteAddress: string | undefined) =>
  Authenticator.use((authenticator) => authenticator.authenticate(credentials, remoteAddress))

const withSecret = (credentials: KeyCredentials, keySecret: string): KeyCredentials => ({
  ...credentials,
  keySecret: Redacted.make(keySecret)
})

const bearer = (token: string): Credentials => ({ _tag: "TokenCredentials", token: Redacted.make(token) })

const hashOf = (value: string) => Effect.provide(hashCredential(value), Digest.layerWebCrypto)

/** Credentials that are rejected, all with the same error. */
const rejected: ReadonlyArray<readonly [string, Credentials]> = [
  ["a wrong secret", withSecret(keys.admin, "hgs_fixture-admin-secret-0000000000000002")],
  ["another key's secret", { ...keys.admin, keySecret: keys.developer.keySecret }],
  ["an empty secret", withSecret(keys.admin, "")],
  ["a key ID in capitals", { ...keys.admin, keyId: keys.admin.keyId.toUpperCase() }],
  ["an unknown key", { ...keys.admin, keyId: "fixtureUnknownKeyI00" }],
  ["an empty key ID", { ...keys.admin, keyId: "" }],
  ["a disabled key", keys.disabled],
  ["an expired key", keys.expired],
  ["a wrong token", bearer("hgt_fixture-acme-token-00000000000000000002")],
  ["an empty token", bearer("")],
  ["a key secret as a token", { _tag: "TokenCredentials", token: keys.admin.keySecret }],
  ["a token as a key", { _tag: "KeyCredentials", keyId: "acme", keySecret: tokens.acme.token }]
]

const addresses: ReadonlyArray<readonly [string, string | undefined, "in" | "out"]> = [
  ["an IPv4 address in a block", "192.0.2.255", "in"],
  ["the single IPv4 address", "198.51.100.7", "in"],
  ["an IPv6 address in a block", "2001:db8:ffff::1", "in"],
  ["a mapped IPv4 address in an IPv4 block", "::ffff:192.0.2.1", "in"],
  ["an IPv4 address in a block that is written as mapped IPv6", "203.0.113.9", "in"],
  ["an IPv4 address next to a block", "192.0.3.0", "out"],
  ["an IPv4 address next to the single one", "198.51.100.8", "out"],
  ["an IPv6 address next to a block", "2001:db9::1", "out"],
  ["a mapped IPv4 address next to a block", "::ffff:192.0.3.0", "out"],
  ["a text that is not an address", "office", "out"],
  ["an unknown address", undefined, "out"]
]

/**
 * The laws of the `Authenticator` port. They set the `TestClock`, so the adapter must run in the process of the test.
 * Contract: docs/wire-contract.md#access.
 */
export const authenticatorLaws = ({ layer, name }: LawsOptions<Authenticator>): void => {
  const law = (title: string, body: Effect.Effect<void, unknown, Authenticator>) =>
    it.effect(title, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(DateTime.makeUnsafe("2026-06-01T00:00:00Z").epochMilliseconds)
        yield* Effect.provide(body, layer(yield* fixtureSnapshot, organizations.acme))
      })
    )

  describe(`${name}: laws of Authenticator`, () => {
    for (const [who, organizationId, roles] of [
      ["admin", organizations.acme, ["admin"]],
      ["developer", organizations.acme, ["developer"]],
      ["noRoles", organizations.acme, []],
      ["globex", organizations.globex, ["admin"]]
    ] as const) {
      law(
        `the key "${who}" authenticates as itself from any address, also from an unknown one`,
        Effect.gen(function* () {
          for (const address of [office, "2001:db8::1", undefined]) {
            assert.deepStrictEqual(yield* signIn(keys[who], address), {
              _tag: "KeyPrincipal",
              organizationId,
              keyId: keyIds[who],
              keyName: who,
              keySuffix: keys[who].keyId.slice(-4),
              roles,
              hasCustomRoles: false,
              isSession: false
            })
          }
        })
      )
    }

    for (const who of ["acme", "globex"] as const) {
      law(
        `the token of ${who} authenticates as ${who}`,
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* signIn(tokens[who], undefined), {
            _tag: "TokenPrincipal",
            organizationId: organizations[who],
            tokenId: tokenIds[who],
            grants: who === "acme" ? ["chart:query"] : []
          })
        })
      )
    }

    for (const [what, credentials] of rejected) {
      law(
        `${what} is Unauthorized`,
        Effect.gen(function* () {
          yield* failsWith(signIn(credentials, office), "Unauthorized")
        })
      )
    }

    law(
      "every rejection has the same message",
      Effect.gen(function* () {
        const messages = yield* Effect.forEach(rejected, ([, credentials]) =>
          Effect.map(failsWith(signIn(credentials, office), "Unauthorized"), (error) => error.message)
        )
        assert.strictEqual(new Set(messages).size, 1)
      })
    )

    law(
      "a stored hash is not accepted as a credential",
      Effect.gen(function* () {
        const { keyId, keySecret } = keys.admin
        const secretHash = yield* hashOf(Redacted.value(keySecret))
        const tokenHash = yield* hashOf(Redacted.value(tokens.acme.token))
        for (const credentials of [
          withSecret(keys.admin, secretHash),
          { ...keys.admin, keyId: yield* hashOf(keyId) },
          bearer(tokenHash)
        ]) {
          yield* failsWith(signIn(credentials, office), "Unauthorized")
        }
      })
    )

    law(
      "a key is accepted until the instant it expires",
      Effect.gen(function* () {
        const expiry = DateTime.makeUnsafe("2999-01-01T00:00:00Z").epochMilliseconds
        yield* TestClock.setTime(expiry - 1)
        yield* signIn(keys.expiring, office)
        yield* TestClock.setTime(expiry)
        yield* failsWith(signIn(keys.expiring, office), "Unauthorized")
      })
    )

    for (const [what, address, where] of addresses) {
      law(
        `a key with an access list ${where === "in" ? "is accepted" : "is Forbidden"} from ${what}`,
        Effect.gen(function* () {
          const outcome = yield* signIn(keys.listed, address).pipe(
            Effect.as("in"),
            Effect.catchTag("Forbidden", () => Effect.succeed("out"))
          )
          assert.strictEqual(outcome, where)
        })
      )
    }

    law(
      "a key with an empty access list is Forbidden from anywhere",
      Effect.gen(function* () {
        for (const address of [office, "2001:db8::1", "::1", undefined]) {
          yield* failsWith(signIn(keys.closed, address), "Forbidden")
        }
      })
    )

    law(
      "a wrong secret is Unauthorized also from an address outside the access list",
      Effect.gen(function* () {
        yield* failsWith(signIn(withSecret(keys.listed, "guess"), "192.0.3.0"), "Unauthorized")
      })
    )
  })
}
