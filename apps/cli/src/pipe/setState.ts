import { Pipes, type PipeStateChange } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { waitFlags } from "../wait/waitFlags.ts"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"
import { printPipe } from "./printPipe.ts"
import { waitForActions } from "./waitForPipe.ts"

/** `headgate pipe start|stop|resync <pipe-id>` */
const stateCommand = <Name extends PipeStateChange["command"]>(name: Name, description: string) =>
  Command.make(
    name,
    { pipeId: pipeIdArgument, ...waitFlags },
    Effect.fnUntraced(function* ({ pipeId, ...waiting }) {
      const pipes = yield* Pipes
      const address = yield* pipeAddress(pipeId)
      const changed = yield* pipes.setState(address, { command: name })
      const pipe = yield* waitForActions(address, changed, [name], waiting)
      yield* printPipe(pipe, `Pipe ${pipe.id} is ${pipe.state}`)
    })
  ).pipe(
    Command.withDescription(description),
    Command.withExamples([{ command: `headgate pipe ${name} 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f` }])
  )

export const start = stateCommand(
  "start",
  "Start a pipe; it is shown in the state that it passes first, without --wait"
)
export const stop = stateCommand("stop", "Stop a pipe; it is shown in the state that it passes first, without --wait")
export const resync = stateCommand("resync", "Copy the tables of a database pipe again")
