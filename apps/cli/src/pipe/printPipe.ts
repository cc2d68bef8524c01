import type { Pipe } from "@headgate/core"
import { type Dialect, pipeCodec, renameSetting } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import type { Layout } from "../output/Layout.ts"
import * as Output from "../output/Output.ts"
import { detailText, masked } from "../output/detailText.ts"
import { currentDialect } from "../settings/settings.ts"

// A pipe as text, without secrets. The names of the fields are those of the JSON in the current dialect.
const pipeText = (dialect: Dialect, pipe: Pipe, movement: object | undefined, layout: Layout): string => {
  const { createdAt, destination, fieldMappings, id, name, scaling, serviceId, source, state, updatedAt, ...more } =
    pipe
  const settings = Predicate.isNotNullish(pipe.settings)
    ? Record.mapKeys(pipe.settings, (setting) => renameSetting(dialect, setting))
    : pipe.settings
  const inOrder = {
    name,
    state,
    id,
    serviceId,
    createdAt,
    updatedAt,
    movement,
    source,
    destination,
    fieldMappings,
    scaling,
    settings
  }
  return detailText(masked({ ...inOrder, ...more, settings }), layout)
}

/** Prints a pipe. `done`: what has happened to it. `movement`: how it moves its rows, which JSON and YAML leave out. */
export const printPipe = Effect.fnUntraced(function* (pipe: Pipe, done?: string, movement?: object) {
  const dialect = yield* currentDialect
  yield* Output.print(
    {
      text: (layout) => pipeText(dialect, pipe, movement, layout),
      json: Output.encoded(pipeCodec(dialect), pipe)
    },
    done
  )
})
