import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chartsOf, minute, requestOf, showQuery, ten } from "./chartFixture.ts"

const inRange =
  "greaterOrEquals(ts, fromUnixTimestamp64Milli(1795428000000)), less(ts, fromUnixTimestamp64Milli(1795428300000))"
const byMinute = "bucket = toStartOfInterval(toDateTime(ts, 'UTC'), toIntervalMinute(1))"
const at = (minutes: number) => new Date(ten + minutes * minute).toISOString()
const line = (rest: object) => requestOf({ displayType: "line", ...rest })
const count = { aggFn: "count" }

describe("a chart over time", () => {
  it.effect("asks for a row for each group and period, and fills periods without rows", () =>
    Effect.gen(function* () {
      const { queries, query } = chartsOf({
        answers: [
          {
            columns: { g0: "LowCardinality(String)", bucket: "DateTime('UTC')", v0: "UInt64", v1: "Float64" },
            rows: [
              ["web", at(0), "3", 1.5],
              ["api", at(2), "18446744073709551615", Number.NaN]
            ],
            groups: 7
          }
        ]
      })
      const select = [
        count,
        {
          aggFn: "quantile",
          level: 0.95,
          valueExpression: "ms",
          alias: "p95",
          where: "service = 'web'",
          whereLanguage: "sql"
        }
      ]
      const data = yield* query(
        line({ select, groupBy: "service", seriesLimit: 2, numberFormat: { output: "number" } })
      )
      assert.deepStrictEqual(queries.map(showQuery), [
        {
          from: "logs",
          where: `and(${inRange})`,
          groups: ["g0 = service"],
          bucket: byMinute,
          values: ["v0 = count()", "v1 = quantileIf(0.95)(ms, equals(service, 'web'))"],
          orderBy: ["bucket", "g0"],
          limit: 100_001,
          mostSeries: 2
        }
      ])
      assert.deepStrictEqual<unknown>(data, {
        displayType: "line",
        from: ten,
        to: ten + 5 * minute,
        granularitySeconds: 60,
        columns: [
          { name: "time", type: "DateTime('UTC')", role: "time" },
          { name: "service", type: "LowCardinality(String)", role: "group" },
          { name: "count()", type: "UInt64", role: "value", numberFormat: { output: "number" } },
          { name: "p95", type: "Float64", role: "value", numberFormat: { output: "number" } }
        ],
        rows: [0, 1, 2, 3, 4].flatMap((minutes) => [
          [ten + minutes * minute, "api", ...(minutes === 2 ? ["18446744073709551615", null] : [0, 0])],
          [ten + minutes * minute, "web", ...(minutes === 0 ? [3, 1.5] : [0, 0])]
        ]),
        hiddenSeries: 5,
        truncated: false,
        rowsRead: 10,
        elapsedMs: 2,
        warnings: []
      })
    })
  )

  it.effect("leaves gaps with fillNulls false, and without rows nothing is drawn", () =>
    Effect.gen(function* () {
      const columns = { bucket: "DateTime", v0: "UInt64" }
      const { query } = chartsOf({
        answers: [
          { columns, rows: [[at(3), "1"]] },
          { columns, rows: [] }
        ]
      })
      assert.deepStrictEqual((yield* query(line({ select: [count], fillNulls: false }))).rows, [[ten + 3 * minute, 1]])
      assert.deepStrictEqual((yield* query(line({ select: [count] }))).rows, [])
    })
  )

  it.effect("adds the conditions of all values to WHERE if each has one", () =>
    Effect.gen(function* () {
      const { queries, query } = chartsOf()
      const where = (text: string) => ({ aggFn: "count", where: text, whereLanguage: "sql" })
      yield* query(line({ select: [where("ms > 1"), where("service = 'a'")] }))
      yield* query(line({ select: [where("ms > 1"), count] }))
      assert.deepStrictEqual(
        queries.map((one) => showQuery(one).where),
        [`and(and(${inRange}), or(greater(ms, 1), equals(service, 'a')))`, `and(${inRange})`]
      )
    })
  )

  it.effect("puts the period before beside the range, with its times moved forward", () =>
    Effect.gen(function* () {
      const columns = { bucket: "DateTime", v0: "UInt64" }
      const { queries, query } = chartsOf({
        answers: [
          { columns, rows: [[at(1), "5"]] },
          { columns, rows: [[at(-4), "7"]] }
        ]
      })
      const data = yield* query(line({ select: [count], compareToPreviousPeriod: true, fillNulls: false }))
      assert.deepStrictEqual(data.rows, [[ten + minute, 5, 7]])
      assert.deepStrictEqual(
        data.columns.map(({ isPrevious }) => isPrevious),
        [undefined, undefined, true]
      )
      assert.include(String(showQuery(queries[1] ?? queries[0]!).where), "1795427700000")
    })
  )

  it.effect("computes ratios and formulas in the query, and names repeated values", () =>
    Effect.gen(function* () {
      const { queries, query } = chartsOf()
      const sum = { aggFn: "sum", valueExpression: "size" }
      yield* query(line({ select: [count, sum], asRatio: true }))
      yield* query(line({ select: [count, sum], formulas: [{ expression: "-A + 2 * (B - 1) / A" }] }))
      assert.deepStrictEqual(
        queries.map((one) => showQuery(one).values),
        [
          ["v0 = divide(count(), sum(size))"],
          [
            "v0 = count()",
            "v1 = sum(size)",
            "v2 = plus(negate(coalesce(count(), 0)), divide(multiply(2, minus(coalesce(sum(size), 0), 1)), nullIf(coalesce(count(), 0), 0)))"
          ]
        ]
      )
    })
  )
})

describe("other charts", () => {
  it.effect("a table has 200 rows at most, and is sorted by its groups", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 201 }, (_, index) => [`page ${index}`, index])
      const { queries, query } = chartsOf({ answers: [{ columns: { g0: "String", v0: "UInt32" }, rows }] })
      const data = yield* query(requestOf({ displayType: "table", select: [count], groupBy: "body" }))
      assert.deepStrictEqual([data.rows.length, data.truncated, data.granularitySeconds], [200, true, undefined])
      assert.deepStrictEqual(showQuery(queries[0]!), {
        from: "logs",
        where: `and(${inRange})`,
        groups: ["g0 = body"],
        values: ["v0 = count()"],
        orderBy: ["g0"],
        limit: 201
      })
    })
  )

  it.effect("having and orderBy name values by their aliases, expressions and aggregates of their own", () =>
    Effect.gen(function* () {
      const { queries, query } = chartsOf()
      const select = [{ aggFn: "avg", valueExpression: "ms", alias: "mean ms" }, count]
      const table = { displayType: "table", select, groupBy: "service, toDate(ts)" }
      yield* query(
        requestOf({
          ...table,
          having: "`mean ms` > 5 AND count() > 1 AND max(size) < 9",
          orderBy: "toDate(ts) DESC, max(size), service"
        })
      )
      const shown = showQuery(queries[0]!)
      assert.deepStrictEqual(shown.values, ["v0 = avg(ms)", "v1 = count()", "x0 = max(size)"])
      assert.strictEqual(shown.having, "and(greater(v0, 5), greater(v1, 1), less(x0, 9))")
      assert.deepStrictEqual(shown.orderBy, ["g1 DESC", "x0", "g0", "g0", "g1"])
      const refused = yield* Effect.flip(query(requestOf({ ...table, having: "ms > 1" })))
      assert.strictEqual(
        refused.message,
        'tile.config.having: "ms" is not a column of the result, which are: mean ms, count(), service, toDate(ts)'
      )
    })
  )

  it.effect("a number of no rows is no number", () =>
    Effect.gen(function* () {
      const columns = { v0: "Float64", n0: "UInt64" }
      const { queries, query } = chartsOf({
        answers: [
          { columns, rows: [[0, "0"]] },
          { columns, rows: [[0, "2"]] }
        ]
      })
      const max = requestOf({ displayType: "number", select: [{ aggFn: "max", valueExpression: "ms" }] })
      assert.deepStrictEqual([(yield* query(max)).rows, (yield* query(max)).rows], [[[null]], [[0]]])
      assert.deepStrictEqual(showQuery(queries[0]!).values, ["v0 = max(ms)", "n0 = count()"])
    })
  )

  it.effect("texts are read as numbers where numbers are needed", () =>
    Effect.gen(function* () {
      const { queries, query } = chartsOf()
      const item = (aggFn: string, valueExpression: string) => ({ aggFn, valueExpression })
      const select = [
        item("avg", "text"),
        item("count_distinct", "text"),
        item("last_value", "ms"),
        item("none", "sum(ms) / count()")
      ]
      yield* query(requestOf({ displayType: "table", select }))
      assert.deepStrictEqual(showQuery(queries[0]!).values, [
        "v0 = avg(toFloat64OrNull(text))",
        "v1 = uniqExact(text)",
        "v2 = argMax(ms, ts)",
        "n2 = count()",
        "v3 = divide(sum(ms), count())"
      ])
    })
  )

  it.effect("pies and bars are sorted by their values", () =>
    Effect.gen(function* () {
      const { queries, query } = chartsOf()
      yield* query(requestOf({ displayType: "pie", select: [count], groupBy: "service" }))
      yield* query(requestOf({ displayType: "bar", select: [count], groupBy: "service", limit: 3, orderBy: "service" }))
      assert.deepStrictEqual(
        queries.map(showQuery).map(({ limit, orderBy }) => [limit, orderBy]),
        [
          [501, ["v0 DESC", "g0"]],
          [4, ["g0", "g0"]]
        ]
      )
    })
  )

  it.effect("a search has the newest rows of its range", () =>
    Effect.gen(function* () {
      const { queries, query } = chartsOf({
        answers: [{ columns: { c0: "DateTime64(3)", c1: "String" }, rows: [["2026-11-23T10:00:00.123Z", "x"]] }]
      })
      const data = yield* query(
        requestOf({ displayType: "search", select: "ts, upper(body)", where: "ms > 1", whereLanguage: "sql" })
      )
      assert.deepStrictEqual(showQuery(queries[0]!), {
        from: "logs",
        columns: ["c0 = ts", "c1 = upper(body)"],
        where: `and(and(${inRange}), greater(ms, 1))`,
        orderBy: ["ts DESC"],
        limit: 201,
        offset: 0
      })
      assert.deepStrictEqual(data.rows, [[ten + 123, "x"]])
      assert.deepStrictEqual<unknown>(data.columns, [
        { name: "ts", type: "DateTime64(3)", role: "time" },
        { name: "upper(body)", type: "String", role: "value" }
      ])
    })
  )
})
