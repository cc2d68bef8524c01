import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chartsOf, logSource, requestOf, showQuery, tableOf } from "./chartFixture.ts"

const table = tableOf(
  {
    MetricName: "String",
    TimeUnix: "DateTime64(9)",
    Value: "Float64",
    ScopeAttributes: "Map(String, String)",
    ResourceAttributes: "Map(String, String)",
    Attributes: "Map(String, String)",
    AggregationTemporality: "Int32"
  },
  { name: "metrics" }
)
const source = {
  ...logSource,
  kind: "metric",
  from: { databaseName: "default", tableName: "" },
  timestampValueExpression: "TimeUnix",
  metricTables: { gauge: "metrics", sum: "metrics" }
}
const series = "cityHash64(ScopeAttributes, ResourceAttributes, Attributes)"
const ofName = "equals(MetricName, 'cpu')"
const range = (from: number, to: number, time = "TimeUnix") =>
  `greaterOrEquals(${time}, fromUnixTimestamp64Milli(${from})), less(${time}, fromUnixTimestamp64Milli(${to}))`

const queryOf = (item: object, rest: object = {}) =>
  Effect.gen(function* () {
    const { queries, query } = chartsOf({ sources: [source], tables: [table] })
    const select = [{ valueExpression: "Value", metricName: "cpu", ...item }]
    yield* query(requestOf({ displayType: "line", select, ...rest }))
    return showQuery(queries[0]!)
  })

describe("metrics", () => {
  it.effect("a gauge is the last value of each series in a period, then the aggregate over the series", () =>
    Effect.gen(function* () {
      const item = { aggFn: "avg", metricType: "gauge", where: "Value > 1", whereLanguage: "sql" }
      assert.deepStrictEqual(yield* queryOf(item, { groupBy: "Attributes['host']" }), {
        from: {
          from: "metrics",
          where: `and(and(${range(1795428000000, 1795428300000)}), and(${ofName}, greater(Value, 1)))`,
          groups: [`series = ${series}`, "g0 = arrayElement(Attributes, 'host')"],
          bucket: "bucket = toStartOfInterval(toDateTime(TimeUnix, 'UTC'), toIntervalMinute(1))",
          values: ["value = argMax(Value, TimeUnix)", "time = max(TimeUnix)"],
          orderBy: [],
          limit: 1_000_000_000
        },
        groups: ["g0 = g0"],
        bucket: "bucket = bucket",
        values: ["v0 = avg(value)", "n0 = count()"],
        orderBy: ["bucket", "g0"],
        limit: 100_001,
        mostSeries: 250
      })
    })
  )

  it.effect("a gauge with delta is its change, were it as long as the period", () =>
    Effect.gen(function* () {
      const shown = yield* queryOf({ aggFn: "max", metricType: "gauge", periodAggFn: "delta" })
      const between = "minus(toUnixTimestamp(max(TimeUnix)), toUnixTimestamp(min(TimeUnix)))"
      const change = "minus(argMax(Value, TimeUnix), argMin(Value, TimeUnix))"
      assert.deepInclude(shown.from, {
        values: [
          `value = if(equals(${between}, 0), toFloat64(0), divide(multiply(${change}, 60), ${between}))`,
          "time = max(TimeUnix)"
        ]
      })
    })
  )

  it.effect("a sum is how much its counters have risen, with a period more on each side for the first rows", () =>
    Effect.gen(function* () {
      const shown = yield* queryOf({ aggFn: "increase", metricType: "sum" }, { groupBy: "Attributes['host']" })
      assert.deepStrictEqual(shown, {
        from: {
          from: {
            from: "metrics",
            where: `and(and(${range(1795427940000, 1795428360000)}), ${ofName})`,
            series,
            time: "TimeUnix",
            value: "Value",
            isDifference: "equals(AggregationTemporality, 1)",
            increase: "value",
            columns: ["time = TimeUnix", `series = ${series}`, "g0 = arrayElement(Attributes, 'host')"]
          },
          where: `and(${range(1795428000000, 1795428300000, "time")})`,
          groups: ["series = series", "g0 = g0"],
          bucket: "bucket = toStartOfInterval(toDateTime(time, 'UTC'), toIntervalMinute(1))",
          values: ["value = sum(value)", "time = max(time)"],
          orderBy: [],
          limit: 1_000_000_000
        },
        groups: ["g0 = g0"],
        bucket: "bucket = bucket",
        values: ["v0 = sum(value)", "n0 = count()"],
        orderBy: ["bucket", "g0"],
        limit: 100_001,
        mostSeries: 20
      })
    })
  )

  it.effect("without periods, the whole range is one", () =>
    Effect.gen(function* () {
      const shown = yield* queryOf({ aggFn: "last_value", metricType: "sum" }, { displayType: "number" })
      assert.isUndefined(shown.bucket)
      assert.deepStrictEqual(shown.values, ["v0 = argMax(value, time)", "n0 = count()"])
      assert.include(JSON.stringify(shown.from), range(1795427700000, 1795428600000))
    })
  )

  it.effect("distributions and searches are refused: they would mix all metrics of the table", () =>
    Effect.gen(function* () {
      const select = [{ valueExpression: "Value", metricType: "gauge" }]
      for (const config of [
        { displayType: "heatmap", select },
        { displayType: "search", select: "Value" }
      ]) {
        const { queries, query } = chartsOf({ tables: [table], sources: [source] })
        const error = yield* Effect.flip(query(requestOf(config)))
        assert.deepStrictEqual(
          [error.message, queries.length],
          [
            `tile.config.displayType: Of a source of metrics, ${config.displayType} tiles are not queried: choose another display type`,
            0
          ]
        )
      }
    })
  )

  it.effect("increase is refused for a gauge, and a metric needs its name and type", () =>
    Effect.gen(function* () {
      const messageOf = (item: object) => Effect.map(Effect.flip(queryOf(item)), ({ message }) => message)
      assert.deepStrictEqual(
        [
          yield* messageOf({ aggFn: "increase", metricType: "gauge" }),
          yield* messageOf({ aggFn: "avg", metricType: "gauge", metricName: "" }),
          yield* messageOf({ aggFn: "avg" })
        ],
        [
          "tile.config.select.0.aggFn: increase is only for metrics of the type sum",
          "tile.config.select.0.metricName: A source of metrics needs the name of the metric",
          "tile.config.select.0.metricType: A source of metrics needs the type of the metric"
        ]
      )
    })
  )
})
