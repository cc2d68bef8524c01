import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { HashData } from "../../src/key/ApiKeyCreate.ts"
import { keySuffix, makeCredentials } from "../../src/key/makeApiKey.ts"
import { webCrypto } from "../webCrypto.ts"

const sha256 = (text: string) => createHash("sha256").update(text, "utf8").digest("base64")

describe("makeCredentials", () => {
  it.effect("makes a key ID of 20 characters and a secret of hgs_ and 40, in base 62", () =>
    Effect.gen(function* () {
      const { keyId, keySecret } = yield* makeCredentials
      assert.match(keyId, /^[0-9A-Za-z]{20}$/)
      assert.match(Redacted.value(keySecret), /^hgs_[0-9A-Za-z]{40}$/)
    }).pipe(Effect.provide(webCrypto))
  )

  it.effect("makes the hashData that a caller would send, with node:crypto's digests", () =>
    Effect.gen(function* () {
      const { hashData, keyId, keySecret } = yield* makeCredentials
      assert.deepStrictEqual(hashData, {
        keyIdHash: sha256(keyId),
        keyIdSuffix: keyId.slice(16),
        keySecretHash: sha256(Redacted.value(keySecret))
      })
      assert.deepStrictEqual(yield* Schema.decodeUnknownEffect(HashData)(hashData), hashData)
    }).pipe(Effect.provide(webCrypto))
  )

  it.effect("never makes the same twice", () =>
    Effect.gen(function* () {
      const issued = yield* Effect.replicateEffect(makeCredentials, 500)
      const texts = issued.flatMap(({ keyId, keySecret }) => [keyId, Redacted.value(keySecret)])
      assert.strictEqual(new Set(texts).size, 1000)
    }).pipe(Effect.provide(webCrypto))
  )
})

describe("keySuffix", () => {
  it("is the last 4 characters", () => {
    assert.strictEqual(keySuffix("AbCdEfGhIjKlMnOpXy9Z"), "Xy9Z")
    assert.strictEqual(keySuffix("9Z"), "9Z")
  })
})
