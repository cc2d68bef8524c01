import { createHash } from "node:crypto"
import { assert, describe, it } from "vitest"
import { makeCredentials, textOf } from "../../src/pages/keys/credentials.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64")

describe("makeCredentials", () => {
  it("sends hashes of what it shows, as the service computes them", async () => {
    const { hashData, keyId, keySecret } = await makeCredentials()
    assert.match(keyId, /^[0-9A-Za-z]{20}$/)
    assert.match(keySecret, /^hgs_[0-9A-Za-z]{40}$/)
    assert.deepStrictEqual(hashData, {
      keyIdHash: sha256(keyId),
      keyIdSuffix: keyId.slice(16),
      keySecretHash: sha256(keySecret)
    })
  })

  it("makes others each time", async () => {
    const made = await Promise.all(Array.from({ length: 50 }, makeCredentials))
    assert.strictEqual(new Set(made.flatMap(({ keyId, keySecret }) => [keyId, keySecret])).size, 100)
  })
})

describe("textOf", () => {
  it("takes a character for each byte below 248", () => {
    assert.strictEqual(
      textOf(5, () => Uint8Array.of(0, 9, 10, 35, 61)),
      "09AZz"
    )
    assert.strictEqual(
      textOf(4, () => Uint8Array.of(36, 62, 247, 186)),
      "a0z0"
    )
  })

  it("drops the bytes that would make some characters more frequent, and asks for more", () => {
    let asked = 0
    const bytes = [Uint8Array.of(248, 255, 1), Uint8Array.of(250, 2), Uint8Array.of(3, 4)]
    assert.strictEqual(
      textOf(3, () => bytes[asked++] ?? new Uint8Array()),
      "123"
    )
    assert.strictEqual(asked, 3)
  })
})
