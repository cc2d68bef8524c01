import { Pipe, PipeDocuments } from "@headgate/core/pipe"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { MemoryStore } from "../MemoryStore.ts"
import { findPipe } from "./findPipe.ts"

const encodeText = Schema.encodeEffect(Schema.fromJsonString(Pipe))

const layer: Layer.Layer<PipeDocuments, never, MemoryStore> = Layer.effect(
  PipeDocuments,
  Effect.gen(function* () {
    const store = yield* MemoryStore
    // A stored pipe is never changed, only replaced: its text is written once, and forgotten with it.
    const texts = new WeakMap<Pipe, string>()

    const textOf = Effect.fnUntraced(function* (pipe: Pipe) {
      const text = yield* Effect.orDie(encodeText(pipe))
      texts.set(pipe, text)
      return text
    })

    return PipeDocuments.of({
      get: (address) =>
        Effect.flatMap(findPipe(store, address), (pipe) => {
          const written = texts.get(pipe)
          return written === undefined ? textOf(pipe) : Effect.succeed(written)
        })
    })
  })
)

/**
 * The `PipeDocuments` port over a {@link MemoryStore}.
 *
 * @example
 * ```ts
 * import { MemoryPipeDocuments, MemoryPipes, MemoryStore } from "@headgate/memory-adapter"
 * import * as Layer from "effect/Layer"
 *
 * export const layer = Layer.merge(MemoryPipes.layer, MemoryPipeDocuments.layer).pipe(Layer.provide(MemoryStore.layer))
 * ```
 */
export const MemoryPipeDocuments = { layer }
