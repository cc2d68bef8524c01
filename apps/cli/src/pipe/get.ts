import { type Pipe, Pipes } from "@headgate/core"
import { type Dialect, pipeCodec, renameSetting } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as Command from "effect/cli/Command"
import * as Output from "../output/Output.ts"
import { detailText, masked } from "../output/detailText.ts"
import { currentDialect } from "../settings/settings.ts"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"

// A pipe as text, without secrets. The names of the fields are those of the JSON in the current dialect.
const pipeText = (dialect: Dialect, pipe: Pipe): string => {
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
    source,
    destination,
    fieldMappings,
    scaling,
    settings
  }
  return detailText(masked({ ...inOrder, ...more, settings }))
}

/** `headgate pipe get <pipe-id>` */
export const get = Command.make(
  "get",
  { pipeId: pipeIdArgument },
  Effect.fnUntraced(function* ({ pipeId }) {
    const pipes = yield* Pipes
    const dialect = yield* currentDialect
    const pipe = yield* pipes.get(yield* pipeAddress(pipeId))
    yield* Output.print({
      text: () => pipeText(dialect, pipe),
      json: Effect.orDie(Schema.encodeEffect(pipeCodec(dialect))(pipe))
    })
  })
).pipe(
  Command.withDescription("Show a pipe: its state, source, destination and settings"),
  Command.withExamples([
    {
      command: "headgate pipe get 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f",
      description: "Show all fields"
    },
    {
      command: "headgate pipe get 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f --json | jq -r .state",
      description: "Print one field, for a script"
    }
  ])
)
