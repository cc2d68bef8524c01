import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { expandMacros } from "../../src/chart/plan/expandMacros.ts"
import { Dashboard } from "../../src/dashboard/Dashboard.ts"
import { TileId } from "../../src/id/dashboard.ts"
import { chartsOf, connectionId, dashboardId, minute, requestOf, sourceId, ten } from "./chartFixture.ts"

const from = "fromUnixTimestamp64Milli({startDateMilliseconds:Int64})"
const to = "fromUnixTimestamp64Milli({endDateMilliseconds:Int64})"
const values = {
  variables: new Map([
    ["service", ["a'b", "c\\"]],
    ["none", []],
    ["macro", ["$__fromTime", "${service}"]]
  ]),
  filters: ["x = 1", "y = 2"],
  sourceTables: new Map([
    ["", "`default`.`logs`"],
    ["gauge", "`default`.`metrics`"]
  ])
}

describe("expandMacros", () => {
  it("is bounded: a query neither nests nor grows without end", () => {
    const messageOf = (template: string, chosen = values) => {
      const expanded = expandMacros(template, chosen)
      return Result.isFailure(expanded) ? expanded.failure.message : undefined
    }
    const nested = (count: number) => `${"$__timeFilter(".repeat(count)}ts${")".repeat(count)}`
    assert.isUndefined(messageOf(nested(3)))
    for (const count of [5, 5000]) {
      assert.strictEqual(messageOf(nested(count)), "Macros stand more than 3 deep in others: write simpler ones")
    }
    const large = { ...values, variables: new Map([["service", ["a".repeat(500_000)]]]) }
    assert.strictEqual(
      messageOf("$service ".repeat(10_000), large),
      "With its macros expanded, the query has more than 1000000 characters: choose fewer values, or use fewer macros"
    )
  })

  it.each([
    ["SELECT 1", "SELECT 1"],
    ["$__fromTime, $__toTime", `toDateTime(${from}), toDateTime(${to})`],
    ["$__fromTime_ms, $__toTime_ms", `${from}, ${to}`],
    ["$__timeFilter(ts)", `(ts >= toDateTime(${from}) AND ts <= toDateTime(${to}))`],
    ["$__timeFilter_ms(f(a, ')'))", `(f(a, ')') >= ${from} AND f(a, ')') <= ${to})`],
    ["$__dateFilter(d)", `(d >= toDate(${from}) AND d <= toDate(${to}))`],
    [
      "$__dt(d, t)",
      `((d >= toDate(${from}) AND d <= toDate(${to})) AND (t >= toDateTime(${from}) AND t <= toDateTime(${to})))`
    ],
    ["$__timeInterval(ts)", "toStartOfInterval(toDateTime(ts), INTERVAL {intervalSeconds:Int64} second)"],
    [
      "$__timeInterval_ms(ts)",
      "toStartOfInterval(toDateTime64(ts, 3), INTERVAL {intervalMilliseconds:Int64} millisecond)"
    ],
    ["count() / $__interval_s", "count() / {intervalSeconds:Int64}"],
    ["WHERE $__filters", "WHERE (x = 1 AND y = 2)"],
    ["FROM $__sourceTable", "FROM `default`.`logs`"],
    ["FROM $__sourceTable(gauge) AS g", "FROM `default`.`metrics` AS g"],
    ["$__filter(name, $service)", String.raw`(name IN ('a\'b', 'c\\'))`],
    ["$__filter(name, $none)", "(1 = 1)"],
    ["$__conditionalAll(name IN ($service), $service)", String.raw`(name IN ('a\'b', 'c\\'))`],
    ["$__conditionalAll(name IN ($none), $none)", "(1 = 1)"],
    ["${service:csv}", String.raw`'a\'b,c\\'`],
    ["${none}", "NULL"],
    // An expansion is not read again.
    ["$macro", "'$__fromTime', '${service}'"],
    ["$__filter($macro, ${macro})", "('$__fromTime', '${service}' IN ('$__fromTime', '${service}'))"],
    // Texts, names and comments are left as they are.
    [
      "'$__fromTime' \"$service\" `$service` -- $__x don't\n/* $__y */ $other $ $1",
      "'$__fromTime' \"$service\" `$service` -- $__x don't\n/* $__y */ $other $ $1"
    ]
  ])("%s", (template, sql) => {
    assert.deepStrictEqual(expandMacros(template, values), Result.succeed(sql))
  })

  it.each([
    ["$__nothing", "There is no macro $__nothing"],
    ["$__timeFilter", "The macro $__timeFilter needs 1 argument"],
    ["$__timeFilter(a, b)", "The macro $__timeFilter needs 1 argument"],
    ["$__timeFilter(a", "The macro $__timeFilter needs 1 argument"],
    ["$__filter(a, $unknown)", "The dashboard has no variable $unknown"],
    ["$__sourceTable(sum)", "The source of the query has no such table"]
  ])("refuses %s", (template, message) => {
    assert.deepStrictEqual(expandMacros(template, values), Result.fail({ path: "tile.config.sqlTemplate", message }))
  })
})

const sql = (rest: object) => ({ displayType: "line", configType: "sql", connectionId, ...rest })
const columns = { t: "DateTime", name: "String", n: "UInt64" }

describe("a chart of an SQL query", () => {
  it.effect("has its range and period as parameters", () =>
    Effect.gen(function* () {
      const rows = [[new Date(ten).toISOString(), "a", "18446744073709551615"]]
      const { queries, query, raw } = chartsOf({ answers: [{ columns, rows }] })
      const data = yield* query(
        requestOf(
          sql({ sqlTemplate: "SELECT $__timeInterval(t) FROM $__sourceTable", numberFormat: { output: "number" } }),
          {
            from: ten + 1
          }
        )
      )
      assert.strictEqual(queries.length, 0)
      assert.deepStrictEqual(raw, [
        [
          "SELECT toStartOfInterval(toDateTime(t), INTERVAL {intervalSeconds:Int64} second) FROM `default`.`logs`",
          {
            startDateMilliseconds: ten,
            endDateMilliseconds: ten + 5 * minute,
            intervalSeconds: 60,
            intervalMilliseconds: 60_000
          }
        ]
      ])
      assert.deepStrictEqual<unknown>(data, {
        displayType: "line",
        from: ten,
        to: ten + 5 * minute,
        columns: [
          { name: "t", type: "DateTime", role: "time" },
          { name: "name", type: "String", role: "group" },
          { name: "n", type: "UInt64", role: "value", numberFormat: { output: "number" } }
        ],
        rows: [[ten, "a", "18446744073709551615"]],
        hiddenSeries: 0,
        truncated: false,
        rowsRead: 10,
        elapsedMs: 2,
        warnings: []
      })
    })
  )

  it.effect("is filtered by what is chosen and saved on its dashboard", () =>
    Effect.gen(function* () {
      const filter = { type: "QUERY_EXPRESSION", expression: "Svc", sourceId }
      const dashboard = Schema.decodeUnknownSync(Dashboard)({
        id: dashboardId,
        name: "SQL",
        tiles: [
          { id: "t", config: sql({ displayType: "table", sourceId, sqlTemplate: "$__filters; $env; $my_name" }) }
        ],
        filters: [
          { ...filter, id: "f", name: "f" },
          { ...filter, id: "v", name: "my name!", isBroadcastEnabled: false, isVariableEnabled: true },
          { id: "l", type: "STATIC_LIST", name: "Env", variableName: "env", options: ["x"], isVariableEnabled: true }
        ],
        savedQuery: "a = 1",
        savedQueryLanguage: "sql",
        savedFilterValues: [
          { type: "sql", condition: "b = 2" },
          { type: "variable", name: "env", values: ["saved"] }
        ]
      })
      const { query, raw } = chartsOf({ dashboards: [dashboard] })
      const request = { tile: { dashboardId, tileId: TileId.make("t") }, from: ten, to: ten + minute }
      yield* query(request)
      yield* query({
        ...request,
        filters: [
          { filterId: "f", in: ["x'y"], notIn: ["z"], between: [1, 2] },
          { filterId: "l", in: ["chosen"] },
          { filterId: "v", in: ["v"] }
        ]
      })
      assert.deepStrictEqual(
        raw.map(([text]) => text),
        [
          "((b = 2) AND (a = 1)); 'saved'; NULL",
          String.raw`((Svc) IN ('x\'y') AND (Svc) NOT IN ('z') AND (Svc) BETWEEN 1 AND 2 AND (a = 1)); 'chosen'; 'v'`
        ]
      )
      const failed = yield* Effect.flip(query({ ...request, where: "a:b" }))
      assert.strictEqual(failed.message, "where: A chart of an SQL query takes conditions only in SQL")
      // A query that takes no conditions is run without them.
      yield* query(requestOf(sql({ sqlTemplate: "SELECT 1" }), { where: "a:b" }))
    })
  )
})
