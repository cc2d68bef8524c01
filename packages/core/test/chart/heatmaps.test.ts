import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chartsOf, minute, requestOf, showQuery, ten } from "./chartFixture.ts"

const heatmap = (item: object, rest: object = {}) =>
  requestOf({ displayType: "heatmap", select: [{ valueExpression: "ms", ...item }], ...rest })
const where =
  "and(and(greaterOrEquals(ts, fromUnixTimestamp64Milli(1795428000000)), less(ts, fromUnixTimestamp64Milli(1795428300000))), greaterOrEquals(ms, 0))"
const boundsOf = (least: number, most: number, count: string) => ({
  columns: { least: "Float64", most: "Float64", count: "UInt64" },
  rows: [[least, most, count]]
})
const cells = { bucket: "DateTime", g0: "UInt8", v0: "UInt64" }
const at = new Date(ten + minute).toISOString()

describe("heatmaps", () => {
  it.effect("say that they have no period before, as searches do", () =>
    Effect.gen(function* () {
      const warningsOf = (config: object, previousPeriod: boolean) =>
        Effect.map(chartsOf().query(requestOf(config, { previousPeriod })), ({ warnings }) => warnings)
      const distribution = { displayType: "heatmap", select: [{ valueExpression: "ms" }] }
      const warning = "tiles have no period before: it is left out"
      assert.deepStrictEqual(yield* warningsOf(distribution, true), [`heatmap ${warning}`])
      assert.deepStrictEqual(yield* warningsOf({ displayType: "search", select: "ms" }, true), [`search ${warning}`])
      assert.deepStrictEqual(yield* warningsOf(distribution, false), [])
    })
  )

  it.effect("divide the values between two bounds into 80 ranges", () =>
    Effect.gen(function* () {
      const { queries, query } = chartsOf({
        answers: [
          boundsOf(0, 160, "9"),
          {
            columns: cells,
            rows: [
              [at, 0, "1"],
              [at, 1, "2"],
              [at, 80, "3"],
              [at, 81, "4"]
            ]
          }
        ]
      })
      const data = yield* query(heatmap({ heatmapScaleType: "linear" }))
      assert.deepStrictEqual(queries.map(showQuery), [
        {
          from: "logs",
          where,
          groups: [],
          values: ["least = quantile(0.001)(ms)", "most = max(ms)", "count = count()"],
          orderBy: [],
          limit: 1
        },
        {
          from: "logs",
          where,
          groups: ["g0 = widthBucket(ms, 0, 160, 80)"],
          bucket: "bucket = toStartOfInterval(toDateTime(ts, 'UTC'), toIntervalMinute(1))",
          values: ["v0 = count()"],
          orderBy: ["bucket", "g0"],
          limit: 100_001
        }
      ])
      assert.deepStrictEqual(
        data.columns.map(({ name, role }) => [name, role]),
        [
          ["time", "time"],
          ["row", "group"],
          ["from", "group"],
          ["to", "group"],
          ["count", "value"]
        ]
      )
      assert.deepStrictEqual(data.rows, [
        [ten + minute, 0, null, 0, 1],
        [ten + minute, 1, 0, 2, 2],
        [ten + minute, 80, 158, 160, 3],
        [ten + minute, 81, 160, null, 4]
      ])
      assert.strictEqual(data.rowsRead, 20)
    })
  )

  it.effect("are logarithmic unless they say otherwise, from the least value that has a logarithm", () =>
    Effect.gen(function* () {
      const { queries, query } = chartsOf({
        answers: [boundsOf(1, Math.E, "9"), { columns: cells, rows: [[at, 40, "1"]] }, boundsOf(0, 1e6, "9")]
      })
      const data = yield* query(heatmap({ countExpression: "uniqExact(service)" }))
      assert.deepStrictEqual(showQuery(queries[1]!).groups, ["g0 = widthBucket(log(greatest(ms, 1)), 0, 1, 80)"])
      assert.deepStrictEqual(showQuery(queries[1]!).values, ["v0 = uniqExact(service)"])
      assert.approximately(Number(data.rows[0]?.[3]), Math.exp(0.5), 1e-9)
      yield* query(heatmap({}))
      assert.deepStrictEqual(showQuery(queries[3]!).groups, [
        `g0 = widthBucket(log(greatest(ms, 1)), 0, ${Math.log(1e6)}, 80)`
      ])
    })
  )

  it.effect("of no rows ask once and are empty; of one value have two bounds all the same", () =>
    Effect.gen(function* () {
      const { queries, query } = chartsOf({ answers: [boundsOf(0, 0, "0"), boundsOf(5, 5, "3")] })
      assert.deepStrictEqual((yield* query(heatmap({}))).rows, [])
      assert.strictEqual(queries.length, 1)
      yield* query(heatmap({ heatmapScaleType: "linear" }))
      assert.deepStrictEqual(showQuery(queries[2]!).groups, ["g0 = widthBucket(ms, 5, 10, 80)"])
    })
  )

  it.effect("of series are charts over time", () =>
    Effect.gen(function* () {
      const { queries, query } = chartsOf()
      const select = [{ aggFn: "avg", valueExpression: "ms" }]
      const data = yield* query(
        requestOf({ displayType: "heatmap", heatmapMode: "series", select, groupBy: "service" })
      )
      assert.deepStrictEqual(showQuery(queries[0]!).values, ["v0 = avg(ms)"])
      assert.strictEqual(data.granularitySeconds, 60)
    })
  )
})
