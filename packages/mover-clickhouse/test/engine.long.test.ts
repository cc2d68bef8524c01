import { quoteTable, type RunOptions } from "@headgate/clickhouse"
import { assert, it } from "@effect/vitest"
import { type Destination, PipeId } from "@headgate/core"
import type { InsertedRows, Range } from "@headgate/mover"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { once } from "node:events"
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { createServer, type Socket } from "node:net"
import { join } from "node:path"
import { warehouseFailure } from "../src/connection/warehouseFailure.ts"
import { ClickHouse, describeObject } from "../src/index.ts"
import { countInserts, type Memory } from "../src/table/guarantee.ts"
import { describeChdb, directory, embedded, overHttp, startServer } from "./support/chdb.ts"
import { insertRows, openPipe } from "./support/databases.ts"
import { objectAt, startObjectsWith } from "./support/objects.ts"

const pipeId = Schema.decodeSync(PipeId)("b1be0000-0000-4000-8000-0000000000c1")
const range: Range = { pipeId, generation: 1, source: "topic", partition: "it's `0`\\", from: "0", to: "9" }
const window = 10_000

const encode = (text: string) => new TextEncoder().encode(text)
const rowsOf = (...rows: ReadonlyArray<string>) => Stream.fromArray(rows.map(encode))

type Engine = ClickHouse["Service"]

const build = (layer: Layer.Layer<ClickHouse, unknown>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, ClickHouse))

const test = (title: string, body: (engine: Engine) => Effect.Effect<void, unknown, Scope.Scope>) =>
  it.live(title, () => Effect.scoped(Effect.flatMap(build(embedded), body)))

const columns = (types: Readonly<Record<string, string>>): Partial<Destination> => ({
  columns: Object.entries(types).map(([name, type]) => ({ name, type }))
})

/** The one row that an insert has rejected. */
const rejected = Effect.fnUntraced(function* <E>(insert: Effect.Effect<InsertedRows, E>) {
  const [found, ...more] = (yield* insert).rejected
  assert.lengthOf(more, 0)
  return found ?? assert.fail("expected a rejected row")
})

describeChdb("the table", () => {
  test("is created as the destination says, and remembers enough inserts", (engine) =>
    Effect.gen(function* () {
      const { database, lines, warehouse } = yield* openPipe(engine, {
        ...columns({ ts: "DateTime", "user `id`'": "UInt64", version: "UInt32" }),
        tableDefinition: {
          engine: { type: "ReplacingMergeTree", versionColumnId: "version" },
          partitionBy: "toYYYYMM(ts)",
          primaryKey: "toDate(ts)",
          sortingKey: ["toDate(ts)", "user `id`'"]
        }
      })
      const { tables, ...promise } = yield* warehouse.open(pipeId, window)
      assert.deepStrictEqual(promise, { guarantee: "exactly once", isCreated: true })
      assert.deepStrictEqual(Array.from(tables?.keys() ?? []), ["t"])
      const describe = lines(
        `SELECT engine, partition_key, primary_key, sorting_key, extract(engine_full, 'non_replicated_deduplication_window = (\\\\d+)') AS window FROM system.tables WHERE database = '${database}' AND name = 't'`
      )
      const first = yield* describe
      assert.deepStrictEqual(JSON.parse(first[0] ?? ""), {
        engine: "ReplacingMergeTree",
        partition_key: "toYYYYMM(ts)",
        primary_key: "toDate(ts)",
        sorting_key: "toDate(ts), `user \\`id\\`'`",
        window: "10000"
      })
      // More pipes write to it now.
      yield* warehouse.open(pipeId, 24_000)
      assert.include((yield* describe)[0], `"window":"24000"`)
    }))

  test("of a user is never altered: the statement to run is in the refusal", (engine) =>
    Effect.gen(function* () {
      const create = (database: string) => `CREATE TABLE ${database}.t (n UInt64) ENGINE = MergeTree ORDER BY n`
      const { database, warehouse } = yield* openPipe(engine, columns({ n: "UInt64" }), create)
      const error = yield* Effect.flip(warehouse.open(pipeId, window))
      assert.strictEqual(error._tag, "WarehouseRefused")
      const statement = `ALTER TABLE \`${database}\`.\`t\` MODIFY SETTING non_replicated_deduplication_window = 10000`
      assert.isTrue(error.message.endsWith(statement), error.message)
      yield* engine.run(statement)
      assert.strictEqual((yield* warehouse.open(pipeId, window)).guarantee, "exactly once")
    }))

  test("of an engine that forgets tokens is at least once", (engine) =>
    Effect.gen(function* () {
      for (const kind of ["Log", "Memory", "Null", "Buffer(currentDatabase(), 'x', 1, 1, 1, 1, 1, 1, 1)"]) {
        const create = (database: string) => `CREATE TABLE ${database}.t (n UInt64) ENGINE = ${kind}`
        const { warehouse } = yield* openPipe(engine, columns({ n: "UInt64" }), create)
        const { tables, ...promise } = yield* warehouse.open(pipeId, window)
        assert.deepStrictEqual(promise, { guarantee: "at least once", isCreated: false }, kind)
        assert.deepStrictEqual(Array.from(tables?.keys() ?? []), ["t"], kind)
      }
    }))

  test("counts its blocks, those of each partition by themselves if it is replicated", (engine) =>
    Effect.gen(function* () {
      const { database, warehouse } = yield* openPipe(engine, {
        ...columns({ n: "UInt64" }),
        tableDefinition: { partitionBy: "n", sortingKey: ["n"] }
      })
      yield* warehouse.open(pipeId, window)
      const parameters = { database, table: "t" }
      const count = (memory: Memory) =>
        Effect.map(engine.run(`${countInserts(memory)} FORMAT TSV`, parameters), (answer) => Number(answer))
      assert.strictEqual((yield* warehouse.logged(pipeId)).inserts, 0)
      yield* insertRows(warehouse, range, "t", rowsOf('{"n":1}', '{"n":2}', '{"n":1}'))
      assert.strictEqual((yield* warehouse.logged(pipeId)).inserts, 2)
      // This table is not replicated, so the numbers of its two partitions do not begin at 0: their last ones are 2 and 1.
      assert.deepStrictEqual([yield* count("by itself"), yield* count("in Keeper")], [2, 5])
    }))

  test("must have the columns of the destination, with their types", (engine) =>
    Effect.gen(function* () {
      const create = (database: string) =>
        `CREATE TABLE ${database}.t (n Decimal(9, 2), m UInt8 MATERIALIZED 1) ENGINE = Log`
      for (const [types, message] of [
        [{ n: "Decimal32(2)" }, undefined],
        [
          { n: "UInt8" },
          "destination.columns[0].type: column n of the table is Decimal(9, 2), and the pipe's is UInt8"
        ],
        [{ x: "UInt8" }, "the table has no column x"],
        [{ m: "UInt8" }, "the table has no column m"]
      ] as const) {
        const { warehouse } = yield* openPipe(engine, columns(types), create)
        if (message === undefined) yield* warehouse.open(pipeId, window)
        else assert.include((yield* Effect.flip(warehouse.open(pipeId, window))).message, message)
      }
    }))

  test("and its database are named when they do not exist", (engine) =>
    Effect.gen(function* () {
      const missing = yield* openPipe(engine, { ...columns({ n: "UInt8" }), managedTable: false })
      const error = yield* Effect.flip(missing.warehouse.open(pipeId, window))
      assert.strictEqual(error.message, "destination.table: t does not exist, and managedTable is not true")
      const nowhere = yield* openPipe(engine, { ...columns({ n: "UInt8" }), database: "no`where" })
      const refused = yield* Effect.flip(nowhere.warehouse.open(pipeId, window))
      assert.include(refused.message, "CREATE DATABASE `no\\`where`")
    }))

  test("that the engine does not create is refused with its reason", (engine) =>
    Effect.gen(function* () {
      const { warehouse } = yield* openPipe(engine, {
        ...columns({ a: "Map(String, UInt8)", b: "Nullable(UInt8)" }),
        tableDefinition: { sortingKey: ["b"] }
      })
      const error = yield* Effect.flip(warehouse.open(pipeId, window))
      assert.strictEqual(error._tag, "WarehouseRefused")
      assert.include(error.message, "destination: the table cannot be created: ")
    }))

  test("takes names of any characters, and no statements from names, types and keys", (engine) =>
    Effect.gen(function* () {
      const name = "t`; DROP TABLE x; -- '\"\\ /* ü"
      const odd = yield* openPipe(engine, {
        table: name,
        ...columns({ [name]: "Enum8('it\\'s; --' = 1)", "a.b": "Array(UInt8)" }),
        tableDefinition: { sortingKey: [name] }
      })
      yield* odd.warehouse.open(pipeId, window)
      yield* insertRows(odd.warehouse, range, name, rowsOf(JSON.stringify({ [name]: "it's; --", "a.b": [1] })))
      const found = yield* odd.lines(`SELECT * FROM ${quoteTable(odd.database, name)}`)
      assert.deepStrictEqual(JSON.parse(found[0] ?? ""), { [name]: "it's; --", "a.b": [1] })

      const before = yield* engine.run("SELECT count() FROM system.tables")
      for (const type of [
        "UInt8) ENGINE = Null --",
        "UInt8 DEFAULT sleep(3)",
        "UInt8, m UInt8",
        "UInt8 COMMENT 'a'",
        "UInt8 /* a",
        "UInt8; DROP TABLE t",
        "Nested(a UInt8), b UInt8",
        "'",
        "",
        "(SELECT 1)"
      ]) {
        const { warehouse } = yield* openPipe(engine, columns({ n: type }))
        const error = yield* Effect.flip(warehouse.open(pipeId, window))
        assert.strictEqual(error._tag, "WarehouseRefused", type)
        assert.include(error.message, "destination.columns[0].type: ", type)
      }
      for (const key of ["sleep(3)", "file('/etc/passwd')", "n) ENGINE = Null --", "n; DROP TABLE t", "(SELECT 1)"]) {
        for (const [field, tableDefinition] of Object.entries({
          partitionBy: { partitionBy: key },
          primaryKey: { primaryKey: key },
          "sortingKey[0]": { sortingKey: [key] },
          "engine.versionColumnId": { engine: { type: "ReplacingMergeTree", versionColumnId: key } },
          "engine.columnIds": { engine: { type: "SummingMergeTree", columnIds: [key] } }
        })) {
          const { warehouse } = yield* openPipe(engine, { ...columns({ n: "UInt8" }), tableDefinition })
          const error = yield* Effect.flip(warehouse.open(pipeId, window))
          assert.include(error.message, `destination.tableDefinition.${field}: `, key)
        }
      }
      assert.strictEqual(yield* engine.run("SELECT count() FROM system.tables"), before)
    }))
})

describeChdb("rows", () => {
  test("arrive exactly, in UTC, whatever the profile says", (engine) =>
    Effect.gen(function* () {
      const { database, lines, warehouse } = yield* openPipe(
        engine,
        columns({ i: "Int64", u: "UInt64", d: "Decimal(38, 10)", t: "DateTime", m: "DateTime64(3)", s: "String" })
      )
      yield* warehouse.open(pipeId, window)
      yield* insertRows(
        warehouse,
        range,
        "t",
        rowsOf(
          '{"i":-9007199254740993,"u":18446744073709551615,"d":1234567890123456789012345678.1234567891,"t":"2026-01-01T02:00:00+02:00","m":"2026-01-01 00:00:00.125","s":"\\u00fc\\ud83d\\ude00","unknown":[1]}'
        )
      )
      assert.deepStrictEqual(
        yield* lines(
          `SELECT toString(i) AS i, toString(u) AS u, toString(d) AS d, toUnixTimestamp(t) AS t, toUnixTimestamp64Milli(m) AS m, s FROM ${database}.t`
        ),
        [
          '{"i":"-9007199254740993","u":"18446744073709551615","d":"1234567890123456789012345678.1234567891","t":1767225600,"m":"1767225600125","s":"ü😀"}'
        ].map((line) => line.replace('"1767225600125"', "1767225600125"))
      )
    }))

  test("that the engine would change in silence are rejected rows, with their number and reason", (engine) =>
    Effect.gen(function* () {
      const { database, lines, rows, warehouse } = yield* openPipe(
        engine,
        columns({ n: "UInt8", f: "Float64", s: "String" })
      )
      yield* warehouse.open(pipeId, window)
      const good = '{"n":1,"f":1.5,"s":"a"}'
      for (const [bad, reason] of [
        ['{"n":null,"f":1,"s":"a"}', "column n: null, and the column takes none"],
        ['{"n":1,"f":1}', "column s: missing, and the column has no default"],
        ['{"n":300,"f":1,"s":"a"}', "column n: 300: it is out of the range of UInt8"],
        ['{"n":1,"f":1e400,"s":"a"}', "column f: 1e400: it is out of the range of Float64"],
        [good + good, "the row is not one JSON object"],
        ['{"n":{},"f":1,"s":"a"}', "column n: {}: it is an object, and the column takes UInt8"]
      ] as const) {
        const found = yield* rejected(insertRows(warehouse, range, bad, rowsOf(good, bad, good)))
        assert.strictEqual(found.row, 1, bad)
        assert.include(found.reason, reason, bad)
      }
      assert.lengthOf(yield* rows, 12)
      yield* warehouse.insertRejected(
        range,
        "bad",
        Stream.make({ row: 3, content: Uint8Array.of(0x7b, 0xff, 0x00, 0x0a), reason: "it's\nbad" })
      )
      const bad = yield* lines(
        `SELECT hex(raw_message) AS message, error, partition, range_from, range_to, range_row FROM ${database}.t_pipe_errors`
      )
      assert.deepStrictEqual(JSON.parse(bad[0] ?? ""), {
        message: "7BFF000A",
        error: "it's\nbad",
        partition: range.partition,
        range_from: "0",
        range_to: "9",
        range_row: 3
      })
      const ttl = yield* lines(
        `SELECT engine_full LIKE '%TTL toDateTime(time) + toIntervalDay(7)%' AS is FROM system.tables WHERE database = '${database}' AND name = 't_pipe_errors'`
      )
      assert.deepStrictEqual(ttl, ['{"is":1}'])
    }))

  test("that hold any value for a column of any type are taken, or are rejected rows by their number", (engine) =>
    Effect.gen(function* () {
      const types: Readonly<Record<string, string>> = {
        Int8: "1",
        UInt64: "1",
        Int256: "1",
        Float32: "1.5",
        Float64: "1.5",
        "Decimal(10, 2)": "1.5",
        "Decimal(60, 10)": "1.5",
        Bool: "true",
        String: '"a"',
        "FixedString(4)": '"a"',
        "LowCardinality(String)": '"a"',
        Date: '"2026-01-01"',
        Date32: '"2026-01-01"',
        DateTime: '"2026-01-01 00:00:00"',
        "DateTime64(3)": '"2026-01-01 00:00:00"',
        UUID: '"b1be0000-0000-4000-8000-000000000001"',
        IPv4: '"127.0.0.1"',
        IPv6: '"::1"',
        "Enum8('a' = 1)": '"a"',
        "Nullable(UInt8)": "1",
        "Nullable(Float64)": "1.5",
        "Array(UInt8)": "[1]",
        "Array(Nullable(Float64))": "[1.5]",
        "Map(String, UInt8)": '{"a":1}',
        "Tuple(a UInt8, b String)": '{"a":1,"b":"c"}',
        "Tuple(UInt8, Float64)": "[1,1.5]",
        JSON: '{"a":1}',
        "Variant(UInt8, String)": "1",
        Point: "[1,2]"
      }
      const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`
      const values = [
        '"x"',
        '""',
        '"\\ud800"',
        '"\\u0000"',
        '"(at row 9)"',
        `"${"x".repeat(5000)}"`,
        "{}",
        "[]",
        '[1,"x"]',
        '["x"]',
        '{"a":"x"}',
        '{"a":{"a":1}}',
        '{"":1}',
        "true",
        "null",
        "-1",
        "1.5",
        "1e400",
        "-0",
        "01",
        "NaN",
        "nan",
        "Infinity",
        "123456789012345678901234567890",
        '"2026-99-99"',
        '"2026-01-01T00:00:00+99:00"',
        '"9999-01-01"',
        '"b1be"',
        '"1.2.3.400"',
        '"1"',
        "'x'",
        "x",
        "",
        "[[[[1]]]]",
        deep,
        '{"a":1,"a":2}',
        "[1,2,3,4]",
        "[1",
        '{"a"'
      ]
      const wrong: Array<string> = []
      for (const [type, value] of Object.entries(types)) {
        const { warehouse } = yield* openPipe(engine, {
          ...columns({ n: "UInt64", c: type }),
          tableDefinition: { sortingKey: ["n"] }
        })
        yield* warehouse.open(pipeId, window)
        const good = `{"n":1,"c":${value}}`
        const many = Array.from({ length: 100 }, () => good)
        for (const [index, bad] of [value, ...values].entries()) {
          // The engine names no row: it ends the first message at the zero character, and the second one before the row.
          if ((type.startsWith("Enum8") && bad === '"\\u0000"') || (type.startsWith("Variant") && bad === deep))
            continue
          const inserted = insertRows(warehouse, range, `${type} ${index}`, rowsOf(good, `{"n":1,"c":${bad}}`, ...many))
          const said = yield* inserted.pipe(
            Effect.map(({ rejected }) =>
              rejected.length === 0 ? "taken" : `rejected ${rejected.map(({ row }) => row).join(" ")}`
            ),
            Effect.catch((error) => Effect.succeed(`${error._tag}: ${error.message}`))
          )
          const isRight = said === "taken" || (said === "rejected 1" && bad !== value)
          if (!isRight) wrong.push(`${type} with ${bad.slice(0, 50)}: ${said.slice(0, 300)}`)
        }
      }
      assert.deepStrictEqual(wrong, [])
    }))

  test("take a column's default where they do not say", (engine) =>
    Effect.gen(function* () {
      const create = (database: string) =>
        `CREATE TABLE ${database}.t (n UInt8, twice UInt16 DEFAULT n * 2) ENGINE = MergeTree ORDER BY n SETTINGS non_replicated_deduplication_window = 10000`
      const { rows, warehouse } = yield* openPipe(engine, {}, create)
      yield* warehouse.open(pipeId, window)
      yield* insertRows(warehouse, range, "t", rowsOf('{"n":4}', '{"n":5,"twice":null}', '{"n":6,"twice":1}'))
      assert.deepStrictEqual(yield* rows, ['{"n":4,"twice":8}', '{"n":5,"twice":10}', '{"n":6,"twice":1}'])
    }))

  test("of a range are one part, also when they are many and wide", (engine) =>
    Effect.gen(function* () {
      const { database, lines, warehouse } = yield* openPipe(engine, columns({ n: "UInt64", s: "String" }))
      yield* warehouse.open(pipeId, window)
      const text = "x".repeat(300)
      const many = Stream.map(Stream.range(1, 1_200_000), (n) => encode(`{"n":${n},"s":"${text}"}`))
      yield* insertRows(warehouse, range, "t", Stream.rechunk(many, 10_000))
      const inserted = `SELECT count() AS parts, toUInt32(sum(rows)) AS rows FROM system.parts WHERE database = '${database}' AND table = 't' AND active`
      assert.deepStrictEqual(
        (yield* lines(inserted)).map((line) => JSON.parse(line)),
        [{ parts: 1, rows: 1_200_000 }]
      )
    }))

  test("that are no UTF-8 arrive as they are", (engine) =>
    Effect.gen(function* () {
      const { database, lines, warehouse } = yield* openPipe(engine, columns({ s: "String" }))
      yield* warehouse.open(pipeId, window)
      const bytes = Buffer.concat([encode('{"s":"'), Uint8Array.of(0xff), encode('"}')])
      yield* insertRows(warehouse, range, "t", Stream.make(bytes))
      assert.deepStrictEqual(yield* lines(`SELECT hex(s) AS s FROM ${database}.t`), ['{"s":"FF"}'])
    }))

  test("that a view throws on are no rejected rows, and a replay completes the view", (engine) =>
    Effect.gen(function* () {
      const { database, rows, warehouse } = yield* openPipe(engine, columns({ s: "String" }))
      yield* warehouse.open(pipeId, window)
      yield* engine.run(
        `CREATE MATERIALIZED VIEW ${database}.v ENGINE = MergeTree ORDER BY n SETTINGS non_replicated_deduplication_window = 100 AS SELECT toUInt8(s) AS n FROM ${database}.t`
      )
      const text = "x (at row 1): While executing JSONEachRowRowInputFormat"
      const error = yield* Effect.flip(insertRows(warehouse, range, "t", rowsOf(JSON.stringify({ s: text }))))
      assert.strictEqual(error._tag, "WarehouseError", error.message)
      yield* insertRows(warehouse, range, "good", rowsOf('{"s":"7"}'))
      yield* insertRows(warehouse, range, "good", rowsOf('{"s":"7"}'))
      assert.include(yield* rows, '{"s":"7"}')
      assert.strictEqual((yield* engine.run(`SELECT count() FROM ${database}.v`)).trim(), "1")
    }))

  test("that the source cannot give fail with the source's error", (engine) =>
    Effect.gen(function* () {
      const { rows, warehouse } = yield* openPipe(engine, columns({ s: "String" }))
      yield* warehouse.open(pipeId, window)
      const body = Stream.concat(rowsOf('{"s":"a"}'), Stream.fail("the source is gone"))
      assert.strictEqual(yield* Effect.flip(insertRows(warehouse, range, "t", body)), "the source is gone")
      assert.deepStrictEqual(yield* rows, [])
    }))

  it.live("leave no file in the folder of the embedded engine, also when their process was killed", () =>
    Effect.gen(function* () {
      const folder = join(directory(), "headgate_inserts")
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, "left-by-another-process"), "{}")
      const engine = yield* build(embedded)
      assert.deepStrictEqual(readdirSync(folder), [])
      const into = { into: "default.none", format: "FORMAT TSV" }
      yield* Effect.flip(engine.insert(into, rowsOf("1"), warehouseFailure))
      yield* Effect.flip(engine.insert(into, Stream.fail("the source is gone"), warehouseFailure))
      assert.deepStrictEqual(readdirSync(folder), [])
    }).pipe(Effect.scoped)
  )
})

/** A server that takes connections and never answers. `asked` ends with the first one. */
const silentServer = Effect.gen(function* () {
  const asked = yield* Deferred.make<void>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    Effect.runSync(Deferred.succeed(asked, undefined))
  })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.close()
      for (const socket of sockets) socket.destroy()
    })
  )
  yield* Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening"))
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}/bucket/a.json`, asked: Deferred.await(asked) }
})

describeChdb("the embedded engine", () => {
  test("runs other statements while a storage does not answer", (engine) =>
    Effect.gen(function* () {
      const { asked, url } = yield* silentServer
      const describing = describeObject(objectAt(url))
      const object = yield* Effect.forkChild(Effect.exit(Effect.provideService(describing, ClickHouse, engine)))
      yield* asked
      const first = yield* Effect.raceFirst(
        Effect.as(Fiber.join(object), "the object"),
        Effect.as(engine.run("SELECT 1"), "the statement")
      )
      assert.strictEqual(first, "the statement")
      yield* Fiber.interrupt(object)
    }))
})

describeChdb("parameters", () => {
  for (const [name, open] of [
    ["the embedded engine", build(embedded)],
    ["the server", Effect.flatMap(startServer(), (front) => build(overHttp(front)))]
  ] as const) {
    it.live(`of ${name} have any characters, and are none within quotes`, () =>
      Effect.gen(function* () {
        const engine = yield* open
        const text = "it's `\\ \"ü😀\t\n\r\n--\\n {number:UInt64} {text:String}"
        const answer = yield* engine.run(
          "SELECT {text:String} AS text, '\\'{text:String}' AS `\\`{number:UInt64}`, {number:UInt64} + 1 AS next FORMAT JSONEachRow",
          { text, number: "5" }
        )
        const { next, ...more } = JSON.parse(answer)
        assert.deepStrictEqual(more, { text, "`{number:UInt64}": "'{text:String}" })
        assert.strictEqual(Number(next), 6)
      }).pipe(Effect.scoped)
    )
  }

  test("of a statement that takes long hold up no other one", (engine) =>
    Effect.gen(function* () {
      const ended: Array<string> = []
      const run = (name: string, sql: string, options: RunOptions = {}) =>
        Effect.map(engine.run(sql, { rows: "30" }, options), () => ended.push(name))
      const long = "SELECT sleepEachRow(0.1) FROM numbers({rows:UInt64}) SETTINGS max_block_size = 1 FORMAT Null"
      const reads = { timeout: Duration.minutes(1) }
      yield* Effect.all([run("long", long, reads), run("also", long, reads), run("short", "SELECT {rows:UInt64}")], {
        concurrency: 3
      })
      assert.strictEqual(ended[0], "short")
    }))
})

describeChdb("the server", () => {
  const serve = (title: string, body: Effect.Effect<void, unknown, Scope.Scope>) =>
    it.live(title, () => Effect.scoped(body))

  serve(
    "that refuses the settings of an insert is refused",
    Effect.gen(function* () {
      const engine = yield* build(overHttp(yield* startServer()))
      const { database, warehouse } = yield* openPipe(engine, columns({ s: "String" }))
      yield* warehouse.open(pipeId, window)
      const readonly = yield* build(overHttp(yield* startServer({ profile: "SET readonly = 1" })))
      const error = yield* Effect.flip(
        readonly.insert(
          { into: `${database}.t`, format: "SETTINGS async_insert = 0 FORMAT JSONEachRow" },
          rowsOf("{}"),
          warehouseFailure
        )
      )
      assert.strictEqual(error._tag, "WarehouseRefused")
      assert.include(error.message, "the profile of the warehouse's user refuses a setting")
    })
  )

  serve(
    "that refuses the password says so, and the password is in no message",
    Effect.gen(function* () {
      const engine = yield* build(overHttp(yield* startServer(), "pass-5ecret"))
      const error = yield* Effect.flip(engine.run("SELECT 1"))
      assert.strictEqual(error.code, 516)
      assert.notInclude(JSON.stringify(error), "pass-5ecret")
    })
  )

  /** `engine` reads an object, and `watch` of the same engine looks at its statements meanwhile. Returns what it saw. */
  const watchSecret = Effect.fnUntraced(function* (engine: Engine, watch: Engine) {
    const seen: Array<string> = []
    const objects = yield* startObjectsWith(async () => {
      seen.push(await Effect.runPromise(watch.run("SELECT * FROM system.processes FORMAT JSONEachRow")))
    })
    const { warehouse } = yield* openPipe(engine, columns({ s: "String" }))
    yield* warehouse.open(pipeId, window)
    const accessKey = Redacted.make({ accessKeyId: "the-id-of-the-key", secretKey: "the-5ecret/+=" })
    const address = Effect.succeed({ _tag: "S3", url: objects.urlOf("a.json"), accessKey } as const)
    const object = yield* objects.put("a.json", '{"s":"a"}\n', { address })
    const { parts } = yield* warehouse.stage({ pipeId, epoch: 1, id: "owner" }, range, [object])
    assert.deepStrictEqual(
      parts.map(({ rows }) => rows),
      [1]
    )
    assert.isTrue(objects.requests.every(({ isSigned }) => isSigned))
    assert.include(seen.join(), "INSERT INTO")
    yield* engine.run("SYSTEM FLUSH LOGS")
    const logged = yield* Effect.orElseSucceed(
      engine.run("SELECT * FROM system.query_log FORMAT JSONEachRow"),
      () => ""
    )
    for (const text of [...seen, logged]) assert.notInclude(text, "5ecret")
  })

  serve(
    "sees the secret of an object storage in no URL, and shows it in no list of statements",
    Effect.gen(function* () {
      const front = yield* startServer()
      yield* watchSecret(yield* build(overHttp(front)), yield* build(overHttp(yield* startServer())))
      for (const url of front.urls.map(decodeURIComponent)) assert.notInclude(url, "5ecret")
    })
  )

  test("the embedded engine shows the secret of an object storage in no list of statements", (engine) =>
    Effect.flatMap(build(embedded), (watch) => watchSecret(engine, watch)))
})
