import { Pipes } from "@headgate/core"
import { pipeUpdateCodec } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { pipeFile, readPipeRequest } from "./document.ts"
import { waitFlags } from "../wait/waitFlags.ts"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"
import { printPipe } from "./printPipe.ts"
import { waitForActions } from "./waitForPipe.ts"

/** `headgate pipe update <pipe-id> --file changes.json` */
export const update = Command.make(
  "update",
  { pipeId: pipeIdArgument, file: pipeFile, ...waitFlags },
  Effect.fnUntraced(function* ({ file, pipeId, ...waiting }) {
    const pipes = yield* Pipes
    const request = yield* readPipeRequest(file, pipeUpdateCodec)
    const address = yield* pipeAddress(pipeId)
    const changed = yield* pipes.update(address, request)
    // Only a change of the tables starts something.
    const pipe = changed.state === "Modifying" ? yield* waitForActions(address, changed, ["edit"], waiting) : changed
    yield* printPipe(pipe, `Pipe ${pipe.id} was changed`)
  })
).pipe(
  Command.withDescription("Change a pipe by a document with the fields that change"),
  Command.withExamples([
    { command: "headgate pipe update 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f --file changes.json" },
    {
      command: "headgate pipe update orders --file tables.json --wait",
      description: "And wait until new tables are copied"
    }
  ])
)
