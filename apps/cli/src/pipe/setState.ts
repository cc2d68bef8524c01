import { Pipes, type PipeStateChange } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"
import { printPipe } from "./printPipe.ts"

/** `headgate pipe start|stop|resync <pipe-id>` */
const stateCommand = <Name extends PipeStateChange["command"]>(name: Name, description: string) =>
  Command.make(
    name,
    { pipeId: pipeIdArgument },
    Effect.fnUntraced(function* ({ pipeId }) {
      const pipes = yield* Pipes
      const pipe = yield* pipes.setState(yield* pipeAddress(pipeId), { command: name })
      yield* printPipe(pipe, `Pipe ${pipe.id} is ${pipe.state}`)
    })
  ).pipe(
    Command.withDescription(description),
    Command.withExamples([{ command: `headgate pipe ${name} 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f` }])
  )

export const start = stateCommand("start", "Start a pipe; it is shown in the state that it passes first")
export const stop = stateCommand("stop", "Stop a pipe; it is shown in the state that it passes first")
export const resync = stateCommand("resync", "Copy the tables of a database pipe again")
