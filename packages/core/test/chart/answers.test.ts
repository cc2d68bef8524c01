import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chartsOf, minute, requestOf, showQuery, tableOf, ten } from "./chartFixture.ts"

const at = (minutes: number) => new Date(ten + minutes * minute).toISOString()
const count = { aggFn: "count" }
const line = (rest: object = {}) => requestOf({ displayType: "line", select: [count], ...rest })

describe("values of answers", () => {
  it.effect("are numbers where a number holds them, texts where none does, and null where there is none", () =>
    Effect.gen(function* () {
      const typed: ReadonlyArray<readonly [type: string, value: unknown, answered: unknown]> = [
        ["UInt64", "9007199254740991", 9007199254740991],
        ["UInt64", "9007199254740993", "9007199254740993"],
        ["Int64", "-9223372036854775808", "-9223372036854775808"],
        ["Nullable(Int256)", "-7", -7],
        ["LowCardinality(Nullable(UInt64))", null, null],
        ["Decimal(18, 4)", "1.5000", "1.5000"],
        ["Float64", Number.NaN, null],
        ["Float64", Number.NEGATIVE_INFINITY, null],
        ["Float64", null, null],
        ["Float64", -1e308, -1e308],
        ["UInt8", 1, 1],
        ["Bool", true, true],
        ["DateTime64(9, 'UTC')", "2026-11-23T10:00:00.123456789Z", ten + 123],
        ["Nullable(DateTime)", "1969-12-31T23:59:59Z", -1000],
        ["Date", "2026-11-23", "2026-11-23"],
        ["String", "NULL", "NULL"],
        ["Array(String)", ["a"], ["a"]],
        ["Map(String, UInt64)", { a: "1" }, { a: "1" }]
      ]
      const columns = Object.fromEntries(typed.map(([type], index) => [`c${index}`, type]))
      const table = tableOf({ ts: "DateTime", ...columns })
      const { query } = chartsOf({ tables: [table], answers: [{ columns, rows: [typed.map(([, value]) => value)] }] })
      const data = yield* query(requestOf({ displayType: "search", select: Object.keys(columns).join(",") }))
      assert.deepStrictEqual(data.rows, [typed.map(([, , answered]) => answered)])
    })
  )
})

describe("groups of answers", () => {
  it.effect("are told apart by their values: NULL, its text, an empty text, and names of columns", () =>
    Effect.gen(function* () {
      const labels = [null, "NULL", "", "time", "count()", "😀\n\u202e", "x".repeat(2000)]
      const { query } = chartsOf({
        answers: [
          {
            columns: { g0: "Nullable(String)", bucket: "DateTime", v0: "UInt8" },
            rows: labels.map((label, index) => [label, at(0), index])
          }
        ]
      })
      const data = yield* query(line({ groupBy: "body" }))
      const first = data.rows.filter(([time]) => time === ten)
      const byLabel = new Map(first.map(([, label, value]) => [label, value]))
      assert.deepStrictEqual(
        labels.map((label) => byLabel.get(label)),
        labels.map((_, index) => index)
      )
      // NULL is last.
      assert.isNull(first.at(-1)?.[1])
    })
  )

  it.effect("are sorted as numbers if they are", () =>
    Effect.gen(function* () {
      const { query } = chartsOf({
        answers: [
          {
            columns: { g0: "UInt64", bucket: "DateTime", v0: "UInt8" },
            rows: ["10", "9", "100"].map((one) => [one, at(0), 1])
          }
        ]
      })
      const data = yield* query(line({ groupBy: "size" }))
      assert.deepStrictEqual(
        data.rows.slice(0, 3).map(([, group]) => group),
        [9, 10, 100]
      )
    })
  )

  it.effect("are at most as many as the chart allows, 250 unless it says so; 0 is no limit", () =>
    Effect.gen(function* () {
      const { queries, query } = chartsOf()
      yield* query(line({ groupBy: "service" }))
      yield* query(line({ groupBy: "service", seriesLimit: 0 }))
      yield* query(line({ seriesLimit: 3 }))
      assert.deepStrictEqual(
        queries.map((one) => showQuery(one).mostSeries),
        [250, undefined, undefined]
      )
    })
  )
})

describe("columns of answers", () => {
  it.effect("have names of their own", () =>
    Effect.gen(function* () {
      const { query } = chartsOf()
      const select = [count, { ...count, alias: "service" }, count]
      const data = yield* query(line({ select, groupBy: "service, service" }))
      assert.deepStrictEqual(
        data.columns.map(({ name }) => name),
        ["time", "service", "service__2", "count()", "service__4", "count()__2"]
      )
      const found = yield* query(requestOf({ displayType: "search", select: "ms, ms" }))
      assert.deepStrictEqual(
        found.columns.map(({ name }) => name),
        ["ms", "ms__1"]
      )
      const taken = yield* query(
        line({
          select: [
            { ...count, alias: "a" },
            { ...count, alias: "a__2" },
            { ...count, alias: "a" }
          ]
        })
      )
      assert.deepStrictEqual(
        taken.columns.map(({ name }) => name),
        ["time", "a", "a__2", "a__2__2"]
      )
    })
  )
})

describe("bounds of answers", () => {
  it.effect("100,000 rows", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 100_001 }, (_, index) => [`g${index}`, at(index % 5), 1])
      const { query } = chartsOf({ answers: [{ columns: { g0: "String", bucket: "DateTime", v0: "UInt8" }, rows }] })
      const data = yield* query(line({ groupBy: "body", seriesLimit: 0 }))
      assert.deepStrictEqual([data.rows.length, data.truncated], [100_000, true])
      assert.deepStrictEqual(data.warnings, [
        "Periods without rows are not filled: there would be 500000 rows, and there may be 100000"
      ])
    })
  )

  it.effect("16 MiB", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 180 }, (_, index) => [index, "é".repeat(50_000)])
      const { query } = chartsOf({ answers: [{ columns: { c0: "UInt32", c1: "String" }, rows }] })
      const data = yield* query(requestOf({ displayType: "search", select: "size, body" }))
      // Each row has 100,000 bytes and a few.
      assert.deepStrictEqual([data.rows.length, data.truncated], [167, true])
    })
  )

  it.effect("49 periods of 8 groups have less than 16 KB", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 49 * 8 }, (_, index) => [
        `service-${index % 8}`,
        at(Math.floor(index / 8) * 30),
        String(20_000 + index)
      ])
      const { query } = chartsOf({ answers: [{ columns: { g0: "String", bucket: "DateTime", v0: "UInt64" }, rows }] })
      const data = yield* query({ ...line({ groupBy: "service" }), to: ten + 49 * 30 * minute, granularity: "30m" })
      assert.strictEqual(data.rows.length, 392)
      assert.isBelow(JSON.stringify(data).length, 16_384)
    })
  )

  it.effect("a filled answer has each period of each group once", () =>
    Effect.gen(function* () {
      const rows = [0, 3, 3, 7, 19].map((minutes, index) => [`g${index % 3}`, at(minutes), 1])
      const { query } = chartsOf({ answers: [{ columns: { g0: "String", bucket: "DateTime", v0: "UInt8" }, rows }] })
      const data = yield* query({ ...line({ groupBy: "body" }), to: ten + 20 * minute })
      const keys = new Set(data.rows.map(([time, group]) => `${String(time)} ${String(group)}`))
      assert.deepStrictEqual([data.rows.length, keys.size], [60, 60])
      assert.strictEqual(
        data.rows.reduce((sum, row) => sum + Number(row[2]), 0),
        5
      )
    })
  )
})

describe("an answer with the period before", () => {
  it.effect("fills both, and has the same columns twice", () =>
    Effect.gen(function* () {
      const columns = { g0: "String", bucket: "DateTime", v0: "UInt8" }
      const { query } = chartsOf({
        answers: [
          { columns, rows: [["a", at(1), 5]] },
          { columns, rows: [["b", at(-5), 7]] }
        ]
      })
      const data = yield* query({ ...line({ groupBy: "service" }), previousPeriod: true })
      const expected = [0, 1, 2, 3, 4].flatMap((minutes) => [
        [ten + minutes * minute, "a", minutes === 1 ? 5 : 0, 0],
        [ten + minutes * minute, "b", 0, minutes === 0 ? 7 : 0]
      ])
      assert.deepStrictEqual(data.rows, expected)
      assert.deepStrictEqual(
        data.columns.map(({ isPrevious = false, role }) => [role, isPrevious]),
        [
          ["time", false],
          ["group", false],
          ["value", false],
          ["value", true]
        ]
      )
    })
  )

  it.effect("is asked for by the request or, if it does not say, by the tile", () =>
    Effect.gen(function* () {
      const asks = (compareToPreviousPeriod: boolean, request: object) =>
        Effect.gen(function* () {
          const { queries, query } = chartsOf()
          yield* query({ ...line({ compareToPreviousPeriod }), ...request })
          return queries.length
        })
      assert.deepStrictEqual(
        [
          yield* asks(false, {}),
          yield* asks(true, {}),
          yield* asks(true, { previousPeriod: false }),
          yield* asks(false, { previousPeriod: true })
        ],
        [1, 2, 1, 2]
      )
    })
  )

  it.effect("of a table has a row for each group of either", () =>
    Effect.gen(function* () {
      const columns = { g0: "String", v0: "UInt8" }
      const { queries, query } = chartsOf({
        answers: [
          {
            columns,
            rows: [
              ["a", 5],
              ["b", 6]
            ]
          },
          {
            columns,
            rows: [
              ["b", 1],
              ["c", 2]
            ]
          }
        ]
      })
      const data = yield* query(
        requestOf({ displayType: "table", select: [count], groupBy: "service" }, { previousPeriod: true })
      )
      assert.deepStrictEqual(data.rows, [
        ["a", 5, null],
        ["b", 6, 1],
        ["c", null, 2]
      ])
      assert.include(
        String(showQuery(queries[1]!).where),
        "fromUnixTimestamp64Milli(1795427700000)), less(ts, fromUnixTimestamp64Milli(1795428000000)"
      )
    })
  )

  it.effect("adds no series where some are not shown", () =>
    Effect.gen(function* () {
      const columns = { g0: "String", bucket: "DateTime", v0: "UInt8" }
      const { query } = chartsOf({
        answers: [
          { columns, rows: [["a", at(1), 5]], groups: 2 },
          {
            columns,
            rows: [
              ["a", at(-4), 1],
              ["z", at(-4), 7]
            ]
          }
        ]
      })
      const data = yield* query({
        ...line({ groupBy: "service", fillNulls: false, seriesLimit: 1 }),
        previousPeriod: true
      })
      assert.deepStrictEqual([data.rows, data.hiddenSeries], [[[ten + minute, "a", 5, 1]], 1])
    })
  )

  it.effect("compares days of 23, 24 and 25 hours by their place", () =>
    Effect.gen(function* () {
      const columns = { bucket: "DateTime('Europe/Berlin')", v0: "UInt8" }
      const day = (month: number, date: number, hour: number) =>
        new Date(Date.UTC(2026, month - 1, date, hour)).toISOString()
      const { query } = chartsOf({
        answers: [
          {
            columns,
            rows: [
              [day(3, 28, 23), 29],
              [day(3, 29, 22), 30]
            ]
          },
          {
            columns,
            rows: [
              [day(3, 26, 23), 27],
              [day(3, 27, 23), 28]
            ]
          }
        ]
      })
      const data = yield* query({
        ...line(),
        from: Date.UTC(2026, 2, 28, 23),
        to: Date.UTC(2026, 2, 30, 22),
        granularity: "1d",
        timezone: "Europe/Berlin",
        previousPeriod: true
      })
      assert.deepStrictEqual(data.rows, [
        [Date.UTC(2026, 2, 28, 23), 29, 27],
        [Date.UTC(2026, 2, 29, 22), 30, 28]
      ])
    })
  )
})
