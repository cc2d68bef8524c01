import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { answerConfigDashboard } from "../../../src/dashboard/config/ConfigDashboard.ts"
import type { Dashboard } from "../../../src/dashboard/Dashboard.ts"
import { DashboardId, TileId } from "../../../src/id/dashboard.ts"
import {
  board,
  chart,
  connection,
  count,
  type Fields,
  heatmap,
  line,
  logs,
  make,
  markdown,
  metrics,
  numberChart,
  pie,
  validate,
  replace,
  seriesHeatmap,
  seriesOf,
  sqlChart,
  sum,
  table,
  tile,
  timeSeries
} from "./configDashboards.ts"

const countItem = { aggFn: "count", valueExpression: "", where: "", whereLanguage: "lucene" }
const sumItem = { aggFn: "sum", valueExpression: "Duration", where: "", whereLanguage: "lucene" }
const formulas = [{ expression: "A * 2" }]
const numberFormat = { output: "time", mantissa: 2 }
const onClick = { type: "external", urlTemplate: "https://example.test/{{a}}" }
const colorRules = [{ operator: "between", value: [9, 1], color: "chart-red" }]

/** A chart that is sent, and the chart that is answered. */
const charts: ReadonlyArray<readonly [string, Fields, Fields]> = [
  ["a line has defaults", line, { ...line, select: [countItem], asRatio: false, fillNulls: true }],
  [
    "a line keeps all of its fields",
    {
      ...line,
      fillNulls: false,
      fitYAxisToData: true,
      compareToPreviousPeriod: true,
      seriesLimit: 0,
      groupBy: "a",
      formulas
    },
    {
      ...line,
      select: [countItem],
      asRatio: false,
      fillNulls: false,
      formulas,
      fitYAxisToData: true,
      compareToPreviousPeriod: true,
      seriesLimit: 0,
      groupBy: "a"
    }
  ],
  [
    "a stacked bar drops what only lines have",
    { ...line, displayType: "stacked_bar", fitYAxisToData: true, compareToPreviousPeriod: true },
    { ...line, displayType: "stacked_bar", select: [countItem], asRatio: false, fillNulls: true }
  ],
  [
    "a stacked line keeps its interpolation and drops what only lines have",
    { ...line, displayType: "stacked_line", lineInterpolation: "step", fitYAxisToData: true, formulas },
    {
      ...line,
      displayType: "stacked_line",
      select: [countItem],
      asRatio: false,
      fillNulls: true,
      lineInterpolation: "step",
      formulas
    }
  ],
  [
    "a line keeps its interpolation",
    { ...line, lineInterpolation: "smooth" },
    { ...line, select: [countItem], asRatio: false, fillNulls: true, lineInterpolation: "smooth" }
  ],
  [
    "a ratio of two select items",
    { ...line, select: [count, sum], asRatio: true },
    { ...line, select: [countItem, sumItem], asRatio: true, fillNulls: true }
  ],
  [
    "a table has no fillNulls",
    { ...table, fillNulls: true, having: "a", orderBy: "b", groupByColumnsOnLeft: true, onClick },
    { ...table, select: [countItem], asRatio: false, having: "a", orderBy: "b", groupByColumnsOnLeft: true, onClick }
  ],
  [
    "a number drops empty color rules and showOperandSeries",
    { ...numberChart, color: "chart-blue", colorRules: [], formulas, showOperandSeries: true, fillNulls: true },
    { ...numberChart, select: [countItem], color: "chart-blue", formulas }
  ],
  [
    "a number has color rules and a background",
    { ...numberChart, colorRules, backgroundChart: { type: "area" } },
    { ...numberChart, select: [countItem], colorRules, backgroundChart: { type: "area" } }
  ],
  [
    "a formula allows a number several select items",
    { ...numberChart, select: [count, sum], formulas: [{ expression: "A / B" }] },
    { ...numberChart, select: [countItem, sumItem], formulas: [{ expression: "A / B" }] }
  ],
  [
    "empty formulas are dropped, and showOperandSeries with them",
    { ...table, formulas: [], showOperandSeries: false },
    { ...table, select: [countItem], asRatio: false }
  ],
  [
    "showOperandSeries stays beside formulas",
    { ...table, formulas, showOperandSeries: false },
    { ...table, select: [countItem], asRatio: false, formulas, showOperandSeries: false }
  ],
  [
    "a pie drops formulas and seriesLimit",
    { ...pie, formulas: [{ expression: "C" }], seriesLimit: 3, limit: 5 },
    { ...pie, select: [countItem], limit: 5 }
  ],
  ["a link from anything but a table is dropped", { ...pie, onClick: 7 }, { ...pie, select: [countItem] }],
  ["a heatmap has a filter", heatmap, { ...heatmap, where: "", whereLanguage: "lucene" }],
  [
    "a heatmap of a distribution keeps its mode",
    { ...heatmap, heatmapMode: "distribution", where: "a" },
    { ...heatmap, heatmapMode: "distribution", where: "a", whereLanguage: "lucene" }
  ],
  [
    "a heatmap of series has the select item of other charts and no filter",
    { ...seriesHeatmap, select: [{ ...count, countExpression: "a" }], where: "a", whereLanguage: "sql" },
    { ...seriesHeatmap, select: [countItem] }
  ],
  [
    "a heatmap of series keeps all of its fields",
    {
      ...seriesHeatmap,
      sourceId: metrics,
      select: [{ ...sumItem, alias: "A", metricName: "m", metricType: "gauge", periodAggFn: "delta", numberFormat }],
      groupBy: "ServiceName",
      numberFormat
    },
    {
      ...seriesHeatmap,
      sourceId: metrics,
      select: [{ ...sumItem, alias: "A", metricName: "m", metricType: "gauge", periodAggFn: "delta", numberFormat }],
      groupBy: "ServiceName",
      numberFormat
    }
  ],
  ["a markdown has a text", { displayType: "markdown", sourceId: logs }, { displayType: "markdown", markdown: "" }],
  [
    "a search has a filter",
    { displayType: "search", sourceId: logs, select: "" },
    { displayType: "search", sourceId: logs, select: "", where: "", whereLanguage: "lucene" }
  ],
  [
    "event patterns have a select",
    { displayType: "event_patterns", sourceId: logs, whereLanguage: "sql" },
    { displayType: "event_patterns", sourceId: logs, select: "", where: "", whereLanguage: "sql" }
  ],
  ["SQL keeps its fields", { ...sqlChart, onClick, sourceId: logs }, { ...sqlChart, onClick, sourceId: logs }],
  [
    "a number of SQL has color rules",
    { ...sqlChart, displayType: "number", color: "chart-blue", colorRules },
    { ...sqlChart, displayType: "number", color: "chart-blue", colorRules }
  ],
  [
    "empty color rules of SQL are dropped",
    { ...sqlChart, displayType: "number", colorRules: [] },
    { ...sqlChart, displayType: "number" }
  ],
  [
    "SQL over time fills fillNulls",
    { ...sqlChart, displayType: "line", fitYAxisToData: true, seriesLimit: 3 },
    { ...sqlChart, displayType: "line", fillNulls: true, fitYAxisToData: true, seriesLimit: 3 }
  ],
  [
    "SQL over time as bars",
    { ...sqlChart, displayType: "stacked_bar", fitYAxisToData: true, fillNulls: false, seriesLimit: 3 },
    { ...sqlChart, displayType: "stacked_bar", fillNulls: false, seriesLimit: 3 }
  ],
  [
    "SQL over time as stacked lines",
    { ...sqlChart, displayType: "stacked_line", lineInterpolation: "linear", compareToPreviousPeriod: true },
    { ...sqlChart, displayType: "stacked_line", lineInterpolation: "linear", fillNulls: true }
  ],
  [
    "SQL as a line keeps its interpolation",
    { ...sqlChart, displayType: "line", lineInterpolation: "step" },
    { ...sqlChart, displayType: "line", lineInterpolation: "step", fillNulls: true }
  ],
  ["a pie of SQL has nothing more", { ...sqlChart, displayType: "pie", onClick }, { ...sqlChart, displayType: "pie" }],
  [
    "any other configType is ignored",
    { ...table, configType: "promql" },
    { ...table, select: [countItem], asRatio: false }
  ],
  [
    "a select item keeps its fields",
    {
      ...line,
      sourceId: metrics,
      select: [{ ...sum, aggFn: "quantile", level: 0.99, metricType: "summary", metricName: "m", a: 1 }]
    },
    {
      ...line,
      sourceId: metrics,
      asRatio: false,
      fillNulls: true,
      select: [{ ...sumItem, aggFn: "quantile", level: 0.99, metricType: "summary", metricName: "m" }]
    }
  ],
  [
    "the count of an empty expression",
    { ...line, select: [{ ...count, valueExpression: "", periodAggFn: "delta", alias: "" }] },
    { ...line, asRatio: false, fillNulls: true, select: [{ ...countItem, periodAggFn: "delta", alias: "" }] }
  ]
]

const seriesItem = { ...countItem, where: "level:error" }
const number = { ...timeSeries, type: "number" }
const format = { output: "percent" }

/** Series that are sent, and the chart that is answered. */
const conversions: ReadonlyArray<readonly [string, ReadonlyArray<Fields>, Fields]> = [
  [
    "a time series is a line",
    [timeSeries],
    { ...line, select: [seriesItem], asRatio: false, fillNulls: true, groupBy: "service" }
  ],
  [
    "a time series of bars",
    [{ ...timeSeries, displayType: "stacked_bar", groupBy: [] }],
    { ...line, displayType: "stacked_bar", select: [seriesItem], asRatio: false, fillNulls: true }
  ],
  [
    "a stacked line over time",
    [{ ...timeSeries, displayType: "stacked_line", groupBy: [] }],
    { ...line, displayType: "stacked_line", select: [seriesItem], asRatio: false, fillNulls: true }
  ],
  [
    "the first number format moves to the chart, the first groupBy too",
    [
      { ...timeSeries, groupBy: ["a", "b"] },
      { ...timeSeries, numberFormat: format, groupBy: ["c"] }
    ],
    { ...line, select: [seriesItem, seriesItem], asRatio: false, fillNulls: true, groupBy: "a,b", numberFormat: format }
  ],
  [
    "a table loses its order",
    [{ ...timeSeries, type: "table", sortOrder: "desc" }],
    { ...table, select: [seriesItem], asRatio: false, groupBy: "service" }
  ],
  [
    "a number shows the first series only",
    [number, { ...number, where: "b" }],
    { ...numberChart, select: [seriesItem] }
  ],
  [
    "a field is a value expression, and a metric keeps its name and type",
    [{ ...timeSeries, aggFn: "sum", field: "Duration", alias: "d", metricName: "m", metricDataType: "sum" }],
    {
      ...line,
      asRatio: false,
      fillNulls: true,
      groupBy: "service",
      select: [{ ...sumItem, where: "level:error", alias: "d", metricName: "m", metricType: "sum" }]
    }
  ],
  [
    "a level that charts do not have is lost, and so is what count does not count",
    [
      { ...timeSeries, aggFn: "quantile", field: "Duration", level: 0.7 },
      { ...timeSeries, aggFn: "quantile", field: "Duration", level: 0.9 },
      { ...timeSeries, field: "Duration" }
    ],
    {
      ...line,
      asRatio: false,
      fillNulls: true,
      groupBy: "service",
      select: [
        { ...sumItem, aggFn: "quantile", where: "level:error" },
        { ...sumItem, aggFn: "quantile", where: "level:error", level: 0.9 },
        { aggFn: "count", where: "level:error", whereLanguage: "lucene" }
      ]
    }
  ],
  [
    "the fields of a search are joined",
    [{ type: "search", sourceId: logs, fields: ["a", "b"], where: "c" }],
    { displayType: "search", sourceId: logs, select: "a, b", where: "c", whereLanguage: "lucene" }
  ],
  ["a markdown", [{ type: "markdown", content: "# A" }], { displayType: "markdown", markdown: "# A" }]
]

const config = (dashboard: Dashboard) => dashboard.tiles?.[0]?.["config"]
const hexId = /^[0-9a-f]{24}$/
const empty = { tags: [], filters: [], savedQuery: null, savedQueryLanguage: null, savedFilterValues: [] }

const container = { id: "k1", title: "One", collapsed: false, tabs: [{ id: "t1", title: "Tab" }] }
const filter = { type: "QUERY_EXPRESSION", name: "Env", expression: "env", sourceId: logs }

/** Fields of a body, and those of the answer. */
const fields: ReadonlyArray<readonly [string, Fields, Fields]> = [
  ["nothing but a name and tiles", {}, {}],
  ["tags, each once", { tags: ["a", "b", "a"] }, { tags: ["a", "b"] }],
  ["unknown fields are dropped", { id: "mine", owner: { a: [1] }, createdAt: 1 }, {}],
  ["a query is one of Lucene", { savedQuery: "a" }, { savedQuery: "a", savedQueryLanguage: "lucene" }],
  [
    "a query and its language",
    { savedQuery: "a", savedQueryLanguage: "sql" },
    { savedQuery: "a", savedQueryLanguage: "sql" }
  ],
  ["no query has no language", { savedQuery: null }, {}],
  ["an empty query has no language", { savedQuery: "" }, { savedQuery: "" }],
  ["nor has one that is sent with a language", { savedQuery: "", savedQueryLanguage: "sql" }, { savedQuery: "" }],
  [
    "saved filter values are SQL",
    { savedFilterValues: [{ condition: "a = 1" }] },
    { savedFilterValues: [{ type: "sql", condition: "a = 1" }] }
  ],
  [
    "saved filter values are those of variables, without unknown fields",
    {
      savedFilterValues: [
        { type: "variable", name: "tier", values: ["low"], note: 1 },
        { type: "variable", name: "cluster", values: [], all: true }
      ]
    },
    {
      savedFilterValues: [
        { type: "variable", name: "tier", values: ["low"] },
        { type: "variable", name: "cluster", values: [], all: true }
      ]
    }
  ],
  ["containers", { containers: [container] }, { containers: [container] }],
  ["no containers", { containers: [] }, {}]
]

describe("makeConfigDashboard", () => {
  it.effect.each(charts)("a chart: %s", ([, sent, answered]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual<unknown>(config(yield* make(chart(sent))), answered)
    })
  )

  it.effect.each(conversions)("series: %s", ([, sent, answered]) =>
    Effect.gen(function* () {
      const made = yield* make(seriesOf(...sent))
      assert.deepStrictEqual<unknown>(config(made), answered)
      assert.deepStrictEqual<unknown>(config(yield* answerConfigDashboard(made)), answered)
    })
  )

  it.effect.each(fields)("a dashboard: %s", ([, sent, answered]) =>
    Effect.gen(function* () {
      const { id, ...rest } = yield* make(board(sent))
      assert.match(id, hexId)
      assert.deepStrictEqual<unknown>(rest, { ...board(), ...empty, ...answered })
    })
  )

  it.effect("shows a ratio of two series, and of no other number", () =>
    Effect.gen(function* () {
      const ratio = (...series: ReadonlyArray<Fields>) => board({ tiles: [tile({ asRatio: true, series })] })
      assert.deepInclude(config(yield* make(ratio(timeSeries, timeSeries))), { asRatio: true })
      assert.deepInclude(config(yield* make(ratio(timeSeries))), { asRatio: false })
    })
  )

  it.effect("gives every tile and filter a new id and keeps their places", () =>
    Effect.gen(function* () {
      const sent = [tile({ id: "mine", config: markdown, x: 0.5 }), tile({ name: "", config: markdown })]
      const { filters, tiles } = yield* make(board({ tiles: sent, filters: [filter] }))
      const [first, second] = tiles ?? []
      for (const id of [first?.id, second?.id]) assert.match(String(id), hexId)
      assert.notStrictEqual(first?.id, second?.id)
      assert.deepStrictEqual<unknown>({ ...first, id: "" }, tile({ id: "", config: markdown, x: 0.5 }))
      assert.deepStrictEqual<unknown>(JSON.parse(JSON.stringify(filters)), [{ ...filter, id: Object(filters)[0].id }])
      assert.match(Object(filters)[0].id, hexId)
    })
  )

  it.effect("hides the fields of a filter that its modes do not use", () =>
    Effect.gen(function* () {
      const modes = { isBroadcastEnabled: false, isVariableEnabled: true, variableName: "env" }
      const made = yield* make(board({ filters: [{ ...filter, ...modes, appliesToSourceIds: [] }] }))
      const { id, ...rest } = Object(made["filters"])[0]
      assert.match(id, hexId)
      assert.deepStrictEqual(rest, { ...filter, ...modes })
    })
  )
})

describe("replaceConfigDashboard", () => {
  const full = board({
    tags: ["a"],
    savedQuery: "q",
    savedFilterValues: [{ condition: "a" }],
    containers: [container],
    filters: [filter],
    tiles: [tile({ config: line, description: "Why", containerId: "k1", tabId: "t1" })]
  })

  it.effect("changes nothing with what was answered", () =>
    Effect.gen(function* () {
      const stored = yield* make(full)
      assert.strictEqual(stored.tiles?.[0]?.["description"], "Why")
      assert.deepStrictEqual(yield* replace(stored, JSON.parse(JSON.stringify(stored))), stored)
    })
  )

  it.effect("keeps what is absent, and replaces the name and the tiles", () =>
    Effect.gen(function* () {
      const stored = yield* make(full)
      const replaced = yield* replace(stored, { name: "New", tiles: [] })
      assert.deepStrictEqual<unknown>(replaced, { ...stored, name: "New", tiles: [] })
    })
  )

  it.effect("clears what is sent empty", () =>
    Effect.gen(function* () {
      const cleared = { tags: [], savedQuery: null, savedFilterValues: [], containers: [], filters: [] }
      const stored = yield* make(full)
      const { id, ...rest } = yield* replace(stored, board(cleared))
      assert.strictEqual(id, stored.id)
      assert.deepStrictEqual<unknown>(rest, { ...board(), ...empty })
    })
  )

  it.effect("keeps the ids of tiles and filters that the dashboard has, and replaces others", () =>
    Effect.gen(function* () {
      const stored = yield* make(full)
      const own = stored.tiles?.[0]?.id
      const body = {
        name: "New",
        tiles: [tile({ id: own, config: line }), tile({ id: "mine", config: line }), tile({ config: line })],
        filters: [
          { ...filter, id: Object(stored["filters"])[0].id },
          { ...filter, id: "mine" }
        ]
      }
      const { filters, tiles } = yield* replace(stored, body)
      assert.strictEqual(tiles?.[0]?.id, own)
      for (const tile of tiles?.slice(1) ?? []) assert.match(tile.id, hexId)
      assert.strictEqual(Object(filters)[0].id, Object(stored["filters"])[0].id)
      assert.match(Object(filters)[1].id, hexId)
    })
  )

  it.effect("requires the id of each filter", () =>
    Effect.gen(function* () {
      const stored = yield* make(board())
      const { message } = yield* Effect.flip(replace(stored, board({ filters: [filter] })))
      assert.strictEqual(message, "Body validation failed: filters.0.id: Required")
    })
  )

  it.effect("checks the containers of tiles against those in the body, or else the stored ones", () =>
    Effect.gen(function* () {
      const stored = yield* make(full)
      const body = { name: "New", tiles: [tile({ config: line, containerId: "k1" })] }
      assert.strictEqual((yield* replace(stored, body)).tiles?.[0]?.["containerId"], "k1")
      const { message } = yield* Effect.flip(replace(stored, { ...body, containers: [] }))
      assert.strictEqual(message, 'tiles.0.containerId: Tile references unknown containerId "k1"')
    })
  )

  it.effect("changes the language of a kept query", () =>
    Effect.gen(function* () {
      const stored = yield* make(full)
      assert.deepInclude(yield* replace(stored, board({ savedQueryLanguage: "sql" })), {
        savedQuery: "q",
        savedQueryLanguage: "sql"
      })
      assert.deepInclude(yield* replace(stored, board({ savedQueryLanguage: null })), {
        savedQuery: "q",
        savedQueryLanguage: "lucene"
      })
    })
  )
})

describe("validateConfigDashboard", () => {
  it("answers the body with its defaults and without ids", () => {
    const sent = { ...seriesOf(timeSeries), owner: 1, savedFilterValues: [{ condition: "a" }] }
    assert.deepStrictEqual<unknown>(validate(sent), {
      valid: true,
      errors: [],
      normalized: { ...seriesOf(timeSeries), savedFilterValues: [{ type: "sql", condition: "a" }] }
    })
  })

  it("fills the where of a select item and nothing that only answers have", () => {
    const { normalized } = validate(chart(line))
    assert.deepStrictEqual<unknown>(normalized, chart({ ...line, select: [{ ...count, where: "" }] }))
  })

  it("answers one error for each issue", () => {
    assert.deepStrictEqual(validate({ tiles: [7] }), {
      valid: false,
      errors: [
        { path: "name", message: "Required" },
        { path: "tiles.0", message: "Expected object, received number" }
      ],
      normalized: null
    })
  })

  it("answers one error without a path for a bad reference", () => {
    const sent = chart({ ...sqlChart, connectionId: "9".repeat(24) })
    assert.deepStrictEqual(validate(sent), {
      valid: false,
      errors: [{ path: "", message: `Could not find the following connection IDs: ${"9".repeat(24)}` }],
      normalized: null
    })
  })
})

describe("answerConfigDashboard", () => {
  const stored = (fields: Fields): Dashboard => ({ id: DashboardId.make("d-1"), name: "Errors", ...fields })

  it.effect("answers what was made in this dialect as it is", () =>
    Effect.gen(function* () {
      const made = yield* make({ ...chart({ ...sqlChart, connectionId: connection }), containers: [container] })
      assert.deepStrictEqual(yield* answerConfigDashboard(made), made)
    })
  )

  it.effect("converts the series of the neutral dialect", () =>
    Effect.gen(function* () {
      const answered = yield* answerConfigDashboard(
        stored({ tiles: [{ id: TileId.make("t-1"), series: [timeSeries] }] })
      )
      assert.deepInclude(config(answered), { displayType: "line", sourceId: logs })
      assert.deepStrictEqual<unknown>(answered.tags, [])
    })
  )

  it.effect("leaves out tiles of PromQL and references to containers that are gone", () =>
    Effect.gen(function* () {
      const tiles = [
        tile({ id: "a", config: { configType: "promql" } }),
        tile({ id: "b", config: markdown, containerId: "gone", tabId: "t1" }),
        tile({ id: "c", config: markdown, containerId: "k1", tabId: "gone" }),
        tile({ id: "d", config: markdown, containerId: "k1", tabId: "t1" })
      ]
      const answered = yield* answerConfigDashboard(stored({ tiles, containers: [container] }))
      assert.deepStrictEqual<unknown>(answered.tiles, [
        tile({ id: "b", config: markdown }),
        tile({ id: "c", config: markdown, containerId: "k1" }),
        tile({ id: "d", config: markdown, containerId: "k1", tabId: "t1" })
      ])
    })
  )
})
