import { Pipes, SchemaDiscovery } from "@headgate/core"
import { detailText } from "../output/detailText.ts"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { serviceAddress } from "../address/nouns.ts"
import * as Output from "../output/Output.ts"
import { pipeFile, readPipeRequest } from "./document.ts"

/** `headgate pipe discover --file source.json` */
export const discover = Command.make(
  "discover",
  { file: pipeFile },
  Effect.fnUntraced(function* ({ file }) {
    const pipes = yield* Pipes
    const address = yield* serviceAddress
    const request = yield* readPipeRequest(file, () => SchemaDiscovery)
    const found = yield* pipes.discoverSchema(address, request)
    // Rows need more room than a terminal has.
    const { samples: _, ...shown } = found
    yield* Output.print({ text: (layout) => detailText(shown, layout), json: Effect.succeed(found) })
  })
).pipe(
  Command.withDescription("Show the fields of a source; a server without a warehouse simulates them"),
  Command.withExamples([{ command: "headgate pipe discover --file source.json" }])
)
