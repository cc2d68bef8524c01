import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as SecureRandom from "effect/crypto/SecureRandom"

/** Randomness that is the same in every run: what a test sees of ids and credentials does not change under it. */
export const layerRepeatable: Layer.Layer<SecureRandom.SecureRandom> = Layer.effect(
  SecureRandom.SecureRandom,
  Effect.map(Random.Random, (random) =>
    SecureRandom.make((size) => Uint8Array.from({ length: size }, () => Math.floor(random.nextDoubleUnsafe() * 256)))
  ).pipe(Random.withSeed("@headgate/client/testing"))
)
