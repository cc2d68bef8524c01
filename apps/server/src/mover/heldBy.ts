import { PipeSource } from "@headgate/core"
import type { MovedPipe, MovedPipes } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import { loadTables } from "./connectors.ts"
import { resourcesText } from "./sourceConfig.ts"

/** What a pipe holds in its source, such as a slot; nothing if that cannot be read. */
export const heldBy = Effect.fnUntraced(function* (moved: MovedPipes["Service"], { address }: MovedPipe) {
  const { pipe } = yield* moved.read(address)
  const connector = yield* loadTables(PipeSource.kind(pipe.source))
  const resources = connector?.externalResources(pipe.id, pipe.source ?? {})
  return resources === undefined ? [] : [resourcesText(resources)]
})
