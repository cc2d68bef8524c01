import { randomFillSync } from "node:crypto"

// The bytes of 256 of them, drawn at once. No id is a secret.
const drawn = new Uint8Array(16 * 256)
let next = drawn.length

const digits = Buffer.from("0123456789abcdef", "latin1")
const text = Buffer.from("00000000-0000-0000-0000-000000000000", "latin1")
// Where the two digits of each byte stand.
const places = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]

/**
 * A fresh UUID v4, in one piece. Node's own is put together of twenty, which are kept until somebody reads it: a store
 * of many ids takes three times as long with them.
 */
export const uuidV4 = (): string => {
  if (next === drawn.length) {
    randomFillSync(drawn)
    next = 0
  }
  // The version, and the variant of RFC 9562.
  drawn[next + 6] = (drawn[next + 6]! & 0x0f) | 0x40
  drawn[next + 8] = (drawn[next + 8]! & 0x3f) | 0x80
  for (const place of places) {
    const byte = drawn[next++]!
    text[place] = digits[byte >> 4]!
    text[place + 1] = digits[byte & 0x0f]!
  }
  return text.toString("latin1")
}
