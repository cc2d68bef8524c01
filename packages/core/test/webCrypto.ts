import * as Layer from "effect/Layer"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"

/** What issuing and checking credentials needs, from the runtime's own crypto: the same as in production. */
export const webCrypto = Layer.merge(Digest.layerWebCrypto, SecureRandom.layerWebCrypto)
