import { CredentialHasher } from "@headgate/core/access"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hash, randomFillSync, randomUUID } from "node:crypto"

/** As many as some eighty credentials take; in bytes. */
const drawnAtOnce = 4096

/**
 * Bytes from Node's secure source, drawn many at once, since a draw costs the same for 25 as for thousands. No byte is
 * handed out twice, and none stays here once it was.
 */
const drawnAhead = () => {
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

const secureRandom = Layer.sync(SecureRandom.SecureRandom, () => {
  const random = SecureRandom.make(drawnAhead())
  // Node has an even shorter way to these. A cast, since an arrow function has no overloads.
  const uuidV4 = ((options?: { readonly format?: string }) =>
    options?.format === "bytes"
      ? random.uuidV4({ format: "bytes" })
      : Effect.sync(() => randomUUID())) as SecureRandom.UuidGenerator
  return { ...random, uuidV4 }
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
