import { assert, describe, it } from "vitest"
import { randomText } from "../../src/data/randomText.ts"

describe("randomText", () => {
  it("takes a character for each byte below 248", () => {
    assert.strictEqual(
      randomText(5, () => Uint8Array.of(0, 9, 10, 35, 61)),
      "09AZz"
    )
    assert.strictEqual(
      randomText(4, () => Uint8Array.of(36, 62, 247, 186)),
      "a0z0"
    )
  })

  it("drops the bytes that would make some characters more frequent, and asks for more", () => {
    let asked = 0
    const bytes = [Uint8Array.of(248, 255, 1), Uint8Array.of(250, 2), Uint8Array.of(3, 4)]
    assert.strictEqual(
      randomText(3, () => bytes[asked++] ?? new Uint8Array()),
      "123"
    )
    assert.strictEqual(asked, 3)
  })
})
