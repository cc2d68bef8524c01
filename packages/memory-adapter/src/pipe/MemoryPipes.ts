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

/**
 * The `Pipes` port over a {@link MemoryStore}, which a snapshot fills, or a test by hand.
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core/access"
 * import type { Pipe } from "@headgate/core/pipe"
 * import { MemoryPipes, MemoryStore } from "@headgate/memory-adapter"
 * import * as Layer from "effect/Layer"
 *
 * export const holding = (organizationId: OrganizationId, pipe: Pipe) =>
 *   MemoryPipes.layer.pipe(
 *     Layer.provide(
 *       Layer.effectDiscard(MemoryStore.useSync(({ pipes }) => pipes.set(pipe.id, { organizationId, pipe }))).pipe(
 *         Layer.provideMerge(MemoryStore.layer)
 *       )
 *     )
 *   )
 * ```
 */
export const MemoryPipes = { layer }
