import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { CredentialHasher } from "@headgate/core/adapter"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { hash, randomFillSync } from "node:crypto"

const poolSize = 4096

/**
 * Random bytes of the system, taken many at a time: a creation asks several times, and each call of the system takes a tenth of its
 * time. Every byte is handed out once, and not kept.
 */
const makeRandomBytes = () => {
  const pool = new Uint8Array(poolSize)
  let used = poolSize
  return (size: number): Uint8Array => {
    if (size > poolSize) return randomFillSync(new Uint8Array(size))
    if (used + size > poolSize) {
      randomFillSync(pool)
      used = 0
    }
    const taken = pool.slice(used, used + size)
    pool.fill(0, used, (used += size))
    return taken
  }
}

/**
 * The cryptography of the server: Node's, on this thread. WebCrypto takes another thread and a promise for each digest,
 * and every request needs two. `hash` takes 1 us where a `createHash` of bytes takes 6, twice a request: 10 % of a small read.
 */
export const layer = Layer.mergeAll(
  NodeCrypto.layerDigest,
  Layer.sync(SecureRandom.SecureRandom, () => SecureRandom.make(makeRandomBytes())),
  Layer.succeed(CredentialHasher, (value: string) => hash("sha256", value, "base64"))
)
