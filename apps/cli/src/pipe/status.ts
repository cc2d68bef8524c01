import { Pipes, PipeStatus } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Output from "../output/Output.ts"
import { detailText, masked } from "../output/detailText.ts"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"

/** `headgate pipe status <pipe-id>` */
export const status = Command.make(
  "status",
  { pipeId: pipeIdArgument },
  Effect.fnUntraced(function* ({ pipeId }) {
    const pipes = yield* Pipes
    const found = yield* pipes.status(yield* pipeAddress(pipeId))
    yield* Output.print({
      text: (layout) => detailText(masked(found), layout),
      json: Output.encoded(PipeStatus, found)
    })
  })
).pipe(
  Command.withDescription("Show how a pipe goes on: its state, the next one, and why it failed"),
  Command.withExamples([{ command: "headgate pipe status 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f" }])
)
