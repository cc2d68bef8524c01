import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { hashCredential, sameHash } from "../../src/access/CredentialHash.ts"
import { makeToken } from "../../src/access/makeToken.ts"
import { organizationId } from "../ids.ts"
import { webCrypto } from "../webCrypto.ts"

const sha256 = (text: string) => createHash("sha256").update(text, "utf8").digest("base64")

describe("hashCredential", () => {
  it.effect("is base64(sha256(value)), by the published test vectors", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* hashCredential(""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
      assert.strictEqual(yield* hashCredential("abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
    }).pipe(Effect.provide(webCrypto))
  )

  it.effect.prop("is what node:crypto makes of any text", [Schema.String], ([text]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* hashCredential(text), sha256(text))
    }).pipe(Effect.provide(webCrypto))
  )
})

describe("sameHash", () => {
  it("holds for equal hashes only", () => {
    const hash = sha256("secret")
    assert.isTrue(sameHash(hash, sha256("secret")))
    assert.isFalse(sameHash(hash, sha256("Secret")))
    assert.isFalse(sameHash(hash, hash.slice(0, -1)))
    assert.isFalse(sameHash(hash, ""))
    assert.isFalse(sameHash("", hash))
    assert.isFalse(sameHash("a", "\u0161"))
    assert.isTrue(sameHash("\u0161", "\u0161"))
  })
})

describe("makeToken", () => {
  it.effect("makes a token of hgt_ and 40 characters in base 62, and the hash a store keeps", () =>
    Effect.gen(function* () {
      const { created, record } = yield* makeToken(organizationId, "ci")
      assert.match(Redacted.value(created.secret), /^hgt_[0-9A-Za-z]{40}$/)
      assert.deepStrictEqual(record, {
        organizationId,
        token: created.token,
        tokenHash: sha256(Redacted.value(created.secret)),
        grants: ["chart:query"]
      })
      assert.strictEqual(created.token.name, "ci")
      assert.deepStrictEqual(created.token.createdAt, yield* DateTime.now)
    }).pipe(Effect.provide(webCrypto))
  )

  it.effect("never makes the same twice", () =>
    Effect.gen(function* () {
      const issued = yield* Effect.replicateEffect(makeToken(organizationId, "ci"), 500)
      assert.strictEqual(new Set(issued.map(({ created }) => Redacted.value(created.secret))).size, 500)
      assert.strictEqual(new Set(issued.map(({ created }) => created.token.id)).size, 500)
    }).pipe(Effect.provide(webCrypto))
  )

  it.effect("requires a name", () =>
    Effect.gen(function* () {
      for (const name of ["", "x".repeat(256)]) {
        const error = yield* Effect.flip(makeToken(organizationId, name))
        assert.strictEqual(error._tag, "InvalidRequest")
        assert.include(error.message, "name: ")
      }
    }).pipe(Effect.provide(webCrypto))
  )
})
