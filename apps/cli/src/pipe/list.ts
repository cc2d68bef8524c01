import { Pipes, PipeSource } from "@headgate/core"
import { pipeCodec } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { listCommand } from "../list/listCommand.ts"
import { serviceAddress } from "../address/nouns.ts"
import { currentDialect } from "../settings/settings.ts"

/** `headgate pipe list` */
export const list = listCommand({
  description: "List the pipes of the service",
  examples: [
    { command: "headgate pipe list" },
    { command: "headgate pipe list --filter state=Failed --sort -updatedAt", description: "The failed ones" },
    { command: "headgate pipe list --json | jq -r '.[].id'", description: "Print the ids, for a script" }
  ],
  elements: Effect.gen(function* () {
    const pipes = yield* Pipes
    return yield* pipes.list(yield* serviceAddress)
  }),
  schema: Effect.map(currentDialect, pipeCodec),
  columns: {
    STATE: ({ state }) => state,
    SOURCE: ({ source }) => PipeSource.kind(source),
    NAME: ({ name }) => name
  },
  empty: "The service has no pipes."
})
