import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Digest from "effect/crypto/Digest"
import * as TestClock from "effect/testing/TestClock"
import type { Credentials } from "../../src/access/Authenticator.ts"
import { hashCredential } from "../../src/access/CredentialHash.ts"
import type { IpAccessListEntry } from "../../src/access/IpAccessList.ts"
import type { Token } from "../../src/access/Tokens.ts"
import { authenticate, type CredentialStore } from "../../src/key/authenticate.ts"
import type { TokenRecord } from "../../src/access/makeToken.ts"
import type { ApiKey } from "../../src/key/ApiKey.ts"
import { RoleId } from "../../src/id/role.ts"
import type { ApiKeyRecord } from "../../src/key/makeApiKey.ts"
import { apiKeyId, organizationId, tokenId } from "../ids.ts"
import { webCrypto } from "../webCrypto.ts"

const now = Date.UTC(2026, 0, 31, 12)
const keyId = "AbCdEfGhIjKlMnOpXy9Z"
const secret = "hgs_the-secret-of-the-key"
const token = "hgt_the-token"
const session = "hgs_the-session"
/** When the session ends. */
const sessionEnd = now + 1000
const inside = "192.0.2.7"
const outside = "203.0.113.9"

const withSecret = (keySecret: string, id = keyId): Credentials => ({
  _tag: "KeyCredentials",
  keyId: id,
  keySecret: Redacted.make(keySecret)
})
const withToken = (text: string): Credentials => ({ _tag: "TokenCredentials", token: Redacted.make(text) })

const withSession = (text: string): Credentials => ({ _tag: "SessionCredentials", token: Redacted.make(text) })

const grafana: Token = { id: tokenId, name: "grafana", createdAt: DateTime.makeUnsafe(now) }

/** A store of one key, the rest of which is as a test says, of one session of it, and of one token. */
const storeOf = Effect.fnUntraced(function* (key: Partial<ApiKey>, marks: Array<readonly [string, string]> = []) {
  const keyIdHash = yield* hashCredential(keyId)
  const keyRecord: ApiKeyRecord = {
    organizationId,
    key: { id: apiKeyId, name: "ci", keySuffix: "5cNy", ...key },
    keyIdHash,
    keySecretHash: yield* hashCredential(secret)
  }
  const tokenRecord: TokenRecord = {
    organizationId,
    token: grafana,
    tokenHash: yield* hashCredential(token),
    grants: ["chart:query"]
  }
  const sessionHash = yield* hashCredential(session)
  const held = { expiresAt: DateTime.makeUnsafe(sessionEnd), key: keyRecord }
  const store: CredentialStore = {
    findKey: (hash) => Effect.succeed(hash === keyIdHash ? keyRecord : undefined),
    findSession: (hash) => Effect.succeed(hash === sessionHash ? held : undefined),
    findToken: (hash) => Effect.succeed(hash === tokenRecord.tokenHash ? tokenRecord : undefined),
    markUsed: (id, usedAt) => Effect.sync(() => void marks.push([id, DateTime.formatIso(usedAt)]))
  }
  return store
})

/** The tag of what an attempt ends with. */
const outcome = Effect.fnUntraced(function* (key: Partial<ApiKey>, credentials: Credentials, address?: string) {
  return yield* authenticate(yield* storeOf(key), credentials, address).pipe(
    Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: ({ _tag }) => _tag })
  )
}, Effect.provide(webCrypto))

interface Case<K extends "state" | "expireAt"> {
  readonly is: string
  readonly key: Pick<ApiKey, K>
  readonly good: boolean
}

const states: ReadonlyArray<Case<"state">> = [
  { is: "enabled", key: { state: "enabled" }, good: true },
  { is: "of no state", key: {}, good: true },
  { is: "of null state", key: { state: null }, good: true },
  { is: "disabled", key: { state: "disabled" }, good: false }
]

const expiries: ReadonlyArray<Case<"expireAt">> = [
  { is: "never expires", key: {}, good: true },
  { is: "never expires (null)", key: { expireAt: null }, good: true },
  { is: "expires in a year", key: { expireAt: DateTime.makeUnsafe(Date.UTC(2027, 0, 31)) }, good: true },
  { is: "expires in a millisecond", key: { expireAt: DateTime.makeUnsafe(now + 1) }, good: true },
  { is: "expires now", key: { expireAt: DateTime.makeUnsafe(now) }, good: false },
  { is: "expired a millisecond ago", key: { expireAt: DateTime.makeUnsafe(now - 1) }, good: false },
  { is: "expired long ago", key: { expireAt: DateTime.makeUnsafe(0) }, good: false }
]

const office: ReadonlyArray<IpAccessListEntry> = [{ source: "192.0.2.0/24", description: "office" }]
const addresses: ReadonlyArray<{
  readonly is: string
  readonly list: ReadonlyArray<IpAccessListEntry> | null | undefined
  readonly from: string | undefined
  readonly good: boolean
}> = [
  { is: "no list", list: undefined, from: outside, good: true },
  { is: "no list, address unknown", list: undefined, from: undefined, good: true },
  { is: "null list", list: null, from: outside, good: true },
  { is: "inside the list", list: office, from: inside, good: true },
  { is: "inside the list, mapped", list: office, from: `::ffff:${inside}`, good: true },
  { is: "outside the list", list: office, from: outside, good: false },
  { is: "with a list, address unknown", list: office, from: undefined, good: false },
  { is: "empty list", list: [], from: inside, good: false }
]

const secrets = [
  { is: "right", text: secret, good: true },
  { is: "wrong", text: "hgs_the-secret-of-the-kez", good: false },
  { is: "empty", text: "", good: false },
  { is: "a prefix", text: secret.slice(0, -1), good: false }
]

describe("authenticate with a key", () => {
  describe.each(states)("that is $is", (state) => {
    describe.each(expiries)("and $is", (expiry) => {
      it.effect("checks secret, state and expiry before the address", () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(now)
          for (const address of addresses) {
            for (const attempt of secrets) {
              const key = {
                ...state.key,
                ...expiry.key,
                ...(address.list === undefined ? {} : { ipAccessList: address.list })
              }
              const good = attempt.good && state.good && expiry.good
              const expected = good ? (address.good ? "KeyPrincipal" : "Forbidden") : "Unauthorized"
              const found = yield* outcome(key, withSecret(attempt.text), address.from)
              assert.strictEqual(found, expected, `${attempt.is} secret, ${address.is}`)
            }
          }
        })
      )
    })
  })

  it.effect("returns the owner of the key and its roles", () =>
    Effect.gen(function* () {
      const store = yield* storeOf({ roles: ["developer"] })
      assert.deepStrictEqual(yield* authenticate(store, withSecret(secret), inside), {
        _tag: "KeyPrincipal",
        organizationId,
        keyId: apiKeyId,
        keyName: "ci",
        keySuffix: "5cNy",
        roles: ["developer"],
        hasCustomRoles: false,
        isSession: false
      })
      for (const roles of [{}, { roles: null }]) {
        const principal = yield* authenticate(yield* storeOf(roles), withSecret(secret), inside)
        assert.deepInclude(principal, { roles: [], hasCustomRoles: false })
      }
      const role = RoleId.make("1f0a2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b")
      const assignedRoles = [{ roleId: role, roleName: "auditor", roleType: "custom" }]
      const principal = yield* authenticate(yield* storeOf({ roles: [], assignedRoles }), withSecret(secret), inside)
      assert.deepInclude(principal, { roles: [], hasCustomRoles: true })
    }).pipe(Effect.provide(webCrypto))
  )

  it.effect("rejects the key from the instant it expires", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const key = { expireAt: DateTime.makeUnsafe(now + 60_000) }
      yield* TestClock.adjust(59_999)
      assert.strictEqual(yield* outcome(key, withSecret(secret)), "KeyPrincipal")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* outcome(key, withSecret(secret)), "Unauthorized")
    })
  )

  it.effect("fails in the same way for an unknown key, a wrong secret, a disabled and an expired key", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const attempts: ReadonlyArray<readonly [Partial<ApiKey>, Credentials]> = [
        [{}, withSecret(secret, "unknown")],
        [{}, withSecret(secret, "")],
        [{}, withSecret("wrong")],
        [{ state: "disabled" }, withSecret(secret)],
        [{ expireAt: DateTime.makeUnsafe(0) }, withSecret(secret)],
        [{}, withToken("wrong")]
      ]
      const messages = yield* Effect.forEach(attempts, ([key, credentials]) =>
        Effect.flatMap(storeOf(key), (store) => Effect.flip(authenticate(store, credentials, inside)))
      )
      assert.strictEqual(new Set(messages.map((error) => JSON.stringify(error))).size, 1)
    }).pipe(Effect.provide(webCrypto))
  )

  it.effect("does as much hashing for an unknown key as for a wrong secret", () =>
    Effect.gen(function* () {
      const store = yield* storeOf({}).pipe(Effect.provide(webCrypto))
      const digests = (credentials: Credentials) =>
        Effect.gen(function* () {
          let count = 0
          const counting = Layer.effect(
            Digest.Digest,
            Digest.Digest.use((real) =>
              Effect.succeed({
                ...real,
                digest: (algorithm, data) => {
                  count += 1
                  return real.digest(algorithm, data)
                }
              })
            )
          ).pipe(Layer.provide(Digest.layerWebCrypto))
          yield* Effect.flip(authenticate(store, credentials, inside)).pipe(Effect.provide(counting))
          return count
        })
      assert.strictEqual(yield* digests(withSecret("wrong")), 2)
      assert.strictEqual(yield* digests(withSecret("wrong", "unknown")), 2)
    })
  )

  it.effect("does not accept the placeholder for an unknown key's secret for the secret", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* outcome({}, withSecret("A".repeat(44), "unknown")), "Unauthorized")
    })
  )
})

describe("authenticate with a session of the console", () => {
  describe.each(states)("of a key that is $is", (state) => {
    describe.each(expiries)("and $is", (expiry) => {
      it.effect("checks the state and the expiry of the key, then the address", () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(now)
          for (const address of addresses) {
            const list = address.list === undefined ? {} : { ipAccessList: address.list }
            const usable = state.good && expiry.good
            const expected = usable ? (address.good ? "KeyPrincipal" : "Forbidden") : "Unauthorized"
            const key = { ...state.key, ...expiry.key, ...list }
            assert.strictEqual(yield* outcome(key, withSession(session), address.from), expected, address.is)
            assert.strictEqual(yield* outcome(key, withSession("hgs_another"), address.from), "Unauthorized")
          }
        })
      )
    })
  })

  it.effect("returns its key with the roles of now, as a session", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const principal = yield* authenticate(yield* storeOf({ roles: ["developer"] }), withSession(session), inside)
      assert.deepStrictEqual(principal, {
        _tag: "KeyPrincipal",
        organizationId,
        keyId: apiKeyId,
        keyName: "ci",
        keySuffix: "5cNy",
        roles: ["developer"],
        hasCustomRoles: false,
        isSession: true
      })
    }).pipe(Effect.provide(webCrypto))
  )

  it.effect("rejects the session from the instant it ends, and as every wrong credential", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(sessionEnd - 1)
      assert.strictEqual(yield* outcome({}, withSession(session)), "KeyPrincipal")
      yield* TestClock.setTime(sessionEnd)
      const store = yield* storeOf({})
      const ended = yield* Effect.flip(authenticate(store, withSession(session), inside))
      const wrong = yield* Effect.flip(authenticate(store, withToken("wrong"), inside))
      assert.deepStrictEqual(ended, wrong)
    }).pipe(Effect.provide(webCrypto))
  )

  it.effect("is no token, no key ID and no key secret, and these are no session", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      for (const credentials of [
        withToken(session),
        withSecret(session),
        withSession(token),
        withSession(secret),
        withSession(keyId),
        withSession("")
      ]) {
        assert.strictEqual(yield* outcome({}, credentials, inside), "Unauthorized")
      }
    })
  )
})

describe("authenticate with a bearer token", () => {
  it.effect("returns the owner of the token, from any address", () =>
    Effect.gen(function* () {
      const store = yield* storeOf({})
      for (const address of [inside, outside, undefined]) {
        assert.deepStrictEqual(yield* authenticate(store, withToken(token), address), {
          _tag: "TokenPrincipal",
          organizationId,
          tokenId,
          grants: ["chart:query"]
        })
      }
    }).pipe(Effect.provide(webCrypto))
  )

  it.effect("rejects any other", () =>
    Effect.gen(function* () {
      for (const text of ["", "hgt_the-tokeN", secret, keyId]) {
        assert.strictEqual(yield* outcome({}, withToken(text)), "Unauthorized")
      }
    })
  )

  it.effect("rejects a token if the store returns another one", () =>
    Effect.gen(function* () {
      const careless: CredentialStore = {
        findKey: () => Effect.succeed(undefined),
        findSession: () => Effect.undefined,
        findToken: () => Effect.succeed({ organizationId, token: grafana, tokenHash: "", grants: [] }),
        markUsed: () => Effect.void
      }
      const error = yield* Effect.flip(authenticate(careless, withToken(token), inside))
      assert.strictEqual(error._tag, "Unauthorized")
    }).pipe(Effect.provide(webCrypto))
  )
})

describe("the last use of a key", () => {
  const minute = "2026-01-31T12:00:00.000Z"

  /** What a key that was last used then is marked with, by a login with this secret at 12:00:42. */
  const marksOf = Effect.fnUntraced(function* (usedAt: string | null | undefined, keySecret: string, address = inside) {
    const marks: Array<readonly [string, string]> = []
    const used = usedAt === undefined ? {} : { usedAt: usedAt === null ? null : DateTime.makeUnsafe(usedAt) }
    const store = yield* storeOf({ ...used, ipAccessList: [{ source: inside }] }, marks)
    yield* TestClock.setTime(now + 42_000)
    yield* Effect.ignore(authenticate(store, withSecret(keySecret), address))
    return marks
  }, Effect.provide(webCrypto))

  it.effect("is the minute, once a minute", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* marksOf(undefined, secret), [[apiKeyId, minute]])
      assert.deepStrictEqual(yield* marksOf(null, secret), [[apiKeyId, minute]])
      assert.deepStrictEqual(yield* marksOf("2026-01-31T11:59:00Z", secret), [[apiKeyId, minute]])
      assert.deepStrictEqual(yield* marksOf(minute, secret), [])
    })
  )

  it.effect("is that of its sessions, too", () =>
    Effect.gen(function* () {
      const marks: Array<readonly [string, string]> = []
      yield* TestClock.setTime(now)
      yield* authenticate(yield* storeOf({}, marks), withSession(session), inside)
      yield* Effect.ignore(authenticate(yield* storeOf({ ipAccessList: [] }, marks), withSession(session), inside))
      assert.deepStrictEqual(marks, [[apiKeyId, minute]])
    }).pipe(Effect.provide(webCrypto))
  )

  it.effect("does not change on a failed login or from outside the access list", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* marksOf(undefined, "wrong"), [])
      assert.deepStrictEqual(yield* marksOf(undefined, secret, outside), [])
    })
  )
})
