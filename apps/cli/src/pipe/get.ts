import { Pipes } from "@headgate/core"
import { pipeCodec } from "@headgate/http-contract"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Output from "../output/Output.ts"
import { dialectInUse } from "../settings/dialect.ts"
import { addressOf } from "./address.ts"
import { pipeIdArgument } from "./pipeIdArgument.ts"
import { pipeText } from "./pipeText.ts"

/** `headgate pipe get <id>` */
export const get = Command.make(
  "get",
  { pipeId: pipeIdArgument },
  Effect.fnUntraced(function* ({ pipeId }) {
    const pipes = yield* Pipes
    const dialect = yield* dialectInUse
    const pipe = yield* pipes.get(yield* addressOf(pipeId))
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
      description: "What a pipe does, and how it is"
    },
    {
      command: "headgate pipe get 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f --json | jq -r .state",
      description: "One field of it, for a script"
    }
  ])
)
