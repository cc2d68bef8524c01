import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { CredentialHasher } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { hash, randomFillSync } from "node:crypto"

/** As many as some eighty credentials take; in bytes. */
const drawnAtOnce = 4096

/**
 * Bytes from Node's secure source, drawn many at once, since a draw costs the same for 25 as for thousands. No byte is
 * handed out twice, and none stays here once it was.
 */
export const drawnAhead = () => {
  const drawn = new Uint8Array(drawnAtOnce)
  let next = drawnAtOnce
  return (size: number): Uint8Array<ArrayBuffer> => {
    if (size > drawnAtOnce) return randomFillSync(new Uint8Array(size))
    if (next + size > drawnAtOnce) {
      randomFillSync(drawn)
      next = 0
    }
    const bytes = drawn.slice(next, next + size)
    drawn.fill(0, next, (next += size))
    return bytes
  }
}

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

const random = SecureRandom.make(drawnAhead())
const uuid = Effect.sync(uuidV4)

const secureRandom = Layer.succeed(SecureRandom.SecureRandom, {
  ...random,
  // A cast, since an arrow function has no overloads.
  uuidV4: ((options?: { readonly format?: string }) =>
    options?.format === "bytes" ? random.uuidV4({ format: "bytes" }) : uuid) as SecureRandom.UuidGenerator
})

/**
 * The cryptography of the server: that of Node, on this thread. WebCrypto, which runs everywhere, takes another thread
 * and a promise for each digest, and every request needs two.
 */
export const layer = Layer.mergeAll(
  NodeCrypto.layerDigest,
  secureRandom,
  Layer.succeed(CredentialHasher, (value: string) => hash("sha256", value, "base64"))
)
