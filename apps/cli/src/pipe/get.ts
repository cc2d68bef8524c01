import { type Pipe, type PipeAddress, Pipes, versionOf } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Command from "effect/cli/Command"
import * as Output from "../output/Output.ts"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"
import { printPipe } from "./printPipe.ts"

/**
 * How a pipe moves its rows; `undefined` for a simulated one. Only a service that tells versions of its pipes has this operation:
 * the upstream service is not asked.
 */
const readMovement = Effect.fnUntraced(function* (address: PipeAddress, pipe: Pipe) {
  if (versionOf(pipe) === undefined || (yield* Output.format) !== "table") return undefined
  const pipes = yield* Pipes
  const status = yield* Effect.option(pipes.status(address))
  if (Option.isNone(status) || status.value.simulated) return undefined
  const { state: _, ...figures } = status.value
  return Record.filter(figures, (value) => value !== null)
})

/** `headgate pipe get <pipe-id>` */
export const get = Command.make(
  "get",
  { pipeId: pipeIdArgument },
  Effect.fnUntraced(function* ({ pipeId }) {
    const pipes = yield* Pipes
    const address = yield* pipeAddress(pipeId)
    const pipe = yield* pipes.get(address)
    yield* printPipe(pipe, undefined, yield* readMovement(address, pipe))
  })
).pipe(
  Command.withDescription("Show a pipe: its state, how it moves rows, its source, destination and settings"),
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
