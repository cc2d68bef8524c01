import type { PipeId, PipeSource } from "@headgate/core"
import * as Effect from "effect/Effect"

/**
 * What a pipe has created in its source, in words; `undefined` for nothing, and for a source that cannot be read here. The connector
 * is loaded: a server that moves nothing has none before.
 */
export const externalResources = Effect.fnUntraced(function* (pipeId: PipeId, source: PipeSource | null | undefined) {
  const [{ connectors }, { loadTables, resourcesText }] = yield* Effect.promise(() =>
    Promise.all([import("./connectors.ts"), import("@headgate/mover-runtime")])
  )
  const connector = yield* loadTables(connectors, source)
  const resources = connector?.externalResources(pipeId, source ?? {})
  return resources && resourcesText(resources)
})
