import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { createHash } from "node:crypto"
import { CallingKey } from "../../src/access/CallingKey.ts"
import { ApiKeyId } from "../../src/id/key.ts"
import type { ApiKey } from "../../src/key/ApiKey.ts"
import { type ConsoleRecord, consoleRules } from "../../src/key/consoleRules.ts"
import type { ApiKeyRecord } from "../../src/key/makeApiKey.ts"
import { apiKeyId, organizationId, otherOrganizationId } from "../ids.ts"
import { webCrypto } from "../webCrypto.ts"

const now = Date.UTC(2026, 0, 31, 12)
const minute = 60_000
const at = DateTime.makeUnsafe
const otherKeyId = ApiKeyId.make("d0000000-0000-4000-8000-000000000002")

const recordOf = (key: Partial<ApiKey>): ApiKeyRecord => ({
  organizationId,
  key: { id: apiKeyId, name: "ci", ...key },
  keyIdHash: "id",
  keySecretHash: "secret"
})

const outcome = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.match(effect, { onFailure: ({ _tag }) => _tag, onSuccess: () => "good" })

const usable: ReadonlyArray<readonly [string, Partial<ApiKey>, boolean]> = [
  ["is enabled", { state: "enabled" }, true],
  ["has no state", {}, true],
  ["is disabled", { state: "disabled" }, false],
  ["expires in a millisecond", { expireAt: at(now + 1) }, true],
  ["expires now", { expireAt: at(now) }, false],
  ["has expired", { expireAt: at(now - 1) }, false],
  ["is disabled and expires later", { state: "disabled", expireAt: at(now + 1) }, false]
]

describe("consoleRules.make", () => {
  it.effect.each([
    ["session", /^hgs_[0-9A-Za-z]{40}$/, 8 * 60 * minute],
    ["code", /^hgc_[0-9A-Za-z]{40}$/, 5 * minute]
  ] as const)("a %s is of 238 random bits, hidden, and ends by the clock", ([kind, shape, lifetime]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { record, secret } = yield* consoleRules.make(kind, apiKeyId)
      const text = Redacted.value(secret)
      assert.match(text, shape)
      const hash = createHash("sha256").update(text).digest("base64")
      assert.deepStrictEqual(record, { hash, keyId: apiKeyId, expiresAt: at(now + lifetime) })
      assert.notInclude(`${secret}`, text)
      const other = yield* consoleRules.make(kind, apiKeyId)
      assert.notStrictEqual(Redacted.value(other.secret), text)
    }).pipe(Effect.provide(webCrypto))
  )

  it.effect("a session says what its key may do now, and that it opens no other; a code says when it ends", () =>
    Effect.gen(function* () {
      const made = yield* consoleRules.make("session", apiKeyId)
      const session = consoleRules.sessionOf(made, recordOf({ roles: ["query_endpoints"] }))
      assert.deepStrictEqual(session, {
        organizationId,
        token: made.secret,
        expiresAt: made.record.expiresAt,
        permissions: ["organization:read"]
      })
      const { permissions } = consoleRules.sessionOf(made, recordOf({ roles: ["admin"] }))
      assert.include(permissions, "pipe:delete")
      assert.notInclude(permissions, "console:open")
      assert.deepStrictEqual(consoleRules.codeOf(made), { code: made.secret, expiresAt: made.record.expiresAt })
    }).pipe(Effect.provide(webCrypto))
  )
})

describe("the key of a session", () => {
  it.effect("is that of the call, and a call without one is Unauthorized", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* outcome(consoleRules.callingKey), "Unauthorized")
      const keyId = yield* Effect.provideService(consoleRules.callingKey, CallingKey, otherKeyId)
      assert.strictEqual(keyId, otherKeyId)
    })
  )

  it.effect.each(usable)("one that %s", ([, key, good]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const expected = good ? "good" : "Unauthorized"
      assert.strictEqual(yield* outcome(consoleRules.requireKey(recordOf(key), organizationId)), expected)
    })
  )

  it.effect("is in the organization, and there", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* outcome(consoleRules.requireKey(recordOf({}), otherOrganizationId)), "Unauthorized")
      assert.strictEqual(yield* outcome(consoleRules.requireKey(undefined, organizationId)), "Unauthorized")
    })
  )
})

describe("a code", () => {
  const open = (key: Partial<ApiKey>, expiresAt: number, address?: string) =>
    outcome(consoleRules.requireCode({ expiresAt: at(expiresAt), key: recordOf(key) }, address))

  it.effect.each(usable)("of a key that %s", ([, key, good]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      assert.strictEqual(yield* open(key, now + 1), good ? "good" : "Unauthorized")
    })
  )

  it.effect("is refused from the instant it ends, and one that is unknown", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      assert.strictEqual(yield* open({}, now + 1), "good")
      assert.strictEqual(yield* open({}, now), "Unauthorized")
      assert.strictEqual(yield* outcome(consoleRules.requireCode(undefined, undefined)), "Unauthorized")
    })
  )

  it.effect("is Forbidden from an address outside the key's list, if it is good", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const ipAccessList = [{ source: "192.0.2.0/24" }]
      assert.strictEqual(yield* open({ ipAccessList }, now + 1, "192.0.2.7"), "good")
      for (const address of ["203.0.113.9", undefined]) {
        assert.strictEqual(yield* open({ ipAccessList }, now + 1, address), "Forbidden")
        assert.strictEqual(yield* open({ ipAccessList }, now, address), "Unauthorized")
        assert.strictEqual(yield* open({ ipAccessList, state: "disabled" }, now + 1, address), "Unauthorized")
      }
    })
  )
})

describe("what ends when one is made", () => {
  const record = (hash: string, keyId = apiKeyId, expiresAt = now + 1): ConsoleRecord => ({
    hash,
    keyId,
    expiresAt: at(expiresAt)
  })
  const several = (count: number, keyId = apiKeyId) =>
    Array.from({ length: count }, (_, index) => record(`${keyId} ${index + 1}`, keyId))
  const made = record("made")

  it.each([
    ["session", 20],
    ["code", 5]
  ] as const)("the oldest %s above %d of its key", (kind, most) => {
    assert.strictEqual(consoleRules.most(kind), most)
    const others = several(most + 5, otherKeyId)
    for (const held of [0, 1, most - 1]) {
      assert.deepStrictEqual(consoleRules.endedBy(kind, [...others, ...several(held), made], made, now), [])
    }
    const ended = (held: number) => consoleRules.endedBy(kind, [...several(held), ...others, made], made, now)
    assert.deepStrictEqual(ended(most), [`${apiKeyId} 1`])
    assert.deepStrictEqual(ended(most + 1), [`${apiKeyId} 1`, `${apiKeyId} 2`])
  })

  it("all that have expired, of every key, which do not count", () => {
    const expired = [record("a", apiKeyId, now), record("b", otherKeyId, now - 1)]
    const held = [...expired, record("c", otherKeyId), ...several(4), made]
    assert.deepStrictEqual(consoleRules.endedBy("code", held, made, now), ["a", "b"])
  })
})

describe("a change to a key ends its sessions", () => {
  const later = at(now + minute)
  const cases: ReadonlyArray<readonly [string, Partial<ApiKey>, Partial<ApiKey>, boolean]> = [
    ["renames it", {}, { name: "x" }, false],
    ["takes a role from it", { roles: ["admin"] }, { roles: [] }, false],
    ["narrows its access list", {}, { ipAccessList: [] }, false],
    ["gives it an expiry", {}, { expireAt: later }, false],
    ["disables it", { state: "enabled" }, { state: "disabled" }, true],
    ["enables it", { state: "disabled" }, { state: "enabled" }, true],
    ["renames it while it is disabled", { state: "disabled" }, { state: "disabled", name: "x" }, true],
    ["moves an expiry that is past", { expireAt: at(now) }, { expireAt: later }, true],
    ["moves an expiry that is to come", { expireAt: at(now + 1) }, { expireAt: later }, false]
  ]
  it.each(cases)("if it %s", (_, before, after, ends) => {
    const key = recordOf(before).key
    assert.strictEqual(consoleRules.areEnded(key, { ...key, ...after }, now), ends)
  })
})
