import { assert, it } from "@effect/vitest"
import { Ledger, movePipe, type MoverStatus, type ObjectFormat, Source, Warehouse } from "@headgate/mover"
import { ClickHouse, ClickHouseWarehouse } from "@headgate/mover-clickhouse"
import { MemoryLedger } from "@headgate/mover/memory"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { ObjectStorage as TestStorage } from "@headgate/harness/ObjectStorage"
import { describeChdb, embedded } from "../../mover-clickhouse/test/support/chdb.ts"
import { ObjectStorage } from "../src/index.ts"
import { pipeId } from "./support/ledger.ts"
import { describeStorage, makeBucket } from "./support/storage.ts"

type Column = Readonly<Record<"name" | "type", string>>

let databases = 0

/** Moves one object into a new table, and returns its rows, the rejected ones, and the last status. */
const moveObject = Effect.fnUntraced(function* (
  storage: TestStorage,
  format: ObjectFormat,
  columns: ReadonlyArray<Column>,
  content:
    | string
    | Uint8Array<ArrayBuffer>
    | ((url: string, run: (sql: string) => Effect.Effect<string, unknown>) => Effect.Effect<unknown, unknown>),
  order = columns[0]?.name ?? ""
) {
  const bucket = yield* makeBucket(storage)
  const engine = Context.get(yield* Layer.build(embedded), ClickHouse)
  databases += 1
  const database = `v${databases}`
  const run = (sql: string) =>
    Effect.map(engine.run(sql.replaceAll("DB", database)), (answer) => answer.split("\n").filter((line) => line !== ""))
  yield* run("CREATE DATABASE DB")
  yield* Effect.addFinalizer(() => Effect.ignore(run("DROP DATABASE DB")))
  yield* typeof content === "function"
    ? content(`${bucket.base}/a`, (sql) => engine.run(sql))
    : bucket.put("a", content)
  const { source } = yield* ObjectStorage.make({
    url: `${bucket.base}/**`,
    format,
    compression: "none",
    isContinuous: false,
    accessKey: Redacted.make({ accessKeyId: "id", secretKey: "the-secret" })
  })
  const layer = ClickHouseWarehouse.layer({
    destination: { database, table: "t", managedTable: true, columns, tableDefinition: { sortingKey: [order] } }
  })
  const warehouse = Context.get(
    yield* Layer.build(layer.pipe(Layer.provide(Layer.succeed(ClickHouse, engine)))),
    Warehouse
  )
  const reports: Array<MoverStatus> = []
  const end = yield* movePipe({
    pipeId,
    limits: { rows: 100_000, bytes: 32_000_000, wait: Duration.millis(50) },
    inFlight: 2,
    partsPerInsert: 1,
    pipesOnTable: 1,
    retryTimeout: Duration.seconds(3),
    report: (status) => Effect.sync(() => void reports.push(status))
  }).pipe(
    Effect.provideService(Source, source),
    Effect.provideService(Warehouse, warehouse),
    Effect.provideService(Ledger, MemoryLedger.make().ledger)
  )
  assert.deepStrictEqual(end, { _tag: "Completed" })
  return {
    rows: (yield* run("SELECT * FROM DB.t ORDER BY ALL FORMAT JSONCompactEachRow")).map((line): unknown =>
      JSON.parse(line)
    ),
    rejected: (yield* run(
      "SELECT toUInt32(range_row), raw_message, error FROM DB.t_pipe_errors ORDER BY range_row FORMAT JSONCompactEachRow"
    )).map((line): readonly [number, string, string] => JSON.parse(line)),
    status: reports.at(-1)
  }
})

const texts: ReadonlyArray<Column> = [
  { name: "a", type: "String" },
  { name: "b", type: "String" }
]

describeStorage("the values of an object", (storage) => {
  const live = (
    name: string,
    body: (storage: TestStorage) => Effect.Effect<void, unknown, import("effect/Scope").Scope>
  ) => it.live(name, () => Effect.scoped(Effect.flatMap(storage, body)))

  describeChdb("in the engine of this process", () => {
    const ends = { CR: "\r", LF: "\n", CRLF: "\r\n" }
    for (const [name, end] of Object.entries(ends)) {
      for (const format of ["CSV", "CSVWithNames", "TabSeparated", "TabSeparatedWithNames"] as const) {
        for (const mark of ["", "\uFEFF"]) {
          live(`are read from ${format} with ${name}${mark === "" ? "" : " and a mark of UTF-8"}`, (storage) =>
            Effect.gen(function* () {
              const isCsv = format.startsWith("CSV")
              const delimiter = isCsv ? "," : "\t"
              const header = format.endsWith("WithNames") ? [`a${delimiter}b`] : []
              const broken = isCsv ? `"x${end}y"${delimiter}"1,"` : `x\\ny${delimiter}1`
              const lines = [...header, broken, `p${delimiter}q`, ""]
              const expected = isCsv
                ? [
                    ["p", "q"],
                    [`x${end}y`, "1,"]
                  ]
                : [
                    ["p", "q"],
                    ["x\ny", "1"]
                  ]
              const { rejected, rows } = yield* moveObject(storage, format, texts, mark + lines.join(end))
              assert.deepStrictEqual(rejected, [])
              assert.deepStrictEqual(rows, expected)
              // The same with a rejected row, which has the number of its line.
              const bad = yield* moveObject(storage, format, texts, mark + [...lines.slice(0, -1), "bad", ""].join(end))
              assert.deepStrictEqual(bad.rows, expected)
              const linesBefore = header.length + (isCsv ? 3 : 2)
              assert.deepStrictEqual(
                bad.rejected.map(([row, text]) => [row, text]),
                [[linesBefore, "bad"]]
              )
            })
          )
        }
      }
    }

    live("keep the blanks of CSV, and are no header where the format has none", (storage) =>
      Effect.gen(function* () {
        for (const more of ["", "bad\n"]) {
          const { rejected, rows } = yield* moveObject(storage, "CSV", texts, `a,b\n x , "y\t\n"" z",\n${more}`)
          assert.deepStrictEqual(rows, [
            [" x ", ' "y\t'],
            ["a", "b"]
          ])
          assert.deepStrictEqual(
            rejected.map(([, text]) => text),
            [`"" z",`, ...(more === "" ? [] : ["bad"])]
          )
        }
      })
    )

    live("are no null and no empty number where the column takes none", (storage) =>
      Effect.gen(function* () {
        const columns = [{ name: "n", type: "Int32" }, ...texts, { name: "o", type: "Nullable(Int32)" }]
        const cases = [
          [
            "CSV",
            ",",
            ['1,,"\\N",', "2,\\N,x,1", ",x,y,1", '"",x,y,1', "3,a,b,\\N"],
            [
              [1, "", "\\N", null],
              [3, "a", "b", null]
            ]
          ],
          [
            "TabSeparated",
            "\t",
            ["1\t\t\\\\N\t5", "2\t\\N\tx\t1", "\tx\ty\t1", "3\ta\tb\t\\N"],
            [
              [1, "", "\\N", 5],
              [3, "a", "b", null]
            ]
          ]
        ] as const
        for (const [format, , lines, expected] of cases) {
          const { rejected, rows } = yield* moveObject(storage, format, columns, lines.join("\n"), "n")
          assert.deepStrictEqual<unknown>(rows, expected)
          assert.deepStrictEqual(
            rejected.map(([row]) => row),
            lines.length === 5 ? [1, 2, 3] : [1, 2]
          )
        }
      })
    )

    live("of Parquet go to the error table row by row, as JSON", (storage) =>
      Effect.gen(function* () {
        const columns = [
          { name: "n", type: "Int32" },
          { name: "d", type: "Decimal(9, 2)" },
          { name: "at", type: "DateTime" },
          { name: "l", type: "Array(Int8)" },
          { name: "t", type: "Nullable(String)" }
        ]
        const write = (rows: string) => (url: string, run: (sql: string) => Effect.Effect<unknown, unknown>) =>
          run(
            `INSERT INTO FUNCTION s3('${url}', 'a', 'b', 'Parquet', 'n Int64, d Decimal(18, 4), at DateTime64(6), l Array(Int64), t Nullable(String)') SETTINGS engine_file_truncate_on_insert = 1, session_timezone = 'UTC' VALUES ${rows}`
          )
        const goodRow = "(1, 1.5, '2024-01-02 03:04:05', [1, -128], NULL)"
        const value = [1, 1.5, "2024-01-02 03:04:05", [1, -128], null]
        const whole = yield* moveObject(storage, "Parquet", columns, write(goodRow))
        assert.deepStrictEqual([whole.rows, whole.rejected], [[value], []])
        const bad = [
          "(4294967297, 1, '2024-01-02 03:04:05', [], 'x')",
          "(2, 1.999, '2024-01-02 03:04:05', [], 'x')",
          "(3, 1, '2024-01-02 03:04:05.5', [], 'x')",
          "(4, 1, '2200-01-02 03:04:05', [], 'x')",
          "(5, 1, '2024-01-02 03:04:05', [300], 'x')"
        ]
        const both = yield* moveObject(
          storage,
          "Parquet",
          columns,
          write([bad[0], goodRow, ...bad.slice(1)].join(", "))
        )
        assert.deepStrictEqual(both.rows, [value])
        assert.deepStrictEqual(
          both.rejected.map(([row, text]) => [row, JSON.parse(text).n]),
          [
            [0, 4294967297],
            [2, 2],
            [3, 3],
            [4, 4],
            [5, 5]
          ]
        )
        assert.include(both.rejected[1]?.[1], '"d":1.999')
      })
    )

    live("of Parquet are the same numbers alone, beside rejected rows and among other objects", (storage) =>
      Effect.gen(function* () {
        const columns = [
          { name: "n", type: "Int8" },
          { name: "f", type: "Float64" },
          { name: "l", type: "Array(Nullable(Float64))" }
        ]
        const write = (
          run: (sql: string) => Effect.Effect<unknown, unknown>,
          url: string,
          type: string,
          rows: string
        ) =>
          run(
            `INSERT INTO FUNCTION s3('${url}', 'a', 'b', 'Parquet', 'n Int32, f ${type}, l Array(Nullable(${type}))') SETTINGS engine_file_truncate_on_insert = 1 VALUES ${rows}`
          )
        const of32 = [1, Math.fround(0.1), [Math.fround(1.3), null]]
        const of64 = [2, 0.1, [1.3]]
        const one = yield* moveObject(storage, "Parquet", columns, (url, run) =>
          write(run, url, "Float32", "(1, 0.1, [1.3, NULL])")
        )
        assert.deepStrictEqual([one.rows, one.rejected], [[of32], []])
        const beside = yield* moveObject(storage, "Parquet", columns, (url, run) =>
          write(run, url, "Float32", "(1, 0.1, [1.3, NULL]), (300, 1, [])")
        )
        assert.deepStrictEqual(beside.rows, [of32])
        assert.lengthOf(beside.rejected, 1)
        const among = yield* moveObject(storage, "Parquet", columns, (url, run) =>
          Effect.andThen(
            write(run, url, "Float32", "(1, 0.1, [1.3, NULL])"),
            write(run, `${url}2`, "Float64", "(2, 0.1, [1.3])")
          )
        )
        assert.deepStrictEqual([among.rows, among.rejected], [[of32, of64], []])
      })
    )
  })
})
