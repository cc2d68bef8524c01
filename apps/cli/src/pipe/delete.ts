import { Pipes } from "@headgate/core"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Output from "../output/Output.ts"
import { confirm } from "../usage/confirm.ts"
import { addressOf } from "./address.ts"
import { pipeIdArgument } from "./pipeIdArgument.ts"

const yes = Flag.Boolean("yes").pipe(
  Flag.withAlias("y"),
  Flag.withDescription("Do not ask; needed where there is no terminal"),
  Flag.withoutNegation,
  Flag.withDefault(false)
)

/** `headgate pipe delete <pipe-id> [--yes]`. The verb's own name is taken: `delete` is a word of the language. */
export const remove = Command.make(
  "delete",
  { pipeId: pipeIdArgument, yes },
  Effect.fnUntraced(function* (input) {
    const pipes = yield* Pipes
    const address = yield* addressOf(input.pipeId)
    if (!input.yes) yield* confirm(`Delete pipe ${input.pipeId} for good?`)
    yield* pipes.delete(address)
    yield* Output.done(`Deleted pipe ${input.pipeId}.`, { id: input.pipeId, deleted: true })
  })
).pipe(
  Command.withDescription("Delete a pipe for good"),
  Command.withExamples([
    { command: "headgate pipe delete 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f", description: "Ask first" },
    { command: "headgate pipe delete 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f --yes", description: "In a script" }
  ])
)
