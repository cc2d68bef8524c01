import { type PipeAddress, pipeNotFound, Pipes } from "@headgate/core/pipe"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore } from "../MemoryStore.ts"

const layer: Layer.Layer<Pipes, never, MemoryStore> = Layer.effect(
  Pipes,
  Effect.gen(function* () {
    const { pipes } = yield* MemoryStore

    const find = Effect.fnUntraced(function* (address: PipeAddress) {
      const stored = pipes.get(address.pipeId)
      const isThere = stored?.organizationId === address.organizationId && stored.pipe.serviceId === address.serviceId
      return isThere ? stored.pipe : yield* pipeNotFound(address)
    })

    return Pipes.of({
      get: Effect.fn("MemoryPipes.get")(find),
      delete: Effect.fn("MemoryPipes.delete")(function* (address) {
        yield* find(address)
        pipes.delete(address.pipeId)
      })
    })
  })
)

/** The `Pipes` port over a {@link MemoryStore}. */
export const MemoryPipes = { layer }
