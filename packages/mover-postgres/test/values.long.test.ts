import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describePostgres } from "./support/describePostgres.ts"
import { optionsFor } from "./support/optionsFor.ts"
import { engine, makePipe, until } from "./support/pipes.ts"

// Every value is in the target as it is in Postgres, or its row is in the error table with the reason: in a snapshot and as a
// change alike. What is expected stands here, as the engine's `toString` writes it.

/** Its row is in the error table. */
const refused = Symbol("refused")

type Value = readonly [sql: string, expected: string | typeof refused]

const same = (...texts: ReadonlyArray<string>): ReadonlyArray<Value> => texts.map((text) => [`'${text}'`, text])
const none = (...texts: ReadonlyArray<string>): ReadonlyArray<Value> => texts.map((text) => [`'${text}'`, refused])

const types: ReadonlyArray<readonly [type: string, values: ReadonlyArray<Value>]> = [
  [
    "boolean",
    [
      ["true", "true"],
      ["'off'", "false"],
      ["NULL", "NULL"]
    ]
  ],
  ["smallint", same("-32768", "32767", "0")],
  ["integer", same("-2147483648", "2147483647")],
  ["bigint", same("-9223372036854775808", "9223372036854775807", "9007199254740993")],
  ["oid", same("0", "4294967295")],
  [
    "real",
    [
      ["'-0'", "-0"],
      ["'1e-45'", "1e-45"],
      ["'3.4028235e38'", "3.4028235e38"],
      ["'NaN'", "nan"],
      ["'-Infinity'", "-inf"]
    ]
  ],
  [
    "double precision",
    [
      ["'-0'", "-0"],
      ["'5e-324'", "5e-324"],
      ["'1.7976931348623157e308'", "1.7976931348623157e308"],
      ["'NaN'", "nan"],
      ["'Infinity'", "inf"]
    ]
  ],
  ["numeric(9, 2)", [...same("9999999.99", "-0.01"), ["0", "0"], ["1.005", "1.01"], ...none("NaN")]],
  ["numeric(76, 76)", [...same(`0.${"9".repeat(76)}`), ...none("NaN")]],
  ["numeric(76, 0)", [...same("9".repeat(76), `-${"9".repeat(76)}`), ...none("NaN")]],
  ["numeric(77, 1)", same(`${"9".repeat(76)}.9`, "NaN")],
  ["numeric(3, 5)", same("0.00123", "NaN")],
  ["numeric(2, -3)", same("99000", "NaN")],
  ["numeric", same("1.10", "-0.00000000000000000001", "NaN", "Infinity", "-Infinity", "9".repeat(200))],
  [
    "money",
    [
      ["'-92233720368547758.08'", "-$92,233,720,368,547,758.08"],
      ["'1.5'", "$1.50"]
    ]
  ],
  [
    "date",
    [
      ...same("1900-01-01", "2299-12-31", "2024-02-29"),
      ...none("infinity", "-infinity", "1899-12-31", "2300-01-01", "0044-03-15 BC", "5874897-12-31", "0001-01-01")
    ]
  ],
  ["time", same("00:00:00", "24:00:00", "23:59:59.999999")],
  ["time(0)", [["'23:59:59.9'", "24:00:00"]]],
  ["timetz", same("24:00:00+00", "23:59:59.999999-15:59")],
  [
    "timestamp",
    [
      ["'1900-01-01'", "1900-01-01 00:00:00.000000"],
      ["'2299-12-31 23:59:59.999999'", "2299-12-31 23:59:59.999999"],
      ["'2024-01-01 24:00:00'", "2024-01-02 00:00:00.000000"],
      ["'2024-12-31 23:59:60'", "2025-01-01 00:00:00.000000"],
      ...none(
        "infinity",
        "-infinity",
        "1899-12-31 23:59:59.999999",
        "2300-01-01",
        "4714-11-24 BC",
        "294276-12-31 23:59:59.999999"
      )
    ]
  ],
  [
    "timestamp(3)",
    [
      ["'2024-12-31 23:59:59.9996'", "2025-01-01 00:00:00.000000"],
      ["'2299-12-31 23:59:59.9996'", refused]
    ]
  ],
  [
    "timestamptz",
    [
      ["'1900-01-01 00:00:00+00'", "1900-01-01 00:00:00.000000"],
      ["'2299-12-31 22:59:59.999999-01'", "2299-12-31 23:59:59.999999"],
      ...none(
        "infinity",
        "-infinity",
        "1900-01-01 00:00:00+01",
        "2299-12-31 23:00:00-01",
        "0044-03-15 12:00:00+00 BC",
        "99999-01-01 00:00:00+00"
      )
    ]
  ],
  ["interval", same("-178000000 years", "1 mon -1 days +02:03:04.5", "00:00:00", "-00:00:00.000001")],
  [
    "text",
    [
      ...same(
        "",
        "NULL",
        String.raw`\N`,
        String.raw`\\`,
        String.raw`\t`,
        "x".repeat(100_000),
        "é́ 🐎",
        "[]",
        '"quoted"'
      ),
      [String.raw`E'\x01\x02\x1f\x7f'`, "\u0001\u0002\u001F\u007F"],
      ["'it''s'", "it's"],
      ["NULL", "NULL"]
    ]
  ],
  ["varchar(3)", same("a  ", "🐎🐎🐎")],
  ["char(3)", [["'a'", "a  "]]],
  [`"char"`, same("x", "")],
  ["name", same("n")],
  ["bytea", same(String.raw`\x`, String.raw`\x00ff0a5c27`)],
  ["uuid", same("00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff")],
  ["json", same(`{"a":1, "a":2}`, "null", String.raw`"\u0000"`, "1e400")],
  ["jsonb", same(`{"a": null, "b": 1.10}`, "[]", "12345678901234567890.10")],
  ["inet", [...same("::1/64", "10.1.2.3/8"), ["'10.1.2.3/32'", "10.1.2.3"]]],
  ["cidr", same("10.0.0.0/8", "::/0")],
  ["macaddr", same("08:00:2b:01:02:03")],
  ["bit(3)", [["B'101'", "101"]]],
  [
    "bit varying",
    [
      ["B''", ""],
      ["B'1'", "1"]
    ]
  ],
  ["point", same("(1.5,-2)", "(NaN,Infinity)")],
  ["polygon", same("((0,0),(1,1),(1,0))")],
  ["tsvector", [["'b a:1'", "'a':1 'b'"]]],
  ["int4range", [...same("empty", "(,)"), ["'(1,5]'", "[2,6)"]]],
  ["int8multirange", same("{}", "{[1,2),[5,6)}")],
  ["tstzrange", same(`["2024-01-01 00:00:00+00",infinity)`)],
  ["xml", same('<a b="c">d</a>')],
  ["xid8", same("18446744073709551615")],
  ["int2vector", same("1 2 3")],
  ["oidvector", same("1 4294967295")],
  ["mood", [["'it''s, {\"fine\"}\\'", `it's, {"fine"}\\`]]],
  [`public."date"`, same("infinity")],
  ["cents", [...same("12.34"), ...none("NaN")]],
  [
    "pair",
    [
      ["ROW(1, 'a \"b\", c')", `(1,"a ""b"", c")`],
      ["ROW(NULL, NULL)", "(,)"],
      ["ROW(NULL, 'x')", "(,x)"]
    ]
  ],
  [
    "int[]",
    [
      ["'{}'", "[]"],
      ["'{NULL,-1}'", "[NULL,-1]"],
      ["'[1:2]={1,2}'", "[1,2]"],
      ...none("{{1},{2}}", "[0:1]={1,2}", "{{{1}}}")
    ]
  ],
  ["bigint[]", [["'{-9223372036854775808,9223372036854775807}'", "[-9223372036854775808,9223372036854775807]"]]],
  ["real[]", [["'{NaN,-Infinity,-0,1e-45}'", "[nan,-inf,-0,1e-45]"]]],
  ["boolean[]", [["'{t,NULL,f}'", "[true,NULL,false]"], ...none("{{t}}")]],
  ["numeric(5, 2)[]", [["'{1.10,NaN,NULL}'", "['1.10','NaN',NULL]"]]],
  [
    "text[]",
    [
      ["ARRAY['NULL', NULL, '', 'a,b', '{\"}', 'it''s']", `['NULL',NULL,'','a,b','{"}','it\\'s']`],
      ...none("{{a},{b}}", "[2:2]={a}")
    ]
  ],
  ["bytea[]", [[String.raw`ARRAY['\x00'::bytea, '\x']`, String.raw`['\\x00','\\x']`]]],
  ["date[]", [["'{infinity,0044-03-15 BC}'", "['infinity','0044-03-15 BC']"]]],
  ["timestamptz[]", [["'{2024-01-01 00:00:00+01,NULL}'", "['2023-12-31 23:00:00+00',NULL]"]]],
  ["interval[]", [["'{1 year,-00:00:01}'", "['1 year','-00:00:01']"]]],
  ["jsonb[]", [[`ARRAY['{"a": "b,c"}'::jsonb]`, `['{"a": "b,c"}']`]]],
  ["mood[]", [["ARRAY['it''s, {\"fine\"}\\'::mood]", `['it\\'s, {"fine"}\\\\']`]]],
  ["posints", [["'{1,2}'", "[1,2]"], ...none("{{1}}")]],
  [
    "pair[]",
    [
      ["ARRAY[ROW(1, 'a b')::pair]", `['(1,"a b")']`],
      ["ARRAY[ROW(2, 'z'), ROW(NULL, NULL), NULL, ROW(1, 'a')]::pair[]", "['(2,z)','(,)',NULL,'(1,a)']"]
    ]
  ]
]

const cases = types.flatMap(([type, values], column) =>
  values.map(([sql, expected]) => ({ type, column: `c${column}`, sql, expected }))
)

const firstChange = 100_000

describePostgres("values at the edges of types", (newDatabase) => {
  it.live(
    "are in the table as they are, or in the error table with the reason, in a snapshot and as changes alike",
    () =>
      Effect.gen(function* () {
        const database = yield* newDatabase
        const pipe = yield* makePipe(yield* engine)
        const columns = types.map(([type], index) => `c${index} ${type}`)
        yield* database.run(`CREATE TYPE mood AS ENUM ('it''s, {"fine"}\\'); CREATE TYPE public."date" AS ENUM ('infinity');
        CREATE DOMAIN cents AS numeric(10, 2) CHECK (VALUE <> 0); CREATE DOMAIN posints AS int[];
        CREATE TYPE pair AS (n int, t text);
        CREATE TABLE t (id int PRIMARY KEY, ${columns.join(", ")})`)
        // Good and rejected rows alternate as the list has them.
        const insert = (first: number) =>
          database.run(
            cases
              .map(({ column, sql }, index) => `INSERT INTO t (id, ${column}) VALUES (${first + index}, ${sql})`)
              .join(";")
          )
        const bad = cases.filter(({ expected }) => expected === refused).length
        yield* insert(0)
        const fiber = yield* Effect.forkChild(pipe.copy(optionsFor(database, ["t"])))
        const arrived = (times: number) =>
          Effect.sync(() => {
            const { rejectedRows = 0, message, rows = 0 } = pipe.reports.at(-1) ?? {}
            assert.isUndefined(message)
            return rejectedRows + rows >= times * cases.length
          })
        yield* until(arrived(1))
        yield* insert(firstChange)
        yield* until(arrived(2))
        yield* Fiber.interrupt(fiber)

        const errors = yield* pipe.lines(
          `SELECT concat(JSONExtractString(raw_message, 'id'), ' ', error) FROM ${pipe.database}.t_pipe_errors`
        )
        const rejected = new Map(
          errors.map((line) => [Number(line.split(" ", 1)[0]), line.slice(line.indexOf(" ") + 1)])
        )
        const found = new Map<number, string>()
        for (const [index] of types.entries()) {
          const ids = cases.flatMap(({ column }, at) => (column === `c${index}` ? [at, firstChange + at] : []))
          const rows = yield* pipe.lines(
            `SELECT concat(toString(id), ' ', base64Encode(ifNull(toString(c${index}), 'NULL'))) FROM ${pipe.database}.t FINAL
           WHERE _peerdb_is_deleted = 0 AND id IN (${ids.join(", ")})`
          )
          for (const row of rows) {
            const [id = "", text = ""] = row.split(" ")
            found.set(Number(id), Buffer.from(text, "base64").toString("utf8"))
          }
        }
        const wrong: Array<string> = []
        for (const [index, { column, expected, sql, type }] of cases.entries()) {
          for (const first of [0, firstChange]) {
            const [value, reason] = [found.get(first + index), rejected.get(first + index)]
            const isRight =
              expected === refused
                ? value === undefined && reason?.startsWith(`column ${column}: the value does not fit into`) === true
                : value === expected && reason === undefined
            if (isRight) continue
            const where = first === 0 ? "in the snapshot" : "as a change"
            wrong.push(`${type} ${sql.slice(0, 60)} ${where}: ${value?.slice(0, 60)} in the table, error ${reason}`)
          }
        }
        assert.deepStrictEqual(wrong, [])
        assert.strictEqual(errors.length, 2 * bad)
        assert.strictEqual(
          (yield* pipe.lines(`SELECT count() FROM ${pipe.database}.t FINAL WHERE _peerdb_is_deleted = 0`))[0],
          String(2 * (cases.length - bad))
        )
      }).pipe(Effect.scoped)
  )

  it.live("of which an update sends nothing are read back as they are", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const pipe = yield* makePipe(yield* engine)
      // Too large for a page, and nothing that compresses.
      const large = "(SELECT string_agg(md5(i::text), '') FROM generate_series(1, 500) i)"
      yield* database.run(`CREATE TYPE pair AS (n int, t text);
        CREATE TABLE t (id int PRIMARY KEY, p pair, a pair[], n int);
        INSERT INTO t VALUES (1, ROW(NULL, ${large}), ARRAY[ROW(1, ${large})::pair, NULL], 0)`)
      const fiber = yield* Effect.forkChild(pipe.copy(optionsFor(database, ["t"])))
      const value = "md5(p::text) || ' ' || md5(a[1]::text) || ' ' || cardinality(a)"
      const [expected] = yield* database.run(`SELECT ${value} AS value FROM t`)
      const found = (n: number) =>
        pipe
          .lines(
            `SELECT concat(lower(hex(MD5(ifNull(p, 'NULL')))), ' ', lower(hex(MD5(ifNull(a[1], 'NULL')))), ' ', length(a))
             FROM ${pipe.database}.t FINAL WHERE n = ${n}`
          )
          .pipe(Effect.catchCause(() => Effect.succeed<ReadonlyArray<string>>([])))
      for (const n of [0, 1]) {
        if (n === 1) yield* database.run("UPDATE t SET n = 1")
        yield* until(Effect.map(found(n), ({ length }) => length === 1))
        assert.deepStrictEqual(yield* found(n), [String(expected?.["value"])], n === 0 ? "snapshot" : "read back")
      }
      yield* Fiber.interrupt(fiber)
    }).pipe(Effect.scoped)
  )
})
