import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Dashboard } from "../../src/dashboard/Dashboard.ts"
import { TileId } from "../../src/id/dashboard.ts"
import { pipeId } from "../ids.ts"
import {
  chartsOf,
  dashboardId,
  logs,
  logSource,
  minute,
  requestOf,
  showQuery,
  sourceId,
  tableOf,
  ten
} from "./chartFixture.ts"

const inRange =
  "and(greaterOrEquals(ts, fromUnixTimestamp64Milli(1795428000000)), less(ts, fromUnixTimestamp64Milli(1795428300000)))"
const otherSourceId = "d".repeat(24)
const count = { aggFn: "count" }

const dashboardOf = (fields: object): Dashboard =>
  Schema.decodeUnknownSync(Dashboard)({ id: dashboardId, name: "Logs", ...fields })

const stored = (tileId: string, rest: object = {}) => ({
  tile: { dashboardId, tileId: TileId.make(tileId) },
  from: ten,
  to: ten + 5 * minute,
  granularity: "1m" as const,
  ...rest
})

const filter = (id: string, rest: object = {}) => ({
  id,
  type: "QUERY_EXPRESSION",
  name: id,
  expression: "service",
  sourceId,
  ...rest
})

const numberTile = { id: "n", config: { displayType: "number", sourceId, select: [count] } }

/** The conditions of the only query of a dashboard, beside its range. */
const conditionsOf = (fields: object, request: object = {}) =>
  Effect.gen(function* () {
    const { queries, query } = chartsOf({ dashboards: [dashboardOf({ tiles: [numberTile], ...fields })] })
    yield* query(stored("n", request))
    return String(showQuery(queries[0]!).where)
  })

const messageOf = (fields: object, request: object = {}) =>
  Effect.map(Effect.flip(conditionsOf(fields, request)), ({ message }) => message)

describe("a stored tile", () => {
  it.effect("is drawn from its config", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* conditionsOf({}), inRange)
    })
  )

  it.effect("is drawn from its series in the older form", () =>
    Effect.gen(function* () {
      const series = [
        { type: "time", aggFn: "avg", field: "ms", where: "", sourceId, groupBy: ["service"] },
        { type: "time", aggFn: "count", where: "ms > 5", whereLanguage: "sql", sourceId, groupBy: ["service"] }
      ]
      const { queries, query } = chartsOf({ dashboards: [dashboardOf({ tiles: [{ id: "s", series }] })] })
      const data = yield* query(stored("s"))
      assert.strictEqual(data.displayType, "line")
      assert.deepStrictEqual(showQuery(queries[0]!).values, ["v0 = avg(ms)", "v1 = countIf(greater(ms, 5))"])
      assert.deepStrictEqual(showQuery(queries[0]!).groups, ["g0 = service"])
    })
  )

  it.effect("says that series without a source are not drawn", () =>
    Effect.gen(function* () {
      const tiles = [{ id: "s", series: [{ type: "time", aggFn: "count", groupBy: [] }] }, { id: "e" }]
      const { query } = chartsOf({ dashboards: [dashboardOf({ tiles })] })
      const messages = yield* Effect.forEach(["s", "e", "x"], (id) => Effect.flip(query(stored(id))))
      assert.deepStrictEqual(
        messages.map(({ _tag, message }) => [_tag, message]),
        [
          ["InvalidRequest", "tile: The series of this tile name no source: set sourceId of each of them"],
          ["InvalidRequest", "tile: The tile has no chart"],
          ["ChartNotFound", `the dashboard ${dashboardId} has no tile x`]
        ]
      )
    })
  )

  it.effect("says that series of several sources are not drawn in one chart", () =>
    Effect.gen(function* () {
      const one = { type: "time", aggFn: "count", where: "", groupBy: [], sourceId }
      const tiles = [
        { id: "two", series: [one, { ...one, sourceId: otherSourceId }] },
        { id: "half", series: [one, { ...one, sourceId: null }] }
      ]
      const { queries, query } = chartsOf({ dashboards: [dashboardOf({ tiles })] })
      const messages = yield* Effect.forEach(["two", "half"], (id) => Effect.flip(query(stored(id))))
      assert.deepStrictEqual(
        messages.map(({ message }) => message),
        [
          "tile: The series of this tile have several sources, and a chart is drawn of one: make a tile of each",
          "tile: The series of this tile name no source: set sourceId of each of them"
        ]
      )
      assert.strictEqual(queries.length, 0)
    })
  )

  it.effect("is not there in a dashboard that is not there", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(chartsOf().query(stored("n")))
      assert.deepStrictEqual([failed._tag, failed.message], ["ChartNotFound", `there is no dashboard ${dashboardId}`])
    })
  )

  it.effect("a text needs no query", () =>
    Effect.gen(function* () {
      const { queries, query } = chartsOf({ sources: [] })
      const data = yield* query(requestOf({ displayType: "markdown", markdown: "# hi", sourceId: undefined }))
      assert.deepStrictEqual([data.displayType, data.rows, queries.length], ["markdown", [], 0])
    })
  )
})

describe("the conditions around a chart", () => {
  it.effect("are refused where they are too large for a query", () =>
    Effect.gen(function* () {
      const expression = `greatest(${Array.from({ length: 100 }, () => "ts").join()})`
      const filters = ["a", "b", "c"].map((id) => filter(id, { expression }))
      const times = Array.from({ length: 1000 }, (_, second) => new Date(ten + second * 1000).toISOString())
      const chosen = (count: number) => ({
        filters: filters.slice(0, count).map(({ id }) => ({ filterId: id, in: times }))
      })
      assert.include(yield* conditionsOf({ filters }, chosen(1)), "greatest(ts")
      assert.include(yield* messageOf({ filters }, chosen(3)), "choose fewer values")
    })
  )

  it.effect("are the saved query, where and the chosen filters", () =>
    Effect.gen(function* () {
      const where = yield* conditionsOf(
        {
          savedQuery: "ms > 1",
          savedQueryLanguage: "sql",
          filters: [filter("f"), filter("t", { expression: "ts" }), filter("m", { expression: "ms" })]
        },
        {
          where: "size < 9",
          whereLanguage: "sql",
          filters: [
            { filterId: "f", in: ["a", "b'c"], notIn: ["d"] },
            { filterId: "t", in: ["2026-01-01T00:00:00Z"], between: [1, 2] },
            { filterId: "m", in: ["5", "-1.5"], between: [-1, 2] }
          ]
        }
      )
      assert.deepStrictEqual(
        where,
        `and(${inRange}, greater(ms, 1), less(size, 9), in(service, tuple('a', 'b'c')), not(in(service, tuple('d'))), ` +
          "equals(ts, parseDateTime64BestEffort('2026-01-01T00:00:00Z', 9, 'UTC')), " +
          "greaterOrEquals(ts, fromUnixTimestamp64Milli(1)), lessOrEquals(ts, fromUnixTimestamp64Milli(2)), " +
          "or(equals(ms, 5), equals(ms, negate(1.5))), greaterOrEquals(ms, negate(1)), lessOrEquals(ms, 2))"
      )
    })
  )

  it.effect("in Lucene search the implicit columns of the source, else its body", () =>
    Effect.gen(function* () {
      const whereOf = (rest: object) =>
        Effect.gen(function* () {
          const { queries, query } = chartsOf({ sources: [{ ...logSource, ...rest }] })
          yield* query(requestOf({ displayType: "number", select: [{ aggFn: "count", where: "timeout" }] }))
          return showQuery(queries[0]!).values
        })
      const searched = (text: string) => [`v0 = countIf(hasToken(lower(${text}), 'timeout'))`]
      assert.deepStrictEqual(yield* whereOf({}), searched("body"))
      assert.deepStrictEqual(
        yield* whereOf({ implicitColumnExpression: "service, `text`" }),
        searched("concatWithSeparator(';', service, text)")
      )
      const refused = yield* Effect.flip(whereOf({ bodyExpression: undefined }))
      assert.include(refused.message, "tile.config.select.0.where: ")
    })
  )

  it.effect("a filter reaches the sources that it lists, its own, or all", () =>
    Effect.gen(function* () {
      const chosen = { filters: [{ filterId: "f", in: ["a"] }] }
      const isFiltered = (rest: object) =>
        Effect.map(conditionsOf({ filters: [filter("f", rest)] }, chosen), (where) => where !== inRange)
      assert.deepStrictEqual(
        yield* Effect.forEach(
          [
            {},
            { appliesToSourceIds: [] },
            { sourceId: otherSourceId },
            { sourceId: otherSourceId, appliesToSourceIds: [otherSourceId] },
            { sourceId: otherSourceId, appliesToSourceIds: [otherSourceId, sourceId] },
            { appliesToSourceIds: [otherSourceId] },
            { isBroadcastEnabled: false, isVariableEnabled: true },
            { type: "STATIC_LIST", options: ["a"] }
          ],
          isFiltered
        ),
        [true, true, true, false, true, true, false, false]
      )
    })
  )

  it.effect("a filter is named by its id, its name or its variable", () =>
    Effect.gen(function* () {
      const filters = [filter("f", { name: "The service", variableName: "svc", isVariableEnabled: true })]
      const conditions = yield* Effect.forEach(["f", "The service", "svc"], (filterId) =>
        conditionsOf({ filters }, { filters: [{ filterId, in: ["a"] }] })
      )
      assert.deepStrictEqual(new Set(conditions), new Set([`and(${inRange}, in(service, tuple('a')))`]))
    })
  )

  it.effect("what is saved is chosen until the request chooses", () =>
    Effect.gen(function* () {
      const saved = { filters: [filter("f")], savedFilterValues: [{ type: "sql", condition: "service IN ('x')" }] }
      assert.strictEqual(yield* conditionsOf(saved), `and(${inRange}, in(service, tuple('x')))`)
      assert.strictEqual(yield* conditionsOf(saved, { filters: [] }), inRange)
    })
  )

  it.effect("are refused with the field that is wrong", () =>
    Effect.gen(function* () {
      const filters = [filter("f", { expression: "ms" }), filter("g", { expression: "nothing" })]
      const choose = (filterId: string, value: string) => ({ filters: [{ filterId, in: [value] }] })
      assert.deepStrictEqual(
        [
          yield* messageOf({ filters }, choose("x", "1")),
          yield* messageOf({ filters }, choose("f", "1) OR (1")),
          (yield* messageOf({ filters }, choose("g", "1"))).slice(0, 36),
          (yield* messageOf({}, { where: "nothing > 1", whereLanguage: "sql" })).slice(0, 19),
          (yield* messageOf({ savedQuery: "1 +", savedQueryLanguage: "sql" })).slice(0, 24),
          yield* messageOf({}, { timezone: "Mars/North" }),
          yield* messageOf({}, { from: ten, to: ten - 1 })
        ],
        [
          'filters.0.filterId: The dashboard has no filter "x"',
          "filters.0.in.0: Expected a number, as the values of the filter are",
          "filters.0.expression: character 1: t",
          "where: character 1:",
          "dashboard.savedQuery: ch",
          "timezone: Expected the IANA name of a time zone",
          "from: Expected a time that is not after `to`"
        ]
      )
    })
  )
})

describe("what is not drawn", () => {
  const reasonOf = (config: object, source: object = {}, table: object = logs) =>
    Effect.gen(function* () {
      const { queries, query } = chartsOf({ sources: [{ ...logSource, ...source }], tables: [{ ...logs, ...table }] })
      const failed = yield* Effect.flip(query(requestOf(config)))
      assert.strictEqual(queries.length, 0)
      return failed.message
    })
  const line = (item: object) => ({ displayType: "line", select: [item] })
  const metric = { kind: "metric", metricTables: { gauge: "logs", sum: "logs", histogram: "logs" } }

  const refusals: ReadonlyArray<readonly [config: object, source: object, reason: string]> = [
    [{ displayType: "event_patterns", select: "" }, {}, "tile.config: event_patterns tiles are not queried"],
    [line(count), { kind: "promql" }, "tile.config.sourceId: Sources of the kind promql are not queried"],
    [line(count), { from: { tableName: "" } }, "tile.config.sourceId: The source names no table: set from.tableName"],
    [
      line({ aggFn: "count", where: "up", whereLanguage: "promql" }),
      {},
      "tile.config.select.0.where: PromQL is not queried"
    ],
    [
      line({ aggFn: "increase", valueExpression: "ms" }),
      {},
      "tile.config.select.0.aggFn: increase is only for metrics of the type sum"
    ],
    [
      line({ aggFn: "sum", valueExpression: "tags" }),
      {},
      "tile.config.select.0.valueExpression: sum needs numbers, and these values are of the kind map"
    ],
    [
      line({ aggFn: "none", valueExpression: "sum(ms)", where: "ms > 1", whereLanguage: "sql" }),
      {},
      "tile.config.select.0.where: A value without an aggregate function has no where"
    ],
    [
      line({ aggFn: "quantile", valueExpression: "Value", metricType: "histogram", metricName: "m" }),
      metric,
      "tile.config.select.0.metricType: Metrics of the type histogram are not queried"
    ],
    [
      {
        displayType: "line",
        select: [0, 1].map(() => ({ aggFn: "avg", valueExpression: "Value", metricType: "gauge", metricName: "m" }))
      },
      metric,
      "tile.config.select: Charts of metrics with several select items or formulas are not queried"
    ],
    [{ displayType: "line", select: [] }, {}, "tile.config.select: Array must contain at least 1 element(s)"],
    [
      line(count),
      { timestampValueExpression: "body" },
      "source.timestampValueExpression: Expected the time of a row: a column of times, dates or seconds"
    ]
  ]

  it.effect.each(refusals)("%j of %j", ([config, source, reason]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reasonOf(config, source), reason)
    })
  )

  it.effect("sources, connections and tables that are not there have the same error", () =>
    Effect.gen(function* () {
      const config = { displayType: "line", select: [count] }
      const failed = (given: Parameters<typeof chartsOf>[0]) => Effect.flip(chartsOf(given).query(requestOf(config)))
      const errors = [
        yield* failed({ sources: [] }),
        yield* failed({ sources: [{ ...logSource, connection: null }] }),
        yield* failed({ tables: [] }),
        yield* failed({ sources: [{ ...logSource, from: { databaseName: "system", tableName: "logs" } }] })
      ]
      assert.deepStrictEqual(
        errors.map(({ _tag, message }) => [_tag, message]),
        [
          ["ChartNotFound", `there is no source ${sourceId}`],
          ["ChartNotFound", `there is no connection of the source ${sourceId}`],
          ["ChartNotFound", "there is no table default.logs"],
          ["ChartNotFound", "there is no table system.logs"]
        ]
      )
    })
  )
})

describe("the newest rows of a pipe", () => {
  const newest = (table?: string) => ({ tile: { pipeId, ...(table === undefined ? {} : { table }) }, from: 0, to: ten })

  it.effect("are sorted by a column of the sorting key that is a time, else by a time of the table", () =>
    Effect.gen(function* () {
      const tables = [
        tableOf(
          { id: "UInt64", at: "DateTime", seen: "DateTime" },
          { name: "a", sortingKey: ["toDate(seen)", "id", "seen"] }
        ),
        tableOf({ id: "UInt64", at: "DateTime" }, { name: "b", sortingKey: ["id"] }),
        tableOf({ id: "UInt64", kind: "String" }, { name: "c", sortingKey: ["lower(kind)", "id"] }),
        tableOf({ id: "UInt64" }, { name: "d" })
      ]
      const { queries, query } = chartsOf({ tables, pipeTables: ["a", "b", "c", "d"] })
      for (const { name } of tables) yield* query(newest(name))
      assert.deepStrictEqual(
        queries.map((one) => showQuery(one).orderBy),
        [["seen DESC"], ["at DESC"], ["lower(kind) DESC", "id DESC"], []]
      )
      assert.deepStrictEqual(showQuery(queries[1]!), {
        from: "b",
        columns: ["c0 = id", "c1 = at"],
        orderBy: ["at DESC"],
        limit: 201,
        offset: 0
      })
    })
  )

  it.effect("need the name of the table if the pipe has several, and are not there for other tables", () =>
    Effect.gen(function* () {
      const two = chartsOf({ pipeTables: ["logs", "b"] })
      assert.strictEqual((yield* two.query(newest("logs"))).displayType, "search")
      assert.strictEqual((yield* Effect.flip(two.query(newest()))).message, "tile.table: Expected one of logs, b")
      for (const one of [two.query(newest("other")), chartsOf().query(newest()), two.query(newest("b"))]) {
        assert.strictEqual((yield* Effect.flip(one))._tag, "ChartNotFound")
      }
    })
  )
})

describe("texts of callers", () => {
  it.effect("are never names of a query", () =>
    Effect.gen(function* () {
      const hostile = 'x`, (SELECT 1) AS "y'
      const column = "a`b"
      const { queries, query } = chartsOf({ tables: [tableOf({ ts: "DateTime", [column]: "String" })] })
      const groupBy = "`a\\`b`"
      const item = { aggFn: "max", valueExpression: groupBy, alias: hostile }
      yield* query(requestOf({ displayType: "line", select: [item, item], groupBy }))
      yield* query(requestOf({ displayType: "table", select: [item], groupBy, orderBy: "min(ts)" }))
      yield* query(requestOf({ displayType: "search", select: groupBy }))
      const names = queries.flatMap((one) =>
        one._tag === "Rows"
          ? one.columns
          : [...one.groups, ...one.values, ...(one.bucket === undefined ? [] : [one.bucket])]
      )
      assert.deepStrictEqual(
        names.map(({ name }) => name),
        ["g0", "v0", "n0", "v1", "n1", "bucket", "g0", "v0", "n0", "x0", "c0"]
      )
    })
  )
})
