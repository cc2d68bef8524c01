import { Pipes } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** `Pipes` whose reads yield before they return, so that other fibers run in between, as over a network. */
export const yieldingPipes: Layer.Layer<Pipes, never, Pipes> = Layer.effect(
  Pipes,
  Pipes.useSync((store) => Pipes.of({ ...store, get: (address) => Effect.tap(store.get(address), Effect.yieldNow) }))
)
