import { type Pipe, type PipeAddress, type PipeNotFound, Pipes, versionOf } from "@headgate/core"
import { checkVersion, pipeNotFound, serviceNotFound } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore } from "../MemoryStore.ts"
import { requireRunning } from "../service/storedServices.ts"

const layer: Layer.Layer<Pipes, never, MemoryStore> = Layer.effect(
  Pipes,
  Effect.gen(function* () {
    const { pipes, services } = yield* MemoryStore

    const find = (address: PipeAddress): Effect.Effect<Pipe, PipeNotFound> =>
      Effect.suspend(() => {
        const stored = pipes.get(address.pipeId)
        const isFound = stored?.organizationId === address.organizationId && stored.pipe.serviceId === address.serviceId
        return isFound ? Effect.succeed(stored.pipe) : Effect.fail(pipeNotFound(address))
      })

    return Pipes.of({
      list: (address) =>
        Effect.suspend(() => {
          if (services.get(address.serviceId)?.organizationId !== address.organizationId) {
            return Effect.fail(serviceNotFound(address))
          }
          const stored = Array.from(pipes.values(), ({ pipe }) => pipe)
          return Effect.succeed(stored.filter(({ serviceId }) => serviceId === address.serviceId))
        }),
      // No span: a read from a Map takes less time than the span.
      get: find,
      delete: Effect.fn("MemoryPipes.delete")(function* (address) {
        yield* requireRunning(services, address, () => pipeNotFound(address))
        // No yield between the check and the change, so no other fiber runs in between.
        yield* checkVersion(versionOf(yield* find(address)) ?? 1)
        pipes.delete(address.pipeId)
      })
    })
  })
)

/** The `Pipes` port over a {@link MemoryStore}. */
export const MemoryPipes = { layer }
