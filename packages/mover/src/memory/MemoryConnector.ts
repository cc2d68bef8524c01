import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { RangesConnector } from "../port/Connector.ts"
import { Source } from "../port/Source.ts"
import { SourceError } from "../range/MoveError.ts"
import { MemorySource } from "./MemorySource.ts"

/**
 * A source in memory as a connector, for tests of what moves pipes: every pipe reads the same rows. `down` makes it unreachable, and
 * `configured` is how often it was configured.
 *
 * @example
 * ```ts
 * import { MemoryConnector } from "@headgate/mover/memory"
 *
 * const memory = MemoryConnector.make()
 * // As the registry of a process has it, by the name in `source` of a pipe.
 * export const connectors = { kinesis: { load: () => Promise.resolve(memory.connector) } }
 * ```
 */
const make = (options: Parameters<typeof MemorySource.make>[0] = {}) => {
  const memory = MemorySource.make(options)
  const state: { down: string | undefined; configured: number } = { down: undefined, configured: 0 }
  const reachable = Effect.suspend(() =>
    state.down === undefined ? Effect.void : Effect.fail(new SourceError({ message: state.down }))
  )
  const source: Source["Service"] = {
    ...memory.source,
    identity: Effect.andThen(reachable, memory.source.identity),
    plan: (...range) => Effect.andThen(reachable, memory.source.plan(...range))
  }
  const layer = Layer.succeed(Source, source)
  const connector: RangesConnector = {
    _tag: "Ranges",
    configure: () =>
      Effect.sync(() => {
        state.configured += 1
        return { _tag: "Ranges", probe: Effect.as(reachable, []), layer, sample: { _tag: "Rows", layer } }
      })
  }
  return {
    ...memory,
    connector,
    /** Makes the source unreachable, with this message; `undefined` makes it reachable again. */
    down: (message: string | undefined) =>
      Effect.sync(() => {
        state.down = message
      }),
    configured: Effect.sync(() => state.configured)
  }
}

/** A source in memory as a connector. */
export const MemoryConnector = { make }
