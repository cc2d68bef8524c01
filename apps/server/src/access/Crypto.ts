import { CredentialHasher } from "@headgate/core/access"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { SecureRandom, type UuidGenerator } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hash, randomUUID } from "node:crypto"

const secureRandom = Layer.effect(
  SecureRandom,
  Effect.map(SecureRandom, (random) => ({
    ...random,
    // Node draws the bytes of many at once. A cast, since an arrow function has no overloads.
    uuidV4: ((options?: { readonly format?: string }) =>
      options?.format === "bytes"
        ? random.uuidV4({ format: "bytes" })
        : Effect.sync(() => randomUUID())) as UuidGenerator
  }))
).pipe(Layer.provide(NodeCrypto.layerSecureRandom))

/**
 * The cryptography of the server: that of Node, on this thread. WebCrypto, which runs everywhere, takes another thread
 * and a promise for each digest, and every request needs two.
 */
export const layer = Layer.mergeAll(
  NodeCrypto.layerDigest,
  secureRandom,
  Layer.succeed(CredentialHasher, (value: string) => hash("sha256", value, "base64"))
)
