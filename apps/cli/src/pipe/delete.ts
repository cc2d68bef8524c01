import { Pipes } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Output from "../output/Output.ts"
import { confirm, yesFlag } from "../usage/confirm.ts"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"

/** `headgate pipe delete <pipe-id> [--yes]`. Not named `delete`, which is a reserved word. */
export const remove = Command.make(
  "delete",
  { pipeId: pipeIdArgument, yes: yesFlag },
  Effect.fnUntraced(function* (input) {
    const pipes = yield* Pipes
    const address = yield* pipeAddress(input.pipeId)
    if (!input.yes) yield* confirm(`Delete pipe ${input.pipeId} permanently?`)
    yield* pipes.delete(address)
    yield* Output.done(`Pipe ${address.pipeId} was deleted`, { id: address.pipeId, deleted: true })
  })
).pipe(
  Command.withDescription("Delete a pipe permanently"),
  Command.withExamples([
    { command: "headgate pipe delete 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f", description: "Ask for confirmation" },
    { command: "headgate pipe delete 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f --yes", description: "In a script" }
  ])
)
