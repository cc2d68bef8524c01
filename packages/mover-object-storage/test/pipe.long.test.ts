import { assert, it } from "@effect/vitest"
import type { Destination } from "@headgate/core"
import { Ledger, type MoveOptions, movePipe, type MoverStatus, Source, Warehouse } from "@headgate/mover"
import {
  ClickHouse,
  ClickHouseWarehouse,
  type ClickHouseWarehouseOptions,
  describeObject
} from "@headgate/mover-clickhouse"
import { MemoryLedger } from "@headgate/mover/memory"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { gzipSync } from "node:zlib"
import { ObjectStorage, type ObjectStorageOptions } from "../src/index.ts"
import { describeChdb, embedded } from "../../mover-clickhouse/test/support/chdb.ts"
import { pipeId } from "./support/ledger.ts"
import type { ObjectStorage as TestStorage } from "@headgate/harness/ObjectStorage"
import { describeStorage, makeBucket } from "./support/storage.ts"

const secretKey = "the-secret-of-the-bucket"
const accessKey = Redacted.make({ accessKeyId: "the-id-of-the-key", secretKey })

const columns = [
  { name: "n", type: "UInt64" },
  { name: "text", type: "String" }
]

let databases = 0

interface PipeOptions {
  readonly source?: Partial<ObjectStorageOptions>
  readonly destination?: Partial<Destination>
  readonly warehouse?: Partial<ClickHouseWarehouseOptions>
  /** Statements before the pipe opens its table; `DB` is the database. */
  readonly before?: ReadonlyArray<string>
  /** Changes the settings and the format of inserts. */
  readonly format?: (format: string) => string
}

/** A pipe from a new bucket to a table of a new database. */
const makePipe = Effect.fnUntraced(function* (storage: TestStorage, options: PipeOptions = {}) {
  const bucket = yield* makeBucket(storage)
  const opened = Context.get(yield* Layer.build(embedded), ClickHouse)
  let inserts = 0
  const bytesRead: Array<number> = []
  const engine: ClickHouse["Service"] = {
    ...opened,
    run: Effect.fnUntraced(function* (sql, parameters, options) {
      if (sql.includes("base64Encode(line)")) {
        const answer = yield* opened.run(sql.replace("FORMAT TSV", "FORMAT JSON"), parameters, options)
        bytesRead.push(JSON.parse(answer).statistics.bytes_read)
      }
      return yield* opened.run(sql, parameters, options)
    }),
    insert: (statement, rows, refine) => {
      if (!statement.into.includes("headgate_pipe_objects")) inserts += 1
      const { format = (same) => same } = options
      return opened.insert({ ...statement, format: format(statement.format) }, rows, refine)
    }
  }
  databases += 1
  const database = `d${databases}`
  const run = (sql: string, parameters: Readonly<Record<string, string>> = {}) =>
    Effect.map(engine.run(sql.replaceAll("DB", database), parameters), (answer) => answer.trim())
  yield* run("CREATE DATABASE DB")
  yield* Effect.addFinalizer(() => Effect.ignore(run("DROP DATABASE DB")))
  for (const sql of options.before ?? []) yield* run(sql)
  const { first, source } = yield* ObjectStorage.make({
    url: `${bucket.base}/**`,
    format: "JSONEachRow",
    compression: "auto",
    isContinuous: false,
    accessKey,
    ...options.source
  })
  const destination = {
    database,
    table: "t",
    managedTable: true,
    columns,
    tableDefinition: { sortingKey: ["n"], partitionBy: "n % 3" },
    ...options.destination
  }
  const layer = ClickHouseWarehouse.layer({ destination, ...options.warehouse })
  const warehouse = Context.get(
    yield* Layer.build(layer.pipe(Layer.provide(Layer.succeed(ClickHouse, engine)))),
    Warehouse
  )
  const reports: Array<MoverStatus> = []
  const move = (change: (warehouse: Warehouse["Service"]) => Partial<Warehouse["Service"]> = () => ({})) => {
    const moveOptions: MoveOptions = {
      pipeId,
      limits: { rows: 100_000, bytes: 32_000_000, wait: Duration.millis(50) },
      inFlight: 2,
      partsPerInsert: 3,
      pipesOnTable: 1,
      retryTimeout: Duration.seconds(3),
      report: (status) => Effect.sync(() => void reports.push(status))
    }
    return movePipe(moveOptions).pipe(
      Effect.provideService(Source, source),
      Effect.provideService(Warehouse, { ...warehouse, ...change(warehouse) }),
      Effect.provideService(Ledger, ledger.ledger)
    )
  }
  const ledger = MemoryLedger.make()
  /** Has the engine write rows as an object. */
  const write = (key: string, format: string, compression: string, select: string, more = "") =>
    run(
      `INSERT INTO FUNCTION s3({url:String}, 'a', 'b', {format:String}, 'n UInt64, text String', {compression:String}) SETTINGS engine_file_truncate_on_insert = 1${more} ${select}`,
      { url: `${bucket.base}/${key}`, format, compression }
    )
  /** The fields of the first object. */
  const discover = Effect.flatMap(first, (object) =>
    object === undefined ? Effect.succeed(undefined) : Effect.provideService(describeObject(object), ClickHouse, engine)
  )
  return {
    bucket,
    discover,
    run,
    move,
    reports,
    write,
    rows: run("SELECT count(), uniqExact(n), sum(n) FROM DB.t FORMAT TSV"),
    stagings: run(
      "SELECT count() FROM system.tables WHERE database = 'DB' AND name LIKE 'headgate_stage_%' FORMAT TSV"
    ),
    /** How many inserts of rows that passed through the mover were tried. */
    inserts: () => inserts,
    /** The bytes that the engine has read for each batch of lines. */
    bytesRead
  }
})

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `{"n":${from + index},"text":"row ${from + index}"}\n`).join("")

const select = (from: number, count: number): string =>
  `SELECT number + ${from}, 'row ''"\\t,;' || toString(number) FROM numbers(${count})`

describeStorage("a pipe of objects into the engine", (storage) => {
  const live = (
    name: string,
    body: (storage: TestStorage) => Effect.Effect<void, unknown, import("effect/Scope").Scope>
  ) => it.live(name, () => Effect.scoped(Effect.flatMap(storage, body)))

  describeChdb("of this process", () => {
    const formats: ReadonlyArray<readonly [string, ObjectStorageOptions["format"], Partial<ObjectStorageOptions>]> = [
      ["json", "JSONEachRow", {}],
      ["csv", "CSV", {}],
      ["csv", "CSV", { delimiter: ";" }],
      ["csv", "CSVWithNames", {}],
      ["tsv", "TabSeparated", {}],
      ["tsv", "TabSeparatedWithNames", {}],
      ["parquet", "Parquet", {}]
    ]
    for (const [ending, format, change] of formats) {
      live(`reads ${format} ${JSON.stringify(change)}`, (storage) =>
        Effect.gen(function* () {
          const pipe = yield* makePipe(storage, { source: { format, ...change } })
          const delimiter = change.delimiter === undefined ? "" : `, format_csv_delimiter = '${change.delimiter}'`
          yield* pipe.write(`a.${ending}`, format, "none", select(0, 1000), delimiter)
          yield* pipe.write(`b.${ending}`, format, "none", select(1000, 500), delimiter)
          assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
          assert.strictEqual(yield* pipe.rows, `1500\t1500\t${(1499 * 1500) / 2}`)
          const texts = yield* pipe.run("SELECT countIf(text LIKE 'row ''\"\\t,;%') FROM DB.t FORMAT TSV")
          assert.strictEqual(texts, "1500")
          assert.deepInclude(pipe.reports.at(-1), { rows: 1500, ranges: 1, rejectedRows: 0, guarantee: "exactly once" })
        })
      )
    }

    const compressions = [
      ["auto", "gz", "gzip"],
      ["auto", "br", "br"],
      ["auto", "xz", "xz"],
      ["auto", "zst", "zstd"],
      ["gzip", "packed", "gzip"],
      ["brotli", "packed", "br"],
      ["xz", "packed", "xz"],
      ["zstd", "packed", "zstd"],
      ["none", "gz", "none"]
    ] as const
    for (const [compression, ending, written] of compressions) {
      live(`unpacks ${written} of a.${ending} as ${compression}`, (storage) =>
        Effect.gen(function* () {
          const pipe = yield* makePipe(storage, { source: { compression } })
          yield* pipe.write(`a.${ending}`, "JSONEachRow", written, select(0, 1000))
          assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
          assert.strictEqual(yield* pipe.rows, `1000\t1000\t${(999 * 1000) / 2}`)
        })
      )
    }

    live("reads keys of all characters, each object once, though some look alike", (storage) =>
      Effect.gen(function* () {
        const pipe = yield* makePipe(storage)
        const keys = ["a b", "a+b", "a%20b", "a%2Bb", "ünï/😀", "a#b", "a&b=c;d", "a'b\"c", "a\\b"]
        // The engine would read these as patterns, or as a file in an archive, if they were not percent-encoded.
        keys.push("z*", "z?", "z{a,b}", "z.zip::a", "z|y", ` ü+%25&=#?;'"\\*{a,b}::x|(1)`)
        for (const [index, key] of keys.entries()) yield* pipe.bucket.put(key, lines(index, index + 1))
        assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
        const last = keys.length - 1
        assert.strictEqual(yield* pipe.rows, `${keys.length}\t${keys.length}\t${(last * (last + 1)) / 2}`)
      })
    )

    const json = (n: number, isBad: boolean) => `{"n":${isBad ? -n : n},"text":"row"}`
    const numbers = (from: number, to: number, isBad: (n: number) => boolean, line = json) =>
      Array.from({ length: to - from }, (_, index) => line(from + index, isBad(from + index))).join("\n")
    const errors =
      "SELECT range_to, toUInt32(range_row), raw_message, error FROM DB.t_pipe_errors ORDER BY range_to, range_row FORMAT JSONCompactEachRow"

    /** Rows of a format, and why the table rejects one: for its text, or for its value. */
    const rowsOf = (format: ObjectStorageOptions["format"]) => {
      const isJson = format === "JSONEachRow"
      const delimiter = format.startsWith("CSV") ? "," : "\t"
      const header = format.endsWith("WithNames") ? ["text", "n"].join(delimiter) : undefined
      const field = (n: number, isBad: boolean) => (isBad ? (n % 10_000 === 4999 ? `x${n}` : `-${n}`) : `${n}`)
      const values = (n: number, isBad: boolean) =>
        header === undefined ? [field(n, isBad), "row"] : ["row", field(n, isBad)]
      return {
        line: isJson ? json : (n: number, isBad: boolean) => values(n, isBad).join(delimiter),
        header: header === undefined ? "" : `${header}\n`,
        /** The line of a row: a header is one, too. */
        lineOf: (n: number) => (header === undefined ? n : n + 1),
        reasonOf: (n: number) =>
          isJson || n % 10_000 !== 4999
            ? new RegExp(`^column n: -${n}: it is out of the range of UInt64$`)
            : new RegExp(`^column n: x${n}: it is no UInt64$`)
      }
    }
    const formatsOfLines = ["JSONEachRow", "CSV", "CSVWithNames", "TabSeparated", "TabSeparatedWithNames"] as const

    for (const format of formatsOfLines) {
      live(
        `puts 49,990 rows of ${format} into the table, and 10 into the error table with reason, key and line`,
        (storage) =>
          Effect.gen(function* () {
            const pipe = yield* makePipe(storage, { source: { format } })
            const { header, line, lineOf, reasonOf } = rowsOf(format)
            yield* pipe.bucket.put("a", header + numbers(0, 50_000, (n) => n % 5000 === 4999, line))
            yield* pipe.bucket.put("b", header + numbers(50_000, 50_010, () => false, line))
            assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
            assert.strictEqual(yield* pipe.rows, `50000\t50000\t${(50_009 * 50_010) / 2 - 10 * 4999 - 5000 * 45}`)
            const found = (yield* pipe.run(errors)).split("\n").map((text) => JSON.parse(text))
            assert.deepStrictEqual(
              found.map(([key, row, message]) => [key, row, message]),
              Array.from({ length: 10 }, (_, index) => {
                const n = index * 5000 + 4999
                return ["a", lineOf(n), line(n, true)]
              })
            )
            for (const [index, row] of found.entries()) assert.match(row[3], reasonOf(index * 5000 + 4999))
            assert.deepInclude(pipe.reports.at(-1), { rows: 50_000, rejectedRows: 10, guarantee: "exactly once" })
            assert.strictEqual(yield* pipe.stagings, "0")
          })
      )

      for (const isText of format === "JSONEachRow" ? [false] : [true, false]) {
        live(
          `tries at most 20 inserts for 50,000 bad ${isText ? "texts" : "values"} of ${format}, and loses none`,
          (storage) =>
            Effect.gen(function* () {
              const pipe = yield* makePipe(storage, { source: { format } })
              const { header, line } = rowsOf(format)
              const rows = numbers(
                0,
                50_000,
                () => true,
                (n) => line(n * 10_000 + (isText ? 4999 : 1), true)
              )
              yield* pipe.bucket.put("a", header + rows)
              assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
              assert.strictEqual(yield* pipe.rows, "0\t0\t0")
              const found = yield* pipe.run(
                "SELECT count(), uniqExact(raw_message), uniqExact(range_row), max(range_row) - min(range_row) FROM DB.t_pipe_errors FORMAT TSV"
              )
              assert.strictEqual(found, "50000\t50000\t50000\t49999")
              assert.deepInclude(pipe.reports.at(-1), { rows: 0, rejectedRows: 50_000 })
              assert.isAtMost(pipe.inserts(), 20)
            })
        )
      }
    }

    const manyTypes =
      "CREATE TABLE DB.t (n UInt64, text String, o Nullable(Int32), u UInt8 DEFAULT 7, d DateTime, l LowCardinality(String), a Array(String), c Decimal(9, 2), z Nullable(String)) ENGINE = MergeTree ORDER BY n SETTINGS non_replicated_deduplication_window = 10000"
    const csv = [
      '1,"a ""b""\nc, d\n\n",5,9,2026-01-02 03:04:05,x,"[\'p\',\'q\']",1.25,z',
      '2,"e\r\nf"\t,\\N,,2026-01-02T03:04:05Z,x,"[]",1.250,\\N',
      '3,g"h"",-1,300000,1767323045,"",[],-1,""',
      '"4",\'i,"7",8,2026-01-02,"l\n","[\'""\',\'\n\']","3",\''
    ]
    const tsv = [
      "1\ta\\\nb\t5\t9\t2026-01-02 03:04:05\tx\t['p','q']\t1.25\tz",
      "2\te\\\\\t\\N\t\\N\t2026-01-02T03:04:05Z\tx\t[]\t1.250\t\\N",
      '3\t"g\t-1\t8\t1767323045\t\t[]\t-1\tq\\\n\\\\\\\nr'
    ]
    const names = ["n", "text", "o", "u", "d", "l", "a", "c", "z"]
    const swapped = (rows: ReadonlyArray<string>, delimiter: string) => [
      ["unknown", "text2", ...names].join(delimiter),
      ...rows.map((row) => `"u"${delimiter}"t\n,"${delimiter}${row}`)
    ]
    const same: ReadonlyArray<
      readonly [string, ObjectStorageOptions["format"], string, Partial<ObjectStorageOptions>]
    > = [
      ["CSV", "CSV", csv.filter((_, index) => index !== 2).join("\n"), {}],
      ["CSV with CR and LF, and a mark of UTF-8", "CSV", `\uFEFF${[csv[0], csv[1], ""].join("\r\n")}`, {}],
      [
        "CSV with a delimiter",
        "CSV",
        [csv[0], csv[3]].join("\n").replaceAll(/,(?! d|'q'|'\n)/g, ";"),
        { delimiter: ";" }
      ],
      ["CSV with a digit as the delimiter", "CSV", '"1"8"a"8"4"8"5"8"2026-01-02"8"x"8"[]"8"3"8z\n', { delimiter: "8" }],
      ["CSVWithNames", "CSVWithNames", `${swapped([csv[0] ?? "", csv[3] ?? ""], ",").join("\n")}\n`, {}],
      ["TSV", "TabSeparated", tsv.join("\n"), {}],
      ["TabSeparatedWithNames", "TabSeparatedWithNames", [names.join("\t"), ...tsv, ""].join("\n"), {}]
    ]
    for (const [name, format, content, change] of same) {
      live(`reads the rows of an object with rejected rows as it reads those of a good one: ${name}`, (storage) =>
        Effect.gen(function* () {
          const read = Effect.fnUntraced(function* (more: string, rejectedRows: number) {
            const pipe = yield* makePipe(storage, {
              source: { format, ...change },
              before: [manyTypes],
              destination: { columns: [], managedTable: false, tableDefinition: {} }
            })
            yield* pipe.bucket.put("a", content + more)
            assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
            assert.deepInclude(pipe.reports.at(-1), { rejectedRows })
            return yield* pipe.run("SELECT * FROM DB.t ORDER BY n FORMAT JSONEachRow")
          })
          const good = yield* read("", 0)
          assert.isNotEmpty(good)
          assert.strictEqual(yield* read(content.endsWith("\n") ? "bad\n\n" : "\nbad\n\n", 2), good)
        })
      )
    }

    live(
      "finds rejected rows of CSV of several lines, in batches, with mapped fields that the engine would mistake",
      (storage) =>
        Effect.gen(function* () {
          const fieldMappings = [
            { sourceField: "reason", destinationField: "n" },
            { sourceField: "row", destinationField: "text" }
          ]
          const pipe = yield* makePipe(storage, {
            source: { format: "CSVWithNames", delimiter: ";" },
            warehouse: { fieldMappings }
          })
          const count = 60_000
          const isBad = (n: number) => n === 0 || n === 33_333 || n === count - 1
          const rows = numbers(0, count, isBad, (n, bad) => `"a\n;${n}\n";x;${bad ? (n === 0 ? "none" : "-1") : n}`)
          yield* pipe.bucket.put("a.csv.gz", gzipSync(`"row";number;"reason"\r\n${rows}`))
          assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
          assert.strictEqual(
            yield* pipe.rows,
            `${count - 3}\t${count - 3}\t${(count * (count - 1)) / 2 - 33_333 - count + 1}`
          )
          assert.strictEqual(
            yield* pipe.run("SELECT countIf(text = format('a\\n;{}\\n', n)) FROM DB.t"),
            String(count - 3)
          )
          const found = (yield* pipe.run(errors)).split("\n").map((text): unknown => JSON.parse(text).slice(0, 3))
          assert.deepStrictEqual(
            found,
            [0, 33_333, count - 1].map((n) => ["a.csv.gz", n * 3 + 1, `"a\n;${n}\n";x;${n === 0 ? "none" : "-1"}`])
          )
          assert.strictEqual(yield* pipe.stagings, "0")
        })
    )

    live("puts a row of CSV without an end into the error table, with the lines that it takes", (storage) =>
      Effect.gen(function* () {
        const pipe = yield* makePipe(storage, { source: { format: "CSVWithNames" } })
        yield* pipe.bucket.put("a.csv", 'n,text\n20,a\n-1,b\n21,"c\n22,d\n')
        yield* pipe.bucket.put("b.csv", 'n,text\n30,"a""\nb"\n31,"c\n32,d"e\n33,f')
        assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
        assert.strictEqual(yield* pipe.rows, "3\t3\t83")
        const found = (yield* pipe.run(errors)).split("\n").map((text) => JSON.parse(text))
        assert.deepStrictEqual(
          found.map(([key, row, message]) => [key, row, message]),
          [
            ["a.csv", 2, "-1,b"],
            ["a.csv", 3, '21,"c\n22,d'],
            ["b.csv", 3, '31,"c\n32,d"e']
          ]
        )
        assert.strictEqual(found[1]?.[3], "its last value has no end")
        assert.strictEqual(yield* pipe.stagings, "0")
      })
    )

    live("reads all rows of TSV whose lines end with carriage returns beside other objects", (storage) =>
      Effect.gen(function* () {
        const pipe = yield* makePipe(storage, { source: { format: "TabSeparatedWithNames" } })
        yield* pipe.bucket.put("a.tsv", "n\ttext\n1\ta\n2\tb\n")
        yield* pipe.bucket.put("b.tsv", "n\ttext\r3\tc\r4\td\r")
        yield* pipe.bucket.put("c.tsv", "n\ttext\n")
        assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
        assert.strictEqual(yield* pipe.rows, "4\t4\t10")
        assert.strictEqual(yield* pipe.run(errors), "")
        assert.strictEqual(yield* pipe.stagings, "0")
      })
    )

    live("reads CSV whose first row looks like names and types as rows", (storage) =>
      Effect.gen(function* () {
        const pipe = yield* makePipe(storage, {
          source: { format: "CSV" },
          destination: {
            columns: [
              { name: "Date", type: "String" },
              { name: "String", type: "String" }
            ],
            tableDefinition: { sortingKey: ["Date"] }
          }
        })
        yield* pipe.bucket.put("a.csv", "Date,String\nString,Date\n")
        yield* pipe.bucket.put("b.csv", "Date,String\na,b\na,b,c\n")
        assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
        assert.strictEqual(
          yield* pipe.run("SELECT Date, String FROM DB.t ORDER BY ALL FORMAT CSV"),
          '"Date","String"\n"Date","String"\n"String","Date"\n"a","b"'
        )
        assert.deepStrictEqual(JSON.parse(yield* pipe.run(errors)).slice(0, 3), ["b.csv", 2, "a,b,c"])
      })
    )

    live("is not misled by the text of a row of CSV that looks like a failure of another one", (storage) =>
      Effect.gen(function* () {
        const pipe = yield* makePipe(storage, {
          source: { format: "CSV" },
          before: [
            "CREATE TABLE DB.t (n UInt64, text Enum('a' = 1)) ENGINE = MergeTree ORDER BY n SETTINGS non_replicated_deduplication_window = 10000"
          ],
          destination: { columns: [], managedTable: false, tableDefinition: {} }
        })
        const poison = "(at row 1)\n: \nRow 1:\n(at row 1): While executing CSVRowInputFormat"
        yield* pipe.bucket.put("a.csv", `1,a\n2,a\n3,"${poison}"\n4,a\n`)
        assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
        assert.strictEqual(yield* pipe.rows, "3\t3\t7")
        const found = (yield* pipe.run(errors)).split("\n").map((text): unknown => JSON.parse(text).slice(0, 3))
        assert.deepStrictEqual(found, [["a.csv", 2, `3,"${poison}"`]])
      })
    )

    const bad: ReadonlyArray<readonly [string, string]> = [
      ["cut off", '{"n":2,"te'],
      ["not of its format", "n,text"],
      ["a null where none may be", '{"n":null,"text":"a"}'],
      ["no field where one must be", '{"text":"a"}'],
      ["an integer out of range", '{"n":18446744073709551616,"text":"a"}'],
      ["a negative integer", '{"n":-1,"text":"a"}'],
      ["two objects", '{"n":11,"text":"a"} {"n":12,"text":"a"'],
      ["a text as an integer", '{"n":"none","text":"a"}']
    ]
    for (const [name, content] of bad) {
      live(`leaves out a rejected row of an object: ${name}`, (storage) =>
        Effect.gen(function* () {
          const pipe = yield* makePipe(storage)
          yield* pipe.bucket.put("a.json", lines(0, 10))
          // Lines are counted, also those that are no rows.
          yield* pipe.bucket.put("b.json", `\uFEFF${lines(10, 15)}\r\n \t\n${content}\n${lines(15, 20).trimEnd()}`)
          yield* pipe.bucket.put("c.json", lines(20, 30))
          assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
          assert.strictEqual(yield* pipe.rows, "30\t30\t435")
          assert.deepInclude(pipe.reports.at(-1), { rows: 30, rejectedRows: 1 })
          const [key, line, message, reason] = JSON.parse(yield* pipe.run(errors))
          assert.deepStrictEqual([key, line, message], ["b.json", 7, content])
          assert.isNotEmpty(reason)
          assert.notInclude(reason, secretKey)
        })
      )
    }

    live("finds rejected rows far apart, in a packed object with mapped fields, and moves few parts", (storage) =>
      Effect.gen(function* () {
        const fieldMappings = [
          { sourceField: "number", destinationField: "n" },
          { sourceField: "t", destinationField: "text" }
        ]
        const pipe = yield* makePipe(storage, { warehouse: { fieldMappings } })
        const rows = numbers(
          0,
          120_000,
          (n) => n === 1 || n === 119_998,
          (n, isBad) => (isBad ? '{"number":[],"t":"x"}' : `{"number":${n},"t":"ä"}`)
        )
        yield* pipe.bucket.put("a.json.gz", gzipSync(rows))
        const moved: Array<string> = []
        const end = yield* pipe.move(({ movePart }) => ({
          movePart: (staging, part) =>
            pipe
              .run(
                `SELECT count() FROM system.parts WHERE active AND table = '${staging}' AND partition_id = '${part.part}'`
              )
              .pipe(
                Effect.tap((parts) => Effect.sync(() => moved.push(parts))),
                Effect.orDie,
                Effect.andThen(movePart(staging, part))
              )
        }))
        assert.deepStrictEqual(end, { _tag: "Completed" })
        assert.deepStrictEqual(moved, ["1", "1", "1"])
        assert.strictEqual(yield* pipe.rows, `119998\t119998\t${(119_999 * 120_000) / 2 - 119_999}`)
        const found = (yield* pipe.run(errors)).split("\n").map((line): unknown => JSON.parse(line)[1])
        assert.deepStrictEqual(found, [1, 119_998])
      })
    )

    live(
      "counts the rows with unknown fields of an object with a rejected row, over all batches of its lines",
      (storage) =>
        Effect.gen(function* () {
          const pipe = yield* makePipe(storage)
          const rows = numbers(
            0,
            50_010,
            (n) => n === 7,
            (n, isBad) => `{"n":${isBad ? "[]" : n},"text":"x"${n < 3 || n > 50_005 ? ',"more":1' : ""}}`
          )
          yield* pipe.bucket.put("a.json", rows)
          assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
          assert.deepInclude(pipe.reports.at(-1), {
            rows: 50_009,
            rejectedRows: 1,
            unknownFields: new Map([["more", 7]])
          })
        })
    )

    live("reads lines of 8 MB, as many as an object has", (storage) =>
      Effect.gen(function* () {
        const pipe = yield* makePipe(storage)
        // 400 MB: the memory of the copy is less than twice as much and more.
        const count = 50
        const text = gzipSync("x".repeat(8_000_000))
        const packed = [-1, ...Array(count).keys()].flatMap((n) => [
          gzipSync(`{"n":${n},"text":"`),
          text,
          gzipSync('"}\n')
        ])
        yield* pipe.bucket.put("a.json.gz", Buffer.concat(packed))
        assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
        assert.strictEqual(yield* pipe.rows, `${count}\t${count}\t${(count * (count - 1)) / 2}`)
        assert.deepInclude(pipe.reports.at(-1), { rows: count, rejectedRows: 1 })
      })
    )

    live("inserts the good rows of an object plainly, once, whose last row is rejected", (storage) =>
      Effect.gen(function* () {
        const pipe = yield* makePipe(storage, { warehouse: { objects: "insert" } })
        const count = 60_000
        yield* pipe.bucket.put("a.json.gz", gzipSync(numbers(0, count, (n) => n === count - 1)))
        assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
        assert.strictEqual(yield* pipe.rows, `${count - 1}\t${count - 1}\t${((count - 2) * (count - 1)) / 2}`)
        assert.deepStrictEqual(JSON.parse(yield* pipe.run(errors)).slice(0, 2), ["a.json.gz", count - 1])
        assert.strictEqual(yield* pipe.stagings, "0")
      })
    )

    live("reads the lines of an object with a rejected row once, however long they are", (storage) =>
      Effect.gen(function* () {
        const pipe = yield* makePipe(storage)
        const text = "x".repeat(20_000)
        const rows = numbers(
          0,
          2000,
          (n) => n === 0,
          (n, isBad) => `{"n":${isBad ? "[]" : n},"text":"${text}"}`
        )
        yield* pipe.bucket.put("a.json.gz", gzipSync(rows))
        assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
        assert.strictEqual(yield* pipe.rows, `1999\t1999\t${(1999 * 2000) / 2}`)
        const sum = pipe.bytesRead.reduce((total, bytes) => total + bytes, 0)
        assert.isAtMost(sum, 2 * rows.length)
      })
    )

    const whole: ReadonlyArray<readonly [string, string, string | Uint8Array<ArrayBuffer>]> = [
      ["an array of rows", "JSONEachRow", '[{"n":20,"text":"a"},\n{"n":21,"text":"a"},\n{"n":-1,"text":"a"}]'],
      ["rows of several lines", "JSONEachRow", '{\n"n":20,\n"text":"a"\n}\n{\n"n":-1,\n"text":"a"\n}\n'],
      ["something else than JSON", "JSONEachRow", "n,text\n1,a\n"],
      ["a line that is too long", "JSONEachRow", `${lines(20, 30)}{"n":-1,"text":"${"x".repeat(9_000_000)}"}\n`],
      ["a quoted value of CSV that is too long", "CSV", `"${`${"x".repeat(999_999)}\n`.repeat(9)}",a\n22,d\n`],
      ["a line of CSV that is too long", "CSV", `20,a\n-1,b\n21,${"x".repeat(9_000_000)}\n`],
      ["CSV without the field of a column", "CSVWithNames", "n,more\n20,a\n-1,b\n"],
      ["CSV with two fields of a name", "CSVWithNames", "n,text,n\n20,a,1\n"],
      ["a damaged Parquet", "Parquet", "PAR1PAR1"]
    ]
    for (const [name, format, content] of whole) {
      live(`sends an object to the error table, whole: ${name}`, (storage) =>
        Effect.gen(function* () {
          const pipe = yield* makePipe(storage, { source: { format: format as "CSV", compression: "none" } })
          yield* pipe.bucket.put("a", content)
          yield* pipe.write("b", format, "none", select(0, 10))
          assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
          assert.strictEqual(yield* pipe.rows, "10\t10\t45")
          assert.deepInclude(pipe.reports.at(-1), { rows: 10, rejectedRows: 1 })
          const [key, line, message, reason] = JSON.parse(yield* pipe.run(errors))
          assert.deepStrictEqual([key, line, message], ["a", 0, "a"])
          assert.isNotEmpty(reason)
          assert.notInclude(reason, secretKey)
          assert.strictEqual(yield* pipe.stagings, "0")
        })
      )
    }

    live("sends an object that is damaged to the error table, whole", (storage) =>
      Effect.gen(function* () {
        const pipe = yield* makePipe(storage)
        const packed = gzipSync(lines(0, 1000))
        yield* pipe.bucket.put("a.json.gz", packed.subarray(0, packed.length - 100))
        assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
        assert.strictEqual(yield* pipe.rows, "0\t0\t0")
        assert.deepStrictEqual(JSON.parse(yield* pipe.run(errors)).slice(0, 3), ["a.json.gz", 0, "a.json.gz"])
      })
    )

    live("fills a column that has a default, and leaves out what has no column", (storage) =>
      Effect.gen(function* () {
        const create =
          "CREATE TABLE DB.t (n UInt64, u UInt8 DEFAULT 7, o Nullable(Int32), l LowCardinality(String), a Array(UInt8), d DateTime) ENGINE = ReplacingMergeTree PARTITION BY (n % 2, u) PRIMARY KEY n ORDER BY (n, u) TTL d + toIntervalYear(100) SETTINGS non_replicated_deduplication_window = 10000"
        const pipe = yield* makePipe(storage, {
          before: [create],
          destination: { columns: [], managedTable: false, tableDefinition: {} }
        })
        const row = '"l":"x","a":[1,2],"d":"2026-01-02T03:04:05Z","unknown":1'
        // Two rows of one key: the engine of the table merges them later, and none is missed before.
        yield* pipe.bucket.put(
          "a.json",
          `{"n":1,${row}}\n{"n":1,${row}}\n{"n":2,"u":null,"o":3,${row}}\n{"n":3,"u":9,${row}}`
        )
        assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
        assert.deepInclude(pipe.reports.at(-1), { rows: 4 })
        const answer = yield* pipe.run(
          "SELECT DISTINCT n, u, o, l, a, toUnixTimestamp(d) FROM DB.t ORDER BY n FORMAT TSV"
        )
        assert.strictEqual(
          answer,
          ["1\t7\t\\N", "2\t7\t3", "3\t9\t\\N"].map((line) => `${line}\tx\t[1,2]\t1767323045`).join("\n")
        )
      })
    )

    const keys = [
      "ORDER BY n",
      "ORDER BY (n)",
      "ORDER BY tuple()",
      "PARTITION BY n ORDER BY (n, text)",
      "PARTITION BY (n) PRIMARY KEY (n) ORDER BY (n, text)",
      "PARTITION BY (n % 2, length(text)) PRIMARY KEY n ORDER BY (n, cityHash64(n, text))",
      "PARTITION BY tuple() ORDER BY cityHash64(n, text)"
    ]
    for (const clauses of keys) {
      live(`moves rows into a table with ${clauses}`, (storage) =>
        Effect.gen(function* () {
          const create = `CREATE TABLE DB.t (n UInt64, text String, INDEX i text TYPE bloom_filter, CONSTRAINT c CHECK n < 100) ENGINE = MergeTree ${clauses} SETTINGS non_replicated_deduplication_window = 10000, index_granularity = 100`
          const pipe = yield* makePipe(storage, {
            before: [create],
            destination: { managedTable: false, tableDefinition: {} }
          })
          yield* pipe.bucket.put("a.json", lines(0, 10))
          assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
          assert.strictEqual(yield* pipe.rows, "10\t10\t45")
        })
      )
    }

    live("discovers the fields of the first object, and their types", (storage) =>
      Effect.gen(function* () {
        const json = yield* makePipe(storage)
        assert.isUndefined(yield* json.discover)
        yield* json.bucket.put("b.json", "no row")
        const { _tag } = yield* Effect.flip(json.discover)
        assert.strictEqual(_tag, "ObjectRejected")
        yield* json.bucket.put("a/", "")
        yield* json.bucket.put("a.json", '{"n":1,"t":"x","at":"2026-01-02 03:04:05","more":[1]}\n')
        const found = yield* json.discover
        const fields = found?.columns.map(({ name, type }) => `${name} ${type}`)
        assert.deepStrictEqual(fields, ["n Int64", "t String", "at DateTime", "more Array(Int64)"])
        assert.deepStrictEqual(found?.samples, [["1", "x", "2026-01-02 03:04:05", "[1]"]])
        const parquet = yield* makePipe(storage, { source: { format: "Parquet", compression: "none" } })
        yield* parquet.write("a.parquet", "Parquet", "none", select(0, 10))
        const inParquet = yield* parquet.discover
        assert.deepStrictEqual(
          inParquet?.columns.map(({ name }) => name),
          ["n", "text"]
        )
        assert.lengthOf(inParquet?.samples ?? [], 10)
      })
    )

    live("reads mapped fields, and refuses fields without names", (storage) =>
      Effect.gen(function* () {
        const fieldMappings = [
          { sourceField: "a b'`", destinationField: "n" },
          { sourceField: "n", destinationField: "text" }
        ]
        const pipe = yield* makePipe(storage, { warehouse: { fieldMappings } })
        yield* pipe.bucket.put("a.json", '{"a b\'`":5,"n":"x","text":"y"}\n')
        assert.deepStrictEqual(yield* pipe.move(), { _tag: "Completed" })
        assert.strictEqual(yield* pipe.run("SELECT n, text FROM DB.t FORMAT TSV"), "5\tx")
        const csv = yield* makePipe(storage, { warehouse: { fieldMappings }, source: { format: "CSV" } })
        yield* csv.bucket.put("a.csv", "1,a\n")
        const end = yield* csv.move()
        assert.deepStrictEqual(end, {
          _tag: "Failed",
          message: "fieldMappings: fields of CSV have no names: use CSVWithNames"
        })
      })
    )

    live("plans an object anew that changes while it is read", (storage) =>
      Effect.gen(function* () {
        const pipe = yield* makePipe(storage)
        yield* pipe.bucket.put("a.json", lines(0, 10))
        let reads = 0
        const end = yield* pipe.move(({ stage }) => ({
          stage: (owner, range, object) =>
            Effect.tap(stage(owner, range, object), () =>
              (reads += 1) > 1 ? Effect.void : Effect.orDie(pipe.bucket.put("a.json", lines(100, 103)))
            )
        }))
        assert.strictEqual(end._tag, "Completed")
        assert.strictEqual(yield* pipe.rows, "3\t3\t303")
        assert.strictEqual(yield* pipe.stagings, "0")
      })
    )

    live(
      "reads what two writers put a second apart, and neither version twice of what was deleted and put again",
      (storage) =>
        Effect.gen(function* () {
          const pipe = yield* makePipe(storage, { source: { isContinuous: true, pollEvery: Duration.millis(20) } })
          const mover = yield* Effect.forkChild(pipe.move())
          let objects = 0
          const put = (key: string) => pipe.bucket.put(key, lines(objects * 10, (objects += 1) * 10))
          const untilRows = (rows: number) =>
            Effect.gen(function* () {
              while (pipe.reports.at(-1)?.rows !== rows) yield* Effect.sleep("20 millis")
            })
          // The clock of the second writer is two seconds behind.
          for (const [first, second] of [
            ["one/10:00:02.json", "two/10:00:00.json"],
            ["one/10:00:03.json", "two/10:00:01.json"]
          ] as const) {
            yield* put(first)
            yield* untilRows(objects * 10)
            yield* Effect.sleep("1 second")
            yield* put(second.replace("two/", "one/"))
            yield* untilRows(objects * 10)
          }
          assert.strictEqual(yield* pipe.rows, "40\t40\t780")

          const key = "one/10:00:02.json"
          yield* pipe.bucket.remove(key)
          yield* Effect.sleep("200 millis")
          yield* pipe.bucket.put(key, lines(1000, 1010))
          while (pipe.reports.at(-1)?.listing?.changed !== 1) yield* Effect.sleep("20 millis")
          const { listing, warnings = [] } = pipe.reports.at(-1) ?? {}
          assert.strictEqual(listing?.example, key)
          assert.include(
            warnings.join(),
            `1 objects have changed since they were read, and are not read again, such as ${key}`
          )
          // Deleted before it was read, or read in the version that it has again.
          yield* put("one/never read.json")
          yield* pipe.bucket.remove("one/never read.json")
          yield* pipe.bucket.put("one/never read.json", lines(40, 50))
          yield* untilRows(50)
          yield* Fiber.interrupt(mover)
          assert.strictEqual(yield* pipe.rows, "50\t50\t1225")
        })
    )

    live("refuses a table with a view, and inserts plainly into it if it is asked to", (storage) =>
      Effect.gen(function* () {
        const before = [
          "CREATE TABLE DB.t (n UInt64, text String) ENGINE = MergeTree ORDER BY n SETTINGS non_replicated_deduplication_window = 10000",
          "CREATE MATERIALIZED VIEW DB.v ENGINE = MergeTree ORDER BY n AS SELECT n FROM DB.t"
        ]
        for (const objects of ["stage", "insert"] as const) {
          const pipe = yield* makePipe(storage, {
            before,
            destination: { tableDefinition: {} },
            warehouse: { objects }
          })
          // The table would take the rows of the second object for those of the first one.
          for (const key of ["a.json", "b.json"]) yield* pipe.bucket.put(key, lines(0, 10))
          const end = yield* pipe.move()
          const viewed = yield* pipe.run("SELECT count() FROM DB.v FORMAT TSV")
          if (objects === "stage") {
            assert.strictEqual(end._tag, "Failed")
            const message = "moved rows do not reach materialized views, and t has the view v"
            assert.include(end.message ?? "", message)
            assert.include(end.message ?? "", "Drop the view, or set object_storage_exactly_once to false")
            assert.deepStrictEqual([yield* pipe.rows, viewed], ["0\t0\t0", "0"])
          } else {
            assert.strictEqual(end._tag, "Completed")
            assert.strictEqual(pipe.reports.at(-1)?.guarantee, "at least once")
            assert.deepStrictEqual([yield* pipe.rows, viewed], ["20\t10\t90", "20"])
          }
        }
      })
    )

    live("is Failed if a staging table is dropped before its rows were moved", (storage) =>
      Effect.gen(function* () {
        const pipe = yield* makePipe(storage)
        yield* pipe.bucket.put("a.json", lines(0, 10))
        const end = yield* pipe.move(({ movePart }) => ({
          movePart: (staging, part) =>
            Effect.andThen(Effect.orDie(pipe.run(`DROP TABLE DB.${staging} SYNC`)), movePart(staging, part))
        }))
        assert.strictEqual(end._tag, "Failed")
        assert.include(end.message ?? "", "nothing proves whether part 0 of headgate_stage_")
        assert.strictEqual(yield* pipe.rows, "0\t0\t0")
      })
    )

    live("finds a part that a broken server left in both tables, and does not move it again", (storage) =>
      Effect.gen(function* () {
        const pipe = yield* makePipe(storage)
        yield* pipe.bucket.put("a.json", lines(0, 10))
        let attached = 0
        const end = yield* pipe.move(({ movePart }) => ({
          movePart: Effect.fnUntraced(function* (staging, part) {
            // Like a move that broke off after the table had the parts, and before the staging table gave them up.
            yield* Effect.orDie(pipe.run(`ALTER TABLE DB.t ATTACH PARTITION ID '${part.part}' FROM DB.${staging}`))
            attached += 1
            yield* movePart(staging, part)
          })
        }))
        assert.strictEqual(end._tag, "Completed")
        assert.strictEqual(attached, 3)
        assert.strictEqual(yield* pipe.rows, "10\t10\t45")
      })
    )

    live("says that the storage is gone, without its credentials, and goes on with new objects", (storage) =>
      Effect.gen(function* () {
        const gone = yield* makePipe(storage, { source: { url: "http://127.0.0.1:1/bucket/**" } })
        const end = yield* gone.move()
        assert.strictEqual(end._tag, "Failed")
        assert.include(end.message ?? "", "the storage 127.0.0.1:1 cannot be reached")
        const pipe = yield* makePipe(storage, { source: { isContinuous: true, pollEvery: Duration.millis(20) } })
        const fiber = yield* Effect.forkChild(pipe.move())
        for (let object = 0; object < 5; object += 1) {
          yield* pipe.bucket.put(`${object}.json`, lines(object * 10, object * 10 + 10))
          const arrived = Effect.sync(() => pipe.reports.at(-1)?.rows === (object + 1) * 10)
          while (!(yield* arrived)) yield* Effect.sleep("20 millis")
        }
        yield* Fiber.interrupt(fiber)
        assert.strictEqual(yield* pipe.rows, "50\t50\t1225")
        assert.notInclude(JSON.stringify([...gone.reports, ...pipe.reports]), secretKey)
      })
    )
  })
})
