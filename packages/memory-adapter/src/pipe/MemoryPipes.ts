import { Pipes } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore } from "../MemoryStore.ts"
import { findPipe } from "./findPipe.ts"

const layer: Layer.Layer<Pipes, never, MemoryStore> = Layer.effect(
  Pipes,
  Effect.gen(function* () {
    const store = yield* MemoryStore

    return Pipes.of({
      // No span: a read from a Map takes less time than the span.
      get: (address) => findPipe(store, address),
      delete: Effect.fn("MemoryPipes.delete")(function* (address) {
        yield* findPipe(store, address)
        store.pipes.delete(address.pipeId)
      })
    })
  })
)

/**
 * The `Pipes` port over a {@link MemoryStore}, which a snapshot fills, or a test by hand.
 *
 * @example
 * ```ts
 * import type { OrganizationId, Pipe } from "@headgate/core"
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
