import { assert, it } from "@effect/vitest"
import { PipeId } from "@headgate/core"
import { type ObjectFormat, Ledger, movePipe, type MoverStatus, type Range, Source, Warehouse } from "@headgate/mover"
import { MemoryLedger, MemorySource } from "@headgate/mover/memory"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ClickHouse } from "../src/index.ts"
import { describeChdb, embedded } from "./support/chdb.ts"
import { insertRows, openPipe } from "./support/databases.ts"
import { startObjects } from "./support/objects.ts"

const pipeId = Schema.decodeSync(PipeId)("b1be0000-0000-4000-8000-0000000000d1")
const owner = { pipeId, epoch: 1, id: "owner" }
const range: Range = { pipeId, generation: 1, source: "s", partition: "0", from: "0", to: "9" }
const rowsOf = (...rows: ReadonlyArray<string>) => Stream.fromArray(rows.map((row) => new TextEncoder().encode(row)))

const test = (title: string, body: (engine: ClickHouse["Service"]) => Effect.Effect<void, unknown, Scope.Scope>) =>
  it.live(title, () =>
    Effect.scoped(Effect.flatMap(Layer.build(embedded), (context) => body(Context.get(context, ClickHouse))))
  )

/** A table of a user, with the columns of this definition. */
const userTable = (columns: string) => (database: string) =>
  `CREATE TABLE ${database}.t (${columns}) ENGINE = MergeTree ORDER BY n SETTINGS non_replicated_deduplication_window = 10000`

/** A pipe that writes all columns of a user's table. */
const openTable = (engine: ClickHouse["Service"], columns: string) => openPipe(engine, {}, userTable(columns))

describeChdb("the fields of rows without a column", () => {
  test("are counted, and left out", (engine) =>
    Effect.gen(function* () {
      const { rows, warehouse } = yield* openTable(engine, "n UInt8")
      yield* warehouse.open(pipeId, 100)
      const { unknownFields } = yield* insertRows(
        warehouse,
        range,
        "1",
        rowsOf('{"n":1,"note":"a"}', '{"n":2}', '{"note":"b","n":3,"ünï":{"note":1}}')
      )
      assert.deepStrictEqual(Array.from(unknownFields), [
        ["note", 2],
        ["ünï", 1]
      ])
      assert.lengthOf(yield* rows, 3)
    }))
})

/** Reads an object into the table. */
const stage = Effect.fnUntraced(function* (
  engine: ClickHouse["Service"],
  columns: string,
  body: string | Buffer,
  format: ObjectFormat = "JSONEachRow"
) {
  const objects = yield* startObjects
  const { rows, warehouse } = yield* openTable(engine, columns)
  yield* warehouse.open(pipeId, 100)
  const object = yield* objects.put("an object", body, { format })
  const staged = yield* warehouse.stage(owner, range, [object])
  for (const part of staged.parts) yield* warehouse.movePart(staged.staging, part)
  yield* warehouse.discard(staged.staging)
  return { rows: (yield* rows).map((line): unknown => JSON.parse(line)), unknown: Array.from(staged.unknownFields) }
})

describeChdb("the fields of an object", () => {
  test("without a column are named", (engine) =>
    Effect.gen(function* () {
      const json = yield* stage(engine, "n UInt8", '{"n":1,"note":1}\n{"n":2,"x":[]}')
      assert.deepStrictEqual(json, {
        rows: [{ n: 1 }, { n: 2 }],
        unknown: [
          ["note", undefined],
          ["x", undefined]
        ]
      })
      const csv = yield* stage(engine, "n UInt8", "n,note\n1,a\n", "CSVWithNames")
      assert.deepStrictEqual(csv, { rows: [{ n: 1 }], unknown: [["note", undefined]] })
      const exact = yield* stage(engine, "n UInt8", '{"n":1}\n')
      assert.deepStrictEqual(exact, { rows: [{ n: 1 }], unknown: [] })
    }))

  for (const [type, value] of [
    ["LowCardinality(String)", '"a"'],
    ["LowCardinality(FixedString(2))", '"ab"'],
    ["Array(String)", '["a"]'],
    ["Array(Tuple(a Int64, b String))", '[{"a":1,"b":"x"}]'],
    ["Map(String, String)", '{"a":"b"}'],
    ["Tuple(a String)", '{"a":"b"}'],
    ["Point", "[1,2]"],
    ["String", '"a"'],
    ["UInt8", "1"]
  ] as const) {
    test(`that are missing or null are an error for ${type}, which takes none`, (engine) =>
      Effect.gen(function* () {
        const columns = `n UInt8, c ${type}`
        const whole = yield* stage(engine, columns, `{"n":1,"c":${value}}\n`)
        assert.deepStrictEqual(whole.rows, [{ n: 1, c: JSON.parse(value) }])
        for (const bad of [`{"n":1,"c":${value}}\n{"n":2}\n`, `{"n":1,"c":${value}}\n{"n":2,"c":null}\n`, '{"n":3}']) {
          const error = yield* Effect.flip(stage(engine, columns, bad))
          assert.strictEqual(error._tag, "ObjectRejected", `${bad} ${String(error)}`)
        }
      }))
  }

  test("that are missing are the default of a LowCardinality that has one, and null where it takes null", (engine) =>
    Effect.gen(function* () {
      const columns =
        "n UInt8, c LowCardinality(String) DEFAULT 'd', m LowCardinality(Nullable(String)), k Nullable(UInt8)"
      const { rows } = yield* stage(engine, columns, '{"n":1}\n{"n":2,"c":null,"m":"m","k":null}\n')
      assert.deepStrictEqual(rows, [
        { n: 1, c: "d", m: null, k: null },
        { n: 2, c: "d", m: "m", k: null }
      ])
    }))

  test("that are missing from a header or from Parquet are an error", (engine) =>
    Effect.gen(function* () {
      for (const type of ["String", "LowCardinality(String)", "Array(String)", "UInt8"]) {
        const error = yield* Effect.flip(stage(engine, `n UInt8, c ${type}`, "n\n1\n", "CSVWithNames"))
        assert.include(JSON.stringify(error), "column c: missing, and the column has no default", type)
      }
      const emptyText = yield* stage(engine, "n UInt8, c String", "n,c\n1,\n", "CSVWithNames")
      assert.deepStrictEqual(emptyText.rows, [{ n: 1, c: "" }])
    }))
})

/** A pipe that moves until its end, and what it reported. */
const startPipe = Effect.fnUntraced(function* (engine: ClickHouse["Service"], columns: string) {
  const { database, lines, rows, warehouse } = yield* openTable(engine, columns)
  const source = MemorySource.make()
  const reports: Array<MoverStatus> = []
  const fiber = yield* Effect.forkChild(
    movePipe({
      pipeId,
      limits: { rows: 1000, bytes: 1_000_000, wait: Duration.millis(50) },
      inFlight: 1,
      partsPerInsert: 1,
      pipesOnTable: 1,
      report: (status) => Effect.sync(() => void reports.push(status))
    }).pipe(
      Effect.provideService(Source, source.source),
      Effect.provideService(Warehouse, warehouse),
      Effect.provideService(Ledger, MemoryLedger.make().ledger)
    )
  )
  const table = `${database}.t`
  const arrived = (count: number) =>
    lines(`SELECT count() AS rows FROM ${table}`).pipe(
      Effect.repeat({
        until: ([line]) => Number(JSON.parse(line ?? "{}").rows) >= count,
        schedule: Schedule.spaced("20 millis")
      })
    )
  return { arrived, fiber, reports, rows, source, table }
})

describeChdb("a table that is altered while a pipe runs", () => {
  for (const { after, alter, says, name } of [
    {
      name: "a column of another type",
      alter: "MODIFY COLUMN v UInt8",
      after: '{"n":2,"v":300}',
      says: "the table t was altered: column v was UInt32 and is UInt8"
    },
    {
      name: "a new column",
      alter: "ADD COLUMN w String",
      after: '{"n":2,"v":2,"w":"a"}',
      says: "the table t was altered: column w was added"
    },
    {
      name: "a dropped column",
      alter: "DROP COLUMN v",
      after: '{"n":2,"v":2}',
      says: "the table t was altered: column v was dropped"
    }
  ]) {
    test(`${name} is a warning, and no value changes in silence`, (engine) =>
      Effect.gen(function* () {
        const { arrived, fiber, reports, rows, source, table } = yield* startPipe(engine, "n UInt8, v UInt32")
        yield* source.append("0", '{"n":1,"v":1}')
        yield* arrived(1)
        yield* engine.run(`ALTER TABLE ${table} ${alter}`)
        yield* source.append("0", after)
        yield* source.end
        assert.strictEqual((yield* Fiber.join(fiber))._tag, "Completed")
        const last = reports.at(-1)
        assert.deepStrictEqual(last?.warnings, [says])
        const found = (yield* rows).map((line): unknown => JSON.parse(line))
        if (alter.startsWith("MODIFY")) {
          assert.deepStrictEqual(found, [{ n: 1, v: 1 }])
          assert.strictEqual(last?.rejectedRows, 1)
        } else if (alter.startsWith("ADD")) {
          assert.deepInclude(found, { n: 2, v: 2, w: "a" })
        } else {
          assert.deepStrictEqual(Array.from(last?.unknownFields ?? []), [["v", 1]])
        }
      }))
  }
})
