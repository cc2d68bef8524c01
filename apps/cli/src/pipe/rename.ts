import { Pipes } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { validate } from "../usage/validate.ts"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"
import { printPipe } from "./printPipe.ts"

const newName = Argument.String("new-name").pipe(
  Argument.withDescription("The name that the pipe gets"),
  Argument.mapEffect(
    validate(
      { kind: "argument", name: "new-name" },
      Schema.String.check(Schema.isNonEmpty({ message: "Expected a name" }))
    )
  )
)

/** `headgate pipe rename <pipe-id> <new-name>` */
export const rename = Command.make(
  "rename",
  { pipeId: pipeIdArgument, newName },
  Effect.fnUntraced(function* ({ newName, pipeId }) {
    const pipes = yield* Pipes
    const pipe = yield* pipes.update(yield* pipeAddress(pipeId), { name: newName })
    yield* printPipe(pipe, `Pipe ${pipe.id} was renamed`)
  })
).pipe(
  Command.withDescription("Give a pipe another name; its id, its state and its rows stay"),
  Command.withExamples([{ command: "headgate pipe rename orders orders-eu" }])
)
