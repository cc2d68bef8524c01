import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { CredentialHasher } from "@headgate/core/adapter"
import * as Layer from "effect/Layer"
import { hash } from "node:crypto"

/**
 * The cryptography of the server: Node's, on this thread. WebCrypto takes another thread and a promise for each digest,
 * and every request needs two. `hash` takes 1 us where a `createHash` of bytes takes 6, twice a request: 10 % of a small read.
 */
export const layer = Layer.mergeAll(
  NodeCrypto.layerDigest,
  NodeCrypto.layerSecureRandom,
  Layer.succeed(CredentialHasher, (value: string) => hash("sha256", value, "base64"))
)
