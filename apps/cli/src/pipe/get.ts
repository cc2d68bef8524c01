import { Pipes } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"
import { printPipe } from "./printPipe.ts"

/** `headgate pipe get <pipe-id>` */
export const get = Command.make(
  "get",
  { pipeId: pipeIdArgument },
  Effect.fnUntraced(function* ({ pipeId }) {
    const pipes = yield* Pipes
    yield* printPipe(yield* pipes.get(yield* pipeAddress(pipeId)))
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
