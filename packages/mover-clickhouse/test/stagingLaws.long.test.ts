import { stagingLaws } from "@headgate/mover/laws"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ClickHouse } from "../src/index.ts"
import { describeChdb, embedded, overHttp, startServer } from "./support/chdb.ts"
import { openPipe } from "./support/databases.ts"
import { startObjects } from "./support/objects.ts"

const subjectOf = Effect.fnUntraced(function* (engine: ClickHouse["Service"]) {
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
      return objects.put(`${keys}.json`, lines.map((line) => `${line}\n`).join(""))
    },
    row: (number: number) => `{"n":${number},"text":"ünï '${number}'"}`,
    badRow: `{"n":"none","text":"a"}`,
    rows,
    stagings: Effect.map(
      lines(`SELECT name FROM system.tables WHERE database = '${database}' AND name LIKE 'headgate_stage_%'`),
      (found) => found.map((line) => String(JSON.parse(line).name))
    )
  }
})

const build = (layer: Layer.Layer<ClickHouse, unknown>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, ClickHouse))

describeChdb("objects over the embedded engine", () => {
  stagingLaws({ name: "embedded ClickHouse", make: Effect.flatMap(build(embedded), subjectOf) })
})

describeChdb("objects over HTTP", () => {
  stagingLaws({
    name: "ClickHouse over HTTP",
    make: Effect.gen(function* () {
      return yield* subjectOf(yield* build(overHttp(yield* startServer())))
    })
  })
})
