import { escapeTerminalLine, jsonText, table, Width, write } from "@headgate/command-line"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { exitAtOnce } from "../mover/exitAtOnce.ts"
import { embedded } from "../mover/moverFlags.ts"
import { StartupError, UsageError } from "../StartupError.ts"

const usageError = (message: string) => new UsageError({ message })

/** What is done in place of this command while a server runs. */
const instead =
  "stop that server first, or ask it: `headgate dashboard show` for a dashboard, `headgate pipe rows` for the newest rows of a pipe"

/** The process that has an engine's directory open, as the engine notes it; `undefined` if it says none. */
const processIn = (directory: string): string | undefined =>
  Result.getOrUndefined(Result.try(() => /^PID: (\d+)$/mu.exec(readFileSync(join(directory, "status"), "utf8"))?.[1]))

/** What there is in the directory of an engine into which a server has moved rows. */
const engineFolders = ["metadata", "store", "headgate_inserts"]

/** The directory of `--warehouse embedded:directory`, in which there is an engine. */
const checkDirectory = Effect.fnUntraced(function* (warehouse: string) {
  const directory = warehouse.startsWith(embedded) ? warehouse.slice(embedded.length) : ""
  if (directory === "") {
    return yield* usageError(
      "--warehouse: expected embedded:directory, as the server has it. Ask a server of ClickHouse with clickhouse-client"
    )
  }
  // The engine would make another one in a folder that is mistyped.
  if (!engineFolders.some((name) => existsSync(join(directory, name)))) {
    return yield* new StartupError({ message: `there is no embedded engine in ${directory}: check --warehouse` })
  }
  return directory
})

const Answer = Schema.fromJsonString(
  Schema.Struct({
    meta: Schema.Array(Schema.Struct({ name: Schema.String })),
    data: Schema.Array(Schema.Array(Schema.Unknown))
  })
)
const decodeAnswer = Schema.decodeUnknownEffect(Answer)

/** The statements before the query: nothing is written, and no number loses digits in JSON. */
const prepared = [
  "SET output_format_json_quote_64bit_integers = 1",
  "SET output_format_json_quote_decimals = 1",
  "SET readonly = 1"
]

const hasFormat = /\bFORMAT\s+\w+$/iu

/** The answer to a query of the engine in a directory, as text. The engine is opened for it, and closed. */
const ask = Effect.fnUntraced(function* (directory: string, sql: string) {
  const { ClickHouse, ClickHouseEngine } = yield* Effect.promise(() => import("@headgate/mover-clickhouse"))
  const run = Effect.gen(function* () {
    const engine = yield* ClickHouse
    for (const statement of prepared) yield* engine.run(statement)
    return yield* engine.run(sql)
  })
  const running = processIn(directory)
  yield* exitAtOnce
  return yield* run.pipe(
    Effect.provide(ClickHouseEngine.layerEmbedded({ directory, database: "default" })),
    Effect.catchTags({
      WarehouseRefused: ({ message }) =>
        new StartupError({
          message: message.includes("Failed to create connection")
            ? `the engine in ${directory} is open in another process${running === undefined ? "" : ` (${running})`}, as in a server that runs: ${instead}`
            : message
        }),
      EngineFailure: ({ message }) => new StartupError({ message: `the query failed: ${message}` })
    })
  )
})

const cell = (value: unknown): string =>
  value === null ? "NULL" : escapeTerminalLine(typeof value === "string" ? value : jsonText(value))

export const queryCommand = Command.make(
  "query",
  {
    warehouse: Flag.String("warehouse").pipe(
      Flag.withMetavar("embedded:directory"),
      Flag.withDescription("The embedded engine, as the server has it; that server must be stopped")
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Print an array with an object for each row"),
      Flag.withDefault(false)
    ),
    sql: Argument.String("sql").pipe(Argument.withDescription("A query, such as 'SELECT count() FROM clicks'"))
  },
  Effect.fnUntraced(function* ({ json, sql, warehouse }) {
    const directory = yield* checkDirectory(warehouse)
    const query = sql
      .trim()
      .replace(/(?<!;);+$/u, "")
      .trimEnd()
    if (query === "") return yield* usageError("expected a query")
    if (hasFormat.test(query)) {
      const answer = yield* ask(directory, query)
      return yield* write(answer.replace(/\n$/u, ""))
    }
    // On a line of its own: the query may end with a comment.
    const answer = yield* ask(directory, `${query}\nFORMAT JSONCompact`)
    if (answer.trim() === "") return
    const { data, meta } = yield* Effect.mapError(
      decodeAnswer(answer),
      () => new StartupError({ message: "the query answers no rows: it is not a SELECT" })
    )
    const names = meta.map(({ name }) => name)
    const objects = () => data.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])))
    yield* write(
      json
        ? jsonText(objects(), 2)
        : table([names.map((name) => escapeTerminalLine(name)), ...data.map((row) => row.map(cell))], yield* Width)
    )
  })
).pipe(
  Command.withDescription("Query the tables of an embedded engine whose server is stopped"),
  Command.withExamples([
    {
      command: "headgate-server query --warehouse embedded:./warehouse 'SELECT count() FROM clicks'",
      description: "How many rows a table has"
    }
  ])
)
