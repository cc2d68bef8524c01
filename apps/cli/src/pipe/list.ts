import { Pipes, PipeSource, type Pipe } from "@headgate/core"
import { pipeCodec } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { countText } from "../output/detailText.ts"
import * as Output from "../output/Output.ts"
import { type Columns, listCommand } from "../list/listCommand.ts"
import { serviceAddress } from "../address/nouns.ts"
import { currentDialect } from "../settings/settings.ts"

/** What a service answers that does not have the operation, or not for this caller. */
const unanswered: ReadonlySet<string> = new Set([
  "Forbidden",
  "InvalidRequest",
  "ServiceNotFound",
  "UnexpectedResponse"
])

/** Rows a second, lag and rejected rows of every pipe, where one of them moves rows: the statuses of all are one request. */
const figures = Effect.gen(function* () {
  const pipes = yield* Pipes
  const statuses = yield* pipes
    .statuses(yield* serviceAddress)
    .pipe(
      Effect.catch((error) =>
        Effect.as(
          unanswered.has(error._tag)
            ? Effect.void
            : Output.note(`warning: without rows a second, lag and errors: ${error.message}`),
          []
        )
      )
    )
  const moved = new Map(statuses.flatMap(({ id, simulated, ...status }) => (simulated ? [] : [[id, status] as const])))
  const none: Columns<Pipe> = {}
  if (moved.size === 0) return none
  const columns: Columns<Pipe> = {
    "ROWS/S": ({ id }) => countText(moved.get(id)?.rowsPerSecond),
    LAG: ({ id }) => countText(moved.get(id)?.lag),
    ERRORS: ({ id }) => countText(moved.get(id)?.errors)
  }
  return columns
})

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
  figures,
  empty: "The service has no pipes."
})
