import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { engine, makePipe, until } from "./support/pipes.ts"
import { describePostgres } from "./support/describePostgres.ts"
import { optionsFor } from "./support/optionsFor.ts"

/** A type of Postgres, the engine's type, and values: how Postgres is given one, and how the engine writes it. */
interface TypeCase {
  readonly source: string
  readonly target: string
  readonly values: ReadonlyArray<readonly [sql: string, text: string]>
}

const nul = String.raw`\N`

const cases: ReadonlyArray<TypeCase> = [
  {
    source: "bool",
    target: "Nullable(Bool)",
    values: [
      ["true", "true"],
      ["false", "false"],
      ["NULL", nul]
    ]
  },
  {
    source: "smallint",
    target: "Nullable(Int16)",
    values: [
      ["-32768", "-32768"],
      ["32767", "32767"]
    ]
  },
  {
    source: "int",
    target: "Nullable(Int32)",
    values: [
      ["-2147483648", "-2147483648"],
      ["2147483647", "2147483647"]
    ]
  },
  {
    source: "bigint",
    target: "Nullable(Int64)",
    values: [
      ["-9223372036854775808", "-9223372036854775808"],
      ["9223372036854775807", "9223372036854775807"],
      ["9007199254740993", "9007199254740993"]
    ]
  },
  {
    source: "real",
    target: "Nullable(Float32)",
    values: [
      ["'NaN'", "nan"],
      ["'-Infinity'", "-inf"],
      ["3.4028235e38", "3.4028235e38"],
      ["0.1", "0.1"]
    ]
  },
  {
    source: "double precision",
    target: "Nullable(Float64)",
    values: [
      ["'NaN'", "nan"],
      ["'Infinity'", "inf"],
      ["0.1", "0.1"],
      ["1e-300", "1e-300"],
      ["NULL", nul]
    ]
  },
  {
    source: "numeric(38, 10)",
    target: "Nullable(Decimal(38, 10))",
    values: [
      ["1234567890123456789012345678.0123456789", "1234567890123456789012345678.0123456789"],
      ["-0.0000000001", "-0.0000000001"],
      ["NULL", nul]
    ]
  },
  { source: "numeric(5, -2)", target: "Nullable(String)", values: [["1234567", "1234600"]] },
  {
    source: "numeric",
    target: "Nullable(String)",
    values: [
      ["1.10", "1.10"],
      ["'NaN'", "NaN"],
      ["'Infinity'", "Infinity"],
      ["1e-20", "0.00000000000000000001"]
    ]
  },
  {
    source: "text",
    target: "Nullable(String)",
    values: [
      [String.raw`E'a\tb\nc\rd\\e\bf\fg\x0bh''i'`, String.raw`a\tb\nc\rd\\e\bf\fg` + "\v" + String.raw`h\'i`],
      ["''", ""],
      [String.raw`'\N'`, String.raw`\\N`],
      ["'žluťoučký 🐎'", "žluťoučký 🐎"],
      ["NULL", nul]
    ]
  },
  { source: "char(4)", target: "Nullable(String)", values: [["'ab'", "ab  "]] },
  {
    source: "uuid",
    target: "Nullable(UUID)",
    values: [
      ["'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
      ["NULL", nul]
    ]
  },
  {
    source: "bytea",
    target: "Nullable(String)",
    values: [
      [String.raw`'\x00ff0a5c'`, String.raw`\\x00ff0a5c`],
      ["''", String.raw`\\x`]
    ]
  },
  {
    source: "date",
    target: "Nullable(Date32)",
    values: [
      ["'1900-01-01'", "1900-01-01"],
      ["'2299-12-31'", "2299-12-31"],
      ["NULL", nul]
    ]
  },
  {
    source: "timestamp",
    target: "Nullable(DateTime64(6, 'UTC'))",
    values: [
      ["'1900-01-01 00:00:00'", "1900-01-01 00:00:00.000000"],
      ["'2299-12-31 23:59:59.999999'", "2299-12-31 23:59:59.999999"],
      ["'1969-12-31 23:59:59.5'", "1969-12-31 23:59:59.500000"]
    ]
  },
  {
    source: "timestamptz",
    target: "Nullable(DateTime64(6, 'UTC'))",
    values: [
      ["'2024-06-30 12:00:00.123456+05:30'", "2024-06-30 06:30:00.123456"],
      ["'2024-01-01 00:00:00-08'", "2024-01-01 08:00:00.000000"],
      ["NULL", nul]
    ]
  },
  { source: "time", target: "Nullable(String)", values: [["'23:59:59.5'", "23:59:59.5"]] },
  { source: "interval", target: "Nullable(String)", values: [["'1 year 2 days 03:04:05'", "1 year 2 days 03:04:05"]] },
  {
    source: "json",
    target: "Nullable(String)",
    values: [
      [`'{"n": 12345678901234567890, "t": "a\\nb"}'`, String.raw`{"n": 12345678901234567890, "t": "a\\nb"}`],
      ["'null'", "null"]
    ]
  },
  {
    source: "jsonb",
    target: "Nullable(String)",
    values: [
      [`'{"b":1.10,"a":null}'`, `{"a": null, "b": 1.10}`],
      ["NULL", nul]
    ]
  },
  { source: "mood", target: "Nullable(String)", values: [["'not ''so'' bad'", String.raw`not \'so\' bad`]] },
  {
    source: "amount",
    target: "Nullable(Decimal(10, 2))",
    values: [
      ["12.5", "12.5"],
      ["NULL", nul]
    ]
  },
  { source: "inet", target: "Nullable(String)", values: [["'::1/64'", "::1/64"]] },
  {
    source: "int[]",
    target: "Array(Nullable(Int32))",
    values: [
      ["'{1,NULL,-3}'", "[1,NULL,-3]"],
      ["'{}'", "[]"],
      ["NULL", "[]"]
    ]
  },
  { source: "float8[]", target: "Array(Nullable(Float64))", values: [["'{NaN,Infinity,1.5}'", "[nan,inf,1.5]"]] },
  { source: "bool[]", target: "Array(Nullable(Bool))", values: [["'{t,f,NULL}'", "[true,false,NULL]"]] },
  {
    source: "uuid[]",
    target: "Array(Nullable(UUID))",
    values: [["'{A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11,NULL}'", "['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',NULL]"]]
  },
  {
    source: "text[]",
    target: "Array(Nullable(String))",
    values: [
      [
        String.raw`ARRAY['it''s', E'a\nb\tc\\d', NULL, 'NULL', '', '"q",{}']`,
        String.raw`['it\'s','a\nb\tc\\d',NULL,'NULL','','"q",{}']`
      ]
    ]
  },
  {
    source: "date[]",
    target: "Array(Nullable(String))",
    values: [["'{2024-01-01,infinity}'", "['2024-01-01','infinity']"]]
  },
  { source: "char(3)[]", target: "Array(Nullable(String))", values: [["'{a,bcd}'", "['a  ','bcd']"]] }
]

/** Values that the engine's types cannot hold. */
const rejected: ReadonlyArray<readonly [source: string, value: string]> = [
  ["numeric(10, 2)", "'NaN'"],
  ["date", "'infinity'"],
  ["date", "'-infinity'"],
  ["date", "'9999-12-31'"],
  ["date", "'0044-03-15 BC'"],
  ["timestamp", "'infinity'"],
  ["timestamp", "'1899-12-31 23:59:59'"],
  ["timestamptz", "'-infinity'"],
  ["timestamptz", "'2300-01-01 00:00:00+00'"],
  ["int[]", "'{{1,2},{3,4}}'"],
  ["int[]", "'[2:3]={1,2}'"],
  ["text[]", "'{{a}}'"]
]

const width = Math.max(...cases.map(({ values }) => values.length))

const valuesAt = (row: number): ReadonlyArray<readonly [string, string]> =>
  cases.map(({ values }) => values[row % values.length] ?? ["NULL", ""])

describePostgres("the types of columns", (newDatabase) => {
  it.live("arrive as they are, in a snapshot and as changes", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const pipe = yield* makePipe(yield* engine)
      const names = cases.map((_, index) => `c${index}`)
      yield* database.run(`CREATE TYPE mood AS ENUM ('not ''so'' bad'); CREATE DOMAIN cents AS numeric(10, 2); CREATE DOMAIN amount AS cents;
        CREATE TABLE t (id int PRIMARY KEY, ${cases.map(({ source }, index) => `c${index} ${source}`).join(", ")},
          twice int GENERATED ALWAYS AS (id * 2) STORED)`)
      const insert = (first: number) =>
        database.run(
          Array.from(
            { length: width },
            (_, row) =>
              `INSERT INTO t (id, ${names.join(", ")}) VALUES (${first + row}, ${valuesAt(row)
                .map(([sql]) => sql)
                .join(", ")})`
          ).join(";")
        )
      yield* insert(0)
      // What the server is told to write has no effect on the pipe.
      yield* database.run(`ALTER DATABASE ${database.name} SET datestyle = 'German'; ALTER DATABASE ${database.name} SET timezone = 'Asia/Tokyo';
        ALTER DATABASE ${database.name} SET bytea_output = 'escape'; ALTER DATABASE ${database.name} SET intervalstyle = 'iso_8601'`)
      const fiber = yield* Effect.forkChild(pipe.copy(optionsFor(database, ["t"])))
      yield* until(Effect.sync(() => pipe.reports.at(-1)?.rows === width))
      yield* insert(100)
      yield* until(Effect.sync(() => pipe.reports.at(-1)?.rows === 2 * width))
      yield* Fiber.interrupt(fiber)
      const table = `${pipe.database}.t FINAL WHERE _peerdb_is_deleted = 0 ORDER BY id`
      for (const first of [0, 100]) {
        const rows = yield* pipe.tsv(
          `SELECT ${names.join(", ")} FROM ${pipe.database}.t FINAL WHERE id >= ${first} AND id < ${first + 100} ORDER BY id`
        )
        for (let row = 0; row < width; row += 1) {
          const fields = (rows[row] ?? "").split("\t")
          for (const [index, [, text]] of valuesAt(row).entries()) {
            assert.strictEqual(
              fields[index],
              text,
              `${cases[index]?.source}, ${first === 0 ? "in the snapshot" : "as a change"}`
            )
          }
        }
      }
      const types = yield* pipe.lines(
        `SELECT type FROM system.columns WHERE database = '${pipe.database}' AND table = 't' AND name LIKE 'c%' ORDER BY position`
      )
      assert.deepStrictEqual(
        types,
        cases.map(({ target }) => target)
      )
      const own = yield* pipe.lines(
        `SELECT concat(name, ' ', type) FROM system.columns WHERE database = '${pipe.database}' AND table = 't' AND name LIKE '_peerdb%'`
      )
      assert.deepStrictEqual(own, [
        "_peerdb_synced_at DateTime64(9)",
        "_peerdb_is_deleted Int8",
        "_peerdb_version Int64"
      ])
      const versions = yield* pipe.lines(`SELECT _peerdb_version = 0 FROM ${table}`)
      assert.deepStrictEqual(
        versions,
        [...Array.from({ length: width }, () => "true"), ...Array.from({ length: width }, () => "false")].map((is) =>
          is === "true" ? "1" : "0"
        )
      )
    }).pipe(Effect.scoped)
  )

  it.live("cannot hold every value: such a row is in the error table, and not in the table", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const pipe = yield* makePipe(yield* engine)
      yield* database.run(`CREATE TABLE t (id int PRIMARY KEY, ${rejected.map(([source], index) => `c${index} ${source}`).join(", ")});
        INSERT INTO t (id) VALUES (0)`)
      const insert = (first: number) =>
        database.run(
          rejected
            .map(([, value], index) => `INSERT INTO t (id, c${index}) VALUES (${first + index}, ${value})`)
            .join(";")
        )
      yield* insert(100)
      const fiber = yield* Effect.forkChild(pipe.copy(optionsFor(database, ["t"])))
      yield* until(Effect.sync(() => pipe.reports.at(-1)?.rejectedRows === rejected.length))
      yield* insert(200)
      // A row that no longer fits leaves the table, and one that fits again comes back.
      yield* database.run(
        "INSERT INTO t (id) VALUES (1), (2); UPDATE t SET c1 = 'infinity' WHERE id IN (1, 2); UPDATE t SET c1 = '2024-01-01' WHERE id = 2"
      )
      yield* until(Effect.sync(() => pipe.reports.at(-1)?.rejectedRows === 2 * rejected.length + 2))
      yield* until(Effect.map(pipe.rows("t", "id,c1"), (rows) => rows.join() === "0|NULL,2|2024-01-01"))
      yield* Fiber.interrupt(fiber)
      const errors = yield* pipe.lines(`SELECT concat(error, ': ', raw_message) FROM ${pipe.database}.t_pipe_errors`)
      assert.strictEqual(
        errors.filter((error) => error.startsWith("column c3: the value does not fit into Date32: ")).length,
        2
      )
      assert.strictEqual(errors.filter((error) => error.includes("9999-12-31")).length, 2)
      assert.strictEqual(errors.length, 2 * rejected.length + 2)
    }).pipe(Effect.scoped)
  )
})
