import { createHash } from "node:crypto"
import { afterEach, assert, describe, it, vi } from "vitest"
import { makeCredentials } from "../../src/pages/keys/credentials.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64")

afterEach(() => {
  vi.unstubAllGlobals()
})

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

  it("says where keys can be made, if the browser cannot hash", async () => {
    vi.stubGlobal("isSecureContext", false)
    let message = ""
    await makeCredentials().catch((error: Error) => (message = error.message))
    assert.match(message, /https/)
  })
})
