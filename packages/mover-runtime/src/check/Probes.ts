import type { InvalidRequest } from "@headgate/core"
import { invalidRequest } from "@headgate/core/adapter"
import type { Connector, SourceConfig, SourceReader, SourceRefused } from "@headgate/mover"
import * as Effect from "effect/Effect"
import type * as Semaphore from "effect/Semaphore"
import { refuse } from "../pipe/MoverContext.ts"
import type { WarehouseEngine } from "../warehouse/WarehouseEngine.ts"

/** How many sources are asked at the same time whether a pipe can be moved, and how long. */
export const probesAtOnce = 8
export const longestProbe = "5 seconds"

/** The permits of those who ask a source or a warehouse for a request. */
export type Probes = Semaphore.Semaphore

/** Reads the options of a pipe. Fails with the field that asks for what is not served. */
export const configure = (connector: Connector, config: SourceConfig): Effect.Effect<SourceReader, InvalidRequest> => {
  const configured: Effect.Effect<SourceReader, SourceRefused> = connector.configure(config)
  return Effect.catch(configured, ({ message, path }) => refuse(path, message))
}

/** Fails if the source of a pipe answers that it cannot be moved. One that does not answer is asked by the mover again. */
export const checkSource = Effect.fnUntraced(function* (probes: Probes, reader: SourceReader, kind: string) {
  const found = yield* reader.probe.pipe(
    Effect.catchTag("SourceError", ({ field, message }) =>
      Effect.succeed(field === undefined ? [] : [{ path: `source.${kind}.${field}`, message }])
    ),
    probes.withPermit,
    Effect.timeoutOrElse({ duration: longestProbe, orElse: () => Effect.succeed([]) })
  )
  if (found.length > 0) return yield* invalidRequest(found.map(({ message, path }) => ({ path, message })))
})

/** Fails if the engine may not read the objects of a pipe. One that does not answer is asked by the mover again. */
export const checkReading = Effect.fnUntraced(function* (engine: WarehouseEngine, reader: SourceReader, kind: string) {
  if (reader._tag !== "Ranges" || reader.sample._tag !== "Object") return
  const { any, locationField } = reader.sample
  yield* Effect.flatMap(any, engine.checkObjectReading).pipe(
    Effect.timeoutOrElse({ duration: longestProbe, orElse: () => Effect.void }),
    Effect.catchTags({
      SourceError: () => Effect.void,
      WarehouseError: () => Effect.void,
      WarehouseRefused: ({ message }) => refuse("destination", message),
      ObjectRejected: ({ reason }) => refuse(`source.${kind}.${locationField}`, reason)
    })
  )
})
