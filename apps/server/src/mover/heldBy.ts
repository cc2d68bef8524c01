import { PipeSource } from "@headgate/core"
import type { MovedPipe, MovedPipes } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import { remainsText } from "./SourceKind.ts"
import { loadTables } from "./sourceKinds.ts"

/** What a pipe holds in its source, such as a slot; nothing if that cannot be read. */
export const heldBy = Effect.fnUntraced(function* (moved: MovedPipes["Service"], { address }: MovedPipe) {
  const { pipe } = yield* moved.read(address)
  const kind = yield* loadTables(PipeSource.kind(pipe.source))
  const remains = kind?.remains(pipe.id, pipe.source ?? {})
  return remains === undefined ? [] : [remainsText(remains)]
})
