import { stagingLaws } from "@headgate/mover/laws"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ClickHouse } from "../src/index.ts"
import { describeChdb, embedded, overHttp, startServer } from "./support/chdb.ts"
import { openPipe } from "./support/databases.ts"
import { startObjects } from "./support/objects.ts"

/** The rows of objects of JSON, and those of CSV, whose lines the engine does not read as JSON. */
const formats = {
  JSONEachRow: {
    row: (number: number) => `{"n":${number},"text":"ünï '${number}'"}`,
    badRow: `{"n":"none","text":"a"}`
  },
  CSV: {
    row: (number: number) => `${number},"ünï '${number}'"`,
    badRow: "none,a",
    badValues: "-1,a"
  }
} as const

const subjectOf = Effect.fnUntraced(function* (engine: ClickHouse["Service"], format: keyof typeof formats) {
  const objects = yield* startObjects
  let keys = 0
  const { database, lines, rows, warehouse } = yield* openPipe(engine, {
    columns: [
      { name: "n", type: "UInt64" },
      { name: "text", type: "String" }
    ],
    tableDefinition: { sortingKey: ["n"], partitionBy: "n % 3" }
  })
  return {
    warehouse,
    put: (lines: ReadonlyArray<string>) => {
      keys += 1
      return objects.put(`${keys}.txt`, lines.map((line) => `${line}\n`).join(""), { format })
    },
    ...formats[format],
    rows: Effect.map(rows, (found) =>
      format === "JSONEachRow" ? found : found.map((line) => formats.CSV.row(Number(JSON.parse(line).n)))
    ),
    stagings: Effect.map(
      lines(`SELECT name FROM system.tables WHERE database = '${database}' AND name LIKE 'headgate_stage_%'`),
      (found) => found.map((line) => String(JSON.parse(line).name))
    )
  }
})

const build = (layer: Layer.Layer<ClickHouse, unknown>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, ClickHouse))

describeChdb("objects over the embedded engine", () => {
  for (const format of ["JSONEachRow", "CSV"] as const) {
    const make = Effect.flatMap(build(embedded), (engine) => subjectOf(engine, format))
    stagingLaws({ name: `embedded ClickHouse, ${format}`, make })
  }
})

describeChdb("objects over HTTP", () => {
  for (const format of ["JSONEachRow", "CSV"] as const) {
    const make = Effect.gen(function* () {
      return yield* subjectOf(yield* build(overHttp(yield* startServer())), format)
    })
    stagingLaws({ name: `ClickHouse over HTTP, ${format}`, make })
  }
})
