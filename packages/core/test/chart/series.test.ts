import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chartsOf, connectionId, logSource, minute, showQuery, sourceId, ten } from "./chartFixture.ts"

const item = { sourceId, aggFn: "count", where: "", groupBy: ["service"] }
const requestOf = (rest: object = {}) => ({
  series: [item],
  startTime: ten,
  endTime: ten + 5 * minute,
  granularity: "1m",
  ...rest
})
const iso = (minutes: number) => new Date(ten + minutes * minute).toISOString()
const columns = { g0: "String", bucket: "DateTime", v0: "UInt64" }

const messageOf = (body: object) =>
  Effect.map(Effect.flip(chartsOf().series(body)), ({ _tag, message }) => `${_tag}: ${message}`)

describe("series", () => {
  it.effect("ask a query for each, with both ends of the range in it", () =>
    Effect.gen(function* () {
      const { queries, series } = chartsOf()
      yield* series(
        requestOf({
          series: [
            { ...item, where: "service = 'a'", whereLanguage: "sql" },
            { ...item, aggFn: "quantile", level: 0.9, field: "ms" }
          ]
        })
      )
      const range =
        "and(greaterOrEquals(ts, fromUnixTimestamp64Milli(1795428000000)), lessOrEquals(ts, fromUnixTimestamp64Milli(1795428300000)))"
      const rest = {
        from: "logs",
        groups: ["g0 = service"],
        bucket: "bucket = toStartOfInterval(toDateTime(ts, 'UTC'), toIntervalMinute(1))",
        orderBy: ["bucket", "g0"],
        limit: 100_001
      }
      assert.deepStrictEqual(queries.map(showQuery), [
        { ...rest, where: `and(${range}, equals(service, 'a'))`, values: ["v0 = countIf(equals(service, 'a'))"] },
        { ...rest, where: range, values: ["v0 = quantile(0.9)(ms)"] }
      ])
    })
  )

  it.effect("are rows by period and group, or as the database answers them", () =>
    Effect.gen(function* () {
      const given = {
        answers: [
          {
            columns,
            rows: [
              ["api", iso(0), "42"],
              ["web", iso(0), "17"]
            ]
          },
          {
            columns,
            rows: [
              ["web", iso(0), 0.5],
              ["api", iso(1), null]
            ]
          }
        ]
      }
      const series = [item, { ...item, aggFn: "avg", field: "ms" }]
      assert.deepStrictEqual(yield* chartsOf(given).series(requestOf({ series, seriesReturnType: "ratio" })), [
        { ts_bucket: ten, group: ["api"], "series_0.data": "42" },
        { ts_bucket: ten, group: ["web"], "series_0.data": "17", "series_1.data": 0.5 },
        { ts_bucket: ten + minute, group: ["api"], "series_1.data": null }
      ])
      assert.deepStrictEqual(yield* chartsOf(given).series(requestOf({ series, seriesReturnType: "column" })), [
        { series_0: "42", service: "api", __hdx_time_bucket: "2026-11-23T10:00:00Z" },
        { series_0: "17", service: "web", __hdx_time_bucket: "2026-11-23T10:00:00Z" },
        { series_1: 0.5, service: "web", __hdx_time_bucket: "2026-11-23T10:00:00Z" },
        { series_1: null, service: "api", __hdx_time_bucket: "2026-11-23T10:01:00Z" }
      ])
    })
  )

  it.effect("have periods of which a range has 60 at most, unless the request says which; and 1 s", () =>
    Effect.gen(function* () {
      const { queries, series } = chartsOf()
      yield* series({ ...requestOf({ granularity: undefined }) })
      yield* series(requestOf({ granularity: "1s" }))
      assert.deepStrictEqual(
        queries.map((one) => showQuery(one).bucket),
        [15, 1].map((seconds) => `bucket = toStartOfInterval(toDateTime(ts, 'UTC'), toIntervalSecond(${seconds}))`)
      )
    })
  )

  const refusals: ReadonlyArray<readonly [body: object, message: string]> = [
    [{}, "InvalidRequest: Body validation failed: series: Required; endTime: Required; startTime: Required"],
    [requestOf({ series: [] }), "InvalidRequest: Body validation failed: series: Series array cannot be empty"],
    [
      requestOf({ series: Array.from({ length: 6 }, () => item) }),
      "InvalidRequest: Body validation failed: series: Array must contain at most 5 element(s)"
    ],
    [
      requestOf({ series: [item, { ...item, groupBy: [] }] }),
      "InvalidRequest: Body validation failed: series: All series must have the same groupBy fields"
    ],
    [
      requestOf({ startTime: 142_415_152, endTime: 1.5 }),
      "InvalidRequest: Body validation failed: endTime: Timestamp must be an integer; endTime: Timestamp must be in milliseconds; startTime: Timestamp must be in milliseconds"
    ],
    [
      requestOf({ endTime: -1_795_428_000_000 }),
      "InvalidRequest: Body validation failed: endTime: Timestamp must be positive"
    ],
    [
      requestOf({ series: [{ ...item, aggFn: "x", where: undefined, sourceId: "1" }] }),
      "InvalidRequest: Body validation failed: series.0.sourceId: Invalid ObjectId; series.0.aggFn: Invalid enum value. Expected 'avg' | 'count' | 'count_distinct' | 'last_value' | 'max' | 'min' | 'quantile' | 'sum' | 'any' | 'none' | 'increase', received 'x'; series.0.where: Required"
    ],
    [
      requestOf({ granularity: "3m" }),
      "InvalidRequest: Body validation failed: granularity: Invalid enum value. Expected '30s' | '1m' | '5m' | '10m' | '15m' | '30m' | '1h' | '2h' | '6h' | '12h' | '1d' | '2d' | '7d' | '30d' | 'auto', received '3m'"
    ],
    [
      requestOf({ endTime: 9e15 }),
      "InvalidRequest: Body validation failed: endTime: Expected a time from 1900 to 2299"
    ],
    [requestOf({ series: [{ ...item, sourceId: "f".repeat(24) }] }), "ChartNotFound: Source not found for series 0"],
    [requestOf({ series: [item, { ...item, where: "(", whereLanguage: "sql" }] }), "InvalidRequest: series.1.where: "],
    [
      requestOf({ series: [{ ...item, aggFn: "sum", field: "nothing" }] }),
      "InvalidRequest: series.0.field: character 1: "
    ]
  ]

  it.effect.each(refusals)("refuse %j", ([body, message]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* messageOf(body)).slice(0, message.length), message)
    })
  )

  it.effect("tell the first series that fails", () =>
    Effect.gen(function* () {
      const orphan = { ...logSource, connection: null }
      const series = [item, { ...item, sourceId: "f".repeat(24) }]
      const failed = yield* Effect.flip(chartsOf({ sources: [orphan] }).series(requestOf({ series })))
      assert.strictEqual(failed.message, "Connection not found for series 0")
    })
  )

  it.effect("of metrics may name the metric by the field alone", () =>
    Effect.gen(function* () {
      const source = { ...logSource, kind: "metric", connection: connectionId, metricTables: { gauge: "logs" } }
      const failed = yield* Effect.flip(
        chartsOf({ sources: [source] }).series(
          requestOf({ series: [{ ...item, aggFn: "avg", field: "cpu", metricDataType: "gauge" }] })
        )
      )
      // The name is there, and the table is none of metrics.
      assert.strictEqual(failed.message, "series.0: The table of the metric has no column MetricName")
    })
  )
})
