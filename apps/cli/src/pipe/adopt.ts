import { Pipes } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { waitFlags } from "../wait/waitFlags.ts"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"
import { printPipe } from "./printPipe.ts"
import { waitForActions } from "./waitForPipe.ts"

/** `headgate pipe adopt <pipe-id>` */
export const adopt = Command.make(
  "adopt",
  { pipeId: pipeIdArgument, ...waitFlags },
  Effect.fnUntraced(function* ({ pipeId, ...waiting }) {
    const pipes = yield* Pipes
    const address = yield* pipeAddress(pipeId)
    const pipe = yield* waitForActions(address, yield* pipes.adopt(address), ["create"], waiting)
    yield* printPipe(pipe, `Pipe ${pipe.id} is ${pipe.state}`)
  })
).pipe(
  Command.withDescription("Let a simulated pipe, such as an imported one, move rows, and start it as a new one"),
  Command.withExamples([{ command: "headgate pipe adopt orders --wait" }])
)
