import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { randomText } from "../../src/access/CredentialHash.ts"
import { webCrypto } from "../webCrypto.ts"

/** A source whose bytes are 255, 254, ... 0, 255, ...: every byte as often as any other. */
const everyByte = Layer.sync(SecureRandom.SecureRandom, () => {
  let next = 255
  return SecureRandom.make((size) =>
    Uint8Array.from({ length: size }, () => {
      const byte = next
      next = (next + 255) % 256
      return byte
    })
  )
})

const countsOf = (text: string) => {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return counts
}

describe("randomText", () => {
  it.effect("has the length that was asked for, in base 62", () =>
    Effect.gen(function* () {
      for (const length of [0, 1, 20, 40, 1000]) {
        assert.match(yield* randomText(length), new RegExp(`^[0-9A-Za-z]{${length}}$`))
      }
    }).pipe(Effect.provide(webCrypto))
  )

  it.effect("gives each of the 62 characters the same share of the bytes", () =>
    Effect.gen(function* () {
      // Of each 256 bytes, 248 make 4 of each character and 8 are dropped: four rounds make 992 characters.
      const counts = countsOf(yield* randomText(992))
      assert.strictEqual(counts.size, 62)
      assert.deepStrictEqual(new Set(counts.values()), new Set([16]))
    }).pipe(Effect.provide(everyByte))
  )

  it.effect("uses the whole alphabet", () =>
    Effect.gen(function* () {
      assert.strictEqual(countsOf(yield* randomText(10_000)).size, 62)
    }).pipe(Effect.provide(webCrypto))
  )
})
