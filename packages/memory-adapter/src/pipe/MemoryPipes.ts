import { Pipes } from "@headgate/core/pipe"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore } from "../MemoryStore.ts"
import { findPipe } from "./findPipe.ts"

const layer: Layer.Layer<Pipes, never, MemoryStore> = Layer.effect(
  Pipes,
  Effect.gen(function* () {
    const store = yield* MemoryStore

    return Pipes.of({
      get: Effect.fn("MemoryPipes.get")((address) => findPipe(store, address)),
      delete: Effect.fn("MemoryPipes.delete")(function* (address) {
        yield* findPipe(store, address)
        store.pipes.delete(address.pipeId)
      })
    })
  })
)

/** The `Pipes` port over a {@link MemoryStore}. */
export const MemoryPipes = { layer }
