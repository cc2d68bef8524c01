import { Pipes } from "@headgate/core"
import { pipeUpdateCodec } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { pipeFile, readPipeRequest } from "./document.ts"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"
import { printPipe } from "./printPipe.ts"

/** `headgate pipe update <pipe-id> --file changes.json` */
export const update = Command.make(
  "update",
  { pipeId: pipeIdArgument, file: pipeFile },
  Effect.fnUntraced(function* ({ file, pipeId }) {
    const pipes = yield* Pipes
    const request = yield* readPipeRequest(file, pipeUpdateCodec)
    const pipe = yield* pipes.update(yield* pipeAddress(pipeId), request)
    yield* printPipe(pipe, `Pipe ${pipe.id} was changed`)
  })
).pipe(
  Command.withDescription("Change a pipe by a JSON document with the fields that change"),
  Command.withExamples([{ command: "headgate pipe update 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f --file changes.json" }])
)
