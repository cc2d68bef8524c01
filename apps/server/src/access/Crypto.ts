import { CredentialHasher } from "@headgate/core/access"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hash } from "node:crypto"
import { drawnAhead } from "./drawnAhead.ts"
import { uuidV4 } from "./uuidV4.ts"

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
