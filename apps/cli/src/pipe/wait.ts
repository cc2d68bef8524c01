import { pipeStates } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { waitTimeout } from "../wait/waitFlags.ts"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"
import { printPipe } from "./printPipe.ts"
import { waitForPipe } from "./waitForPipe.ts"

/** `headgate pipe wait <pipe-id> --for Running` */
export const wait = Command.make(
  "wait",
  {
    pipeId: pipeIdArgument,
    state: Flag.Literals("for", pipeStates).pipe(
      Flag.withMetavar("state"),
      Flag.withDescription("The state to wait for, such as Running or Completed; repeat for any of several"),
      Flag.atLeast(1)
    ),
    waitTimeout
  },
  Effect.fnUntraced(function* (input) {
    const address = yield* pipeAddress(input.pipeId)
    yield* printPipe(yield* waitForPipe(address, { states: input.state, timeout: input.waitTimeout }))
  })
).pipe(
  Command.withDescription(
    "Wait until a pipe is in a state; exit code 8 after --wait-timeout, 9 once it cannot get there any more"
  ),
  Command.withExamples([
    { command: "headgate pipe wait orders --for Running" },
    {
      command: "headgate pipe wait orders --for Completed --wait-timeout 2h && ./report.sh",
      description: "In a script"
    }
  ])
)
