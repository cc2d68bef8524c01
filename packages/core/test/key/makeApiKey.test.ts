import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { createHash } from "node:crypto"
import { CreatedApiKey } from "../../src/key/ApiKey.ts"
import { ApiKeyCreate } from "../../src/key/ApiKeyCreate.ts"
import { ApiKeyRecord, duplicateKeyId, makeApiKey } from "../../src/key/makeApiKey.ts"
import { organizationId } from "../ids.ts"
import { webCrypto } from "../webCrypto.ts"

const now = Date.UTC(2026, 0, 31, 12)
const sha256 = (text: string) => createHash("sha256").update(text, "utf8").digest("base64")

const issue = Effect.fnUntraced(function* (request: object) {
  return yield* makeApiKey(organizationId, yield* Schema.decodeUnknownEffect(ApiKeyCreate)(request))
}, Effect.provide(webCrypto))

describe("makeApiKey", () => {
  it.effect("makes an enabled key that never expires from a name alone", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { created, record } = yield* issue({ name: "ci" })
      const { id, ...key } = created.key
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.deepStrictEqual<unknown>(key, {
        name: "ci",
        state: "enabled",
        roles: [],
        assignedRoles: [],
        keySuffix: created.keyId?.slice(-4),
        createdAt: DateTime.makeUnsafe(now)
      })
      assert.strictEqual(record.organizationId, organizationId)
      assert.deepStrictEqual(record.key, created.key)
    })
  )

  it.effect("stores the hashes of the credentials that it returns", () =>
    Effect.gen(function* () {
      const { created, record } = yield* issue({ name: "ci" })
      assert.isTrue(Redacted.isRedacted(created.keySecret))
      assert.strictEqual(record.keyIdHash, sha256(created.keyId ?? ""))
      assert.strictEqual(
        record.keySecretHash,
        sha256(created.keySecret === undefined ? "" : Redacted.value(created.keySecret))
      )
      const stored = yield* Schema.encodeEffect(ApiKeyRecord)(record)
      assert.sameMembers(Object.keys(stored), ["organizationId", "key", "keyIdHash", "keySecretHash"])
    })
  )

  it.effect("keeps state, roles, expiry and access list", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const request = {
        name: "ci",
        state: "disabled",
        roles: ["developer", "query_endpoints"],
        expireAt: "2027-01-02T03:04:05Z",
        ipAccessList: [{ source: "192.0.2.0/24", description: "office" }]
      }
      const { created } = yield* issue(request)
      const { key } = yield* Schema.encodeEffect(CreatedApiKey)(created)
      assert.deepInclude<object>(key, { ...request, createdAt: "2026-01-31T12:00:00.000Z" })
    })
  )

  it.effect("keeps an empty access list, which allows no address", () =>
    Effect.gen(function* () {
      const { created } = yield* issue({ name: "ci", ipAccessList: [] })
      assert.deepStrictEqual(created.key.ipAccessList, [])
    })
  )

  it.effect("refuses unknown fields of the request", () =>
    Effect.gen(function* () {
      const request = { name: "ci", ipAcessList: [], keySecret: "mine" }
      const error = yield* Effect.flip(Effect.provide(makeApiKey(organizationId, request), webCrypto))
      assert.strictEqual(
        error.message,
        "ipAcessList: Unknown field: did you mean ipAccessList?; keySecret: Unknown field"
      )
    })
  )

  it.effect.each([{ expireAt: null }, { expireAt: "" }, {}])("never expires with %o", (expiry) =>
    Effect.gen(function* () {
      const { created } = yield* issue({ name: "ci", ...expiry })
      assert.notProperty(created.key, "expireAt")
    })
  )

  it.effect("rejects an expiry that is not in the future, and names the field", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      for (const expireAt of ["2020-01-01T00:00:00Z", "2026-01-31T11:59:59.999Z", "2026-01-31T12:00:00Z"]) {
        const error = yield* Effect.flip(issue({ name: "ci", expireAt }))
        assert.strictEqual(error._tag, "InvalidRequest")
        assert.deepInclude(error, { issues: [{ path: "expireAt", message: "Expected a time in the future" }] })
        assert.strictEqual(error.message, "expireAt: Expected a time in the future")
      }
      yield* issue({ name: "ci", expireAt: "2026-01-31T12:00:00.001Z" })
    })
  )

  it.effect("returns no credentials if the caller made them, and stores their hashes", () =>
    Effect.gen(function* () {
      const hashData = { keyIdHash: sha256("my key ID Xy9Z"), keyIdSuffix: "Xy9Z", keySecretHash: sha256("my secret") }
      const { created, record } = yield* issue({ name: "ci", hashData })
      assert.sameMembers(Object.keys(yield* Schema.encodeEffect(CreatedApiKey)(created)), ["key"])
      assert.strictEqual(created.key.keySuffix, "Xy9Z")
      assert.strictEqual(record.keyIdHash, hashData.keyIdHash)
      assert.strictEqual(record.keySecretHash, hashData.keySecretHash)
    })
  )

  it.effect("makes the credentials itself when hashData is null", () =>
    Effect.gen(function* () {
      const { created } = yield* issue({ name: "ci", hashData: null })
      assert.isString(created.keyId)
    })
  )
})

describe("the error of a store that holds the key ID", () => {
  it("is a conflict that says what to do", () => {
    assert.strictEqual(duplicateKeyId()._tag, "Conflict")
    assert.include(duplicateKeyId().message, "hashData.keyIdHash")
  })
})
