import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"

// Base 62, so that a credential survives every shell, URL and double click.
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** `length` characters of `[0-9A-Za-z]` from a secure source, each about 5.95 bits. */
export const randomText = Effect.fnUntraced(function* (length: number) {
  const random = yield* SecureRandom
  const codes: Array<number> = []
  while (codes.length < length) {
    // A quarter more than is asked for: one byte in 32 is of no use, and a second draw costs as much as the first.
    const bytes = yield* random.randomBytes(Math.ceil(length * 1.25))
    for (const byte of bytes) {
      // 248 is the largest multiple of 62 in a byte: what lies above would favour the first characters.
      if (byte < 248 && codes.length < length) codes.push(alphabet.charCodeAt(byte % 62))
    }
  }
  return String.fromCharCode(...codes)
})
