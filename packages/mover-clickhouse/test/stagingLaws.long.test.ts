import { stagingLaws } from "@headgate/mover/laws"
import { assert, it } from "@effect/vitest"
import { PipeId } from "@headgate/core"
import type { StagedPart } from "@headgate/mover"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { ClickHouse } from "../src/index.ts"
import { describeChdb, embedded, overHttp, startServer } from "./support/chdb.ts"
import { openPipe } from "./support/databases.ts"
import { startObjects } from "./support/objects.ts"

/** The rows of objects of JSON, and those of CSV, whose lines the engine does not read as JSON. */
const formats = {
  JSONEachRow: {
    row: (number: number) => `{"n":${number},"text":"ünï '${number}'"}`,
    rejectedRow: `{"n":"none","text":"a"}`
  },
  CSV: {
    row: (number: number) => `${number},"ünï '${number}'"`,
    rejectedRow: "none,a",
    badValues: "-1,a"
  }
} as const

/** Removes the parts that were merged, as the engine does some minutes later, or when it starts. */
const removeInactive = (database: string, engine: ClickHouse["Service"]) =>
  engine.run(`ALTER TABLE ${database}.t MODIFY SETTING old_parts_lifetime = 0`).pipe(
    Effect.andThen(
      // To drop a partition, though there is none of this name, the engine removes old parts.
      Effect.delay(engine.run(`ALTER TABLE ${database}.t DROP PARTITION ID 'none'`), "50 millis").pipe(
        Effect.andThen(
          engine.run(
            `SELECT count() FROM system.parts WHERE database = '${database}' AND table = 't' AND NOT active FORMAT TSV`
          )
        ),
        Effect.repeat({ until: (inactive) => inactive.trim() === "0" })
      )
    )
  )

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
    removeInactive: removeInactive(database, engine),
    run: (sql: string) => engine.run(sql.replaceAll("DB.", `${database}.`)),
    warehouse,
    put: (lines: ReadonlyArray<string>) => {
      keys += 1
      return objects.put(`${keys}.txt`, lines.map((line) => `${line}\n`).join(""), { format })
    },
    ...formats[format],
    rows: Effect.map(rows, (found) =>
      format === "JSONEachRow" ? found : found.map((line) => formats.CSV.row(Number(JSON.parse(line).n)))
    ),
    rejected: Effect.map(
      lines(`SELECT toUInt32(range_row) AS row, raw_message FROM ${database}.t_pipe_errors ORDER BY row`),
      (found) =>
        found.map((line) => {
          const { raw_message, row } = JSON.parse(line)
          return [Number(row), String(raw_message)] as const
        })
    ),
    interruptMove: Effect.fnUntraced(function* (staging: string) {
      const partitions = yield* lines(`SELECT DISTINCT partition_id AS id FROM system.parts WHERE table = '${staging}'`)
      for (const line of partitions) {
        yield* engine.run(
          `ALTER TABLE ${database}.t ATTACH PARTITION ID '${JSON.parse(line).id}' FROM ${database}.${staging}`
        )
      }
      yield* engine.run(`OPTIMIZE TABLE ${database}.t FINAL`)
      yield* removeInactive(database, engine)
    }),
    stagings: Effect.map(
      lines(`SELECT name FROM system.tables WHERE database = '${database}' AND name LIKE 'headgate_stage_%'`),
      (found) => found.map((line) => String(JSON.parse(line).name))
    )
  }
})

const build = (layer: Layer.Layer<ClickHouse, unknown>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, ClickHouse))

// The way to the engine and the format of an object do not touch each other: each of both is in one of the two runs.
describeChdb("objects", () => {
  const make = Effect.flatMap(build(embedded), (engine) => subjectOf(engine, "JSONEachRow"))
  stagingLaws({ name: "embedded ClickHouse, JSONEachRow", make })
  stagingLaws({
    name: "ClickHouse over HTTP, CSV",
    make: Effect.gen(function* () {
      return yield* subjectOf(yield* build(overHttp(yield* startServer())), "CSV")
    })
  })
})

const pipeId = Schema.decodeSync(PipeId)("b1be0000-0000-4000-8000-0000000000c7")
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `{"n":${from + index},"text":"a"}`)

/** A table with three rows and a staging with another one, all of one partition, and what the warehouse says before it is moved. */
const stageOne = Effect.gen(function* () {
  const subject = yield* subjectOf(yield* build(embedded), "JSONEachRow")
  const { put, run, warehouse } = subject
  yield* warehouse.open(pipeId, 10_000)
  yield* run("ALTER TABLE DB.t MODIFY SETTING old_parts_lifetime = 100000")
  for (const n of [0, 3, 6]) yield* run(`INSERT INTO DB.t VALUES (${n}, 'a')`)
  const range = { pipeId, generation: 1, source: "bucket", partition: "0", from: "", to: "a.json" }
  const { parts, staging } = yield* warehouse.stage({ pipeId, epoch: 1, id: "one" }, range, [yield* put(lines(9, 10))])
  const part: StagedPart = parts[0] ?? assert.fail("nothing was staged")
  const before = yield* warehouse.beforeMove(part)
  const numbers = Effect.map(subject.rows, (rows) =>
    rows.map((row) => Number(JSON.parse(row).n)).toSorted((a, b) => a - b)
  )
  return { ...subject, staging, part, before, numbers }
})

describeChdb("a move that was interrupted", () => {
  const arrive = (staging: string) => `ALTER TABLE DB.t ATTACH PARTITION ID '0' FROM DB.${staging}`

  it.live("has moved a part that was merged, while the engine keeps the inactive one", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { before, numbers, part, run, staging, warehouse } = yield* stageOne
        yield* run(arrive(staging))
        yield* run("OPTIMIZE TABLE DB.t FINAL")
        yield* warehouse.movePart(staging, part, before)
        assert.deepStrictEqual(yield* numbers, [0, 3, 6, 9])
      })
    )
  )

  it.live("is made again beside new rows that were not merged, and after merges of the old ones", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { before, numbers, part, run, staging, warehouse } = yield* stageOne
        yield* run("OPTIMIZE TABLE DB.t FINAL")
        yield* run("ALTER TABLE DB.t UPDATE text = 'b' WHERE n = 3 SETTINGS mutations_sync = 2")
        yield* run("SYSTEM STOP MERGES DB.t")
        for (const n of [12, 15]) yield* run(`INSERT INTO DB.t VALUES (${n}, 'a')`)
        yield* warehouse.movePart(staging, part, before)
        assert.deepStrictEqual(yield* numbers, [0, 3, 6, 9, 12, 15])
      })
    )
  )

  it.live.each<readonly [string, (staging: string) => ReadonlyArray<string>, ReadonlyArray<number>]>([
    ["new rows were merged", () => ["INSERT INTO DB.t VALUES (12, 'a')", "OPTIMIZE TABLE DB.t FINAL"], [0, 3, 6, 12]],
    [
      "the part that arrived was mutated",
      (staging) => [arrive(staging), "ALTER TABLE DB.t UPDATE text = 'b' WHERE n = 9 SETTINGS mutations_sync = 2"],
      [0, 3, 6, 9]
    ],
    ["the rows of the table were removed", () => ["TRUNCATE TABLE DB.t"], []]
  ])("is not decided, and not made again, when %s", ([, statements, expected]) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { before, numbers, part, removeInactive, run, staging, warehouse } = yield* stageOne
        for (const statement of statements(staging)) yield* run(statement)
        yield* removeInactive
        const error = yield* Effect.flip(warehouse.movePart(staging, part, before))
        assert.strictEqual(error._tag, "CannotContinue")
        assert.include(error.message, "a move of it was interrupted, and the table was merged or changed since")
        assert.include(error.message, `.\`${staging}\` shows them`)
        assert.deepStrictEqual(yield* numbers, expected)
      })
    )
  )
})
