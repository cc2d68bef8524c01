import { Pipes } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** `Pipes` whose reads answer a turn after they looked: other fibers, a delete too, come between, as over a network. */
export const unhurriedPipes: Layer.Layer<Pipes, never, Pipes> = Layer.effect(
  Pipes,
  Pipes.useSync((store) =>
    Pipes.of({ get: (address) => Effect.tap(store.get(address), Effect.yieldNow), delete: store.delete })
  )
)
