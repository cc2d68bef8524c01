import { Pipes } from "@headgate/core"
import { pipeCreateCodec } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { serviceAddress } from "../address/nouns.ts"
import { pipeFile, readPipeRequest } from "./document.ts"
import { inferColumns } from "./inferColumns.ts"
import { printPipe } from "./printPipe.ts"
import { waitFlags } from "../wait/waitFlags.ts"
import { waitForActions } from "./waitForPipe.ts"

const infer = Flag.Boolean("infer").pipe(
  Flag.withDescription("Take the columns of the table from the source: a stream or files"),
  Flag.withoutNegation,
  Flag.withDefault(false)
)

/** `headgate pipe create --file pipe.json` */
export const create = Command.make(
  "create",
  { file: pipeFile, infer, ...waitFlags },
  Effect.fnUntraced(function* ({ file, infer, ...waiting }) {
    const pipes = yield* Pipes
    const address = yield* serviceAddress
    const written = yield* readPipeRequest(file, pipeCreateCodec)
    const request = infer ? yield* inferColumns(address, written) : written
    const created = yield* pipes.create(address, request)
    const pipe = yield* waitForActions(address, created, ["create", "createPaused"], waiting)
    yield* printPipe(pipe, `Pipe ${pipe.id} was created`)
  })
).pipe(
  Command.withDescription("Create a pipe from a document"),
  Command.withExamples([
    { command: "headgate pipe create --file orders.json", description: "From a document" },
    { command: "headgate pipe create --file orders.json --wait", description: "And wait until it runs" },
    {
      command: "headgate pipe create --file orders.json --infer",
      description: "With the fields of the source as columns"
    }
  ])
)
