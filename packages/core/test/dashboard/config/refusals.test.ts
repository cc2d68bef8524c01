import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { configSchemas } from "../../../src/dashboard/config/configSchemas.ts"
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
  numberChart,
  pie,
  promqlLabel,
  refusal,
  seriesHeatmap,
  seriesOf,
  sourceFilter,
  sqlChart,
  staticList,
  sum,
  table,
  tile,
  timeSeries
} from "./configDashboards.ts"

const item = (fields: Fields) => chart({ ...line, select: [fields] })
const field = (name: string, value: unknown) => chart({ ...line, [name]: value })
const on = (config: Fields, fields: Fields) => chart({ ...config, ...fields })
const tileWith = (fields: Fields) => board({ tiles: [tile({ config: markdown, ...fields })] })
const filter = { type: "QUERY_EXPRESSION", name: "Env", expression: "env", sourceId: logs }
const filtered = (...filters: ReadonlyArray<Fields>) =>
  board({ filters: filters.map((each) => ({ ...filter, ...each })) })
const listed = (fields: Fields) => board({ filters: [{ ...staticList, ...fields }] })
const container = { id: "k1", title: "One", collapsed: false }
const clickTo = (onClick: unknown) => on(table, { onClick })
const rule = (colorRule: Fields) => on(numberChart, { colorRules: [{ color: "chart-red", ...colorRule }] })
const formulas = (...expressions: ReadonlyArray<string>) => ({
  formulas: expressions.map((expression) => ({ expression }))
})
const long = (length: number) => "x".repeat(length)
const series = (fields: Fields) => seriesOf({ ...timeSeries, ...fields })

const kinds =
  "'line' | 'stacked_bar' | 'stacked_line' | 'table' | 'number' | 'pie' | 'bar' | 'heatmap' | 'markdown' | 'search' | 'event_patterns'"
const functions =
  "'avg' | 'count' | 'count_distinct' | 'last_value' | 'max' | 'min' | 'quantile' | 'sum' | 'any' | 'none' | 'increase'"
const languages = "'sql' | 'lucene' | 'promql'"
const metricTypes = "'gauge' | 'histogram' | 'sum' | 'summary' | 'exponential histogram'"
const filterTypes = "'QUERY_EXPRESSION' | 'STATIC_LIST' | 'PROMETHEUS_LABEL' | 'SOURCE_FILTER'"
const outputs = "'currency' | 'percent' | 'byte' | 'time' | 'duration' | 'number' | 'data_rate' | 'throughput'"
const colors = "blue orange red cyan green pink purple light-blue brown gray success warning error"
  .split(" ")
  .map((name) => `'chart-${name}'`)
  .join(" | ")
const enumOf = (values: string, received: string) => `Invalid enum value. Expected ${values}, received '${received}'`
const atMost = (length: number) => `String must contain at most ${length} character(s)`
const atLeast = (length: number) => `String must contain at least ${length} character(s)`
const tooMany = (length: number) => `Array must contain at most ${length} element(s)`
const neither = "Tile must have either series or config"

/** A body, and the message after `Body validation failed: `. */
const cases: ReadonlyArray<readonly [unknown, string]> = [
  // The body
  ["text", "Expected object, received string"],
  [[], "Expected object, received array"],
  [null, "Expected object, received null"],
  [undefined, "Required"],
  [{}, "name: Required; tiles: Required"],
  [board({ name: 7 }), "name: Expected string, received number"],
  [board({ name: null }), "name: Expected string, received null"],
  [board({ name: long(1025) }), `name: ${atMost(1024)}`],
  [board({ tiles: null }), "tiles: Expected array, received null"],
  [board({ tiles: Array.from({ length: 501 }, () => tile({ config: markdown })) }), `tiles: ${tooMany(500)}`],
  [board({ tags: Array.from({ length: 51 }, String) }), `tags: ${tooMany(50)}`],
  [board({ tags: ["a", long(33)] }), `tags.1: ${atMost(32)}`],
  [board({ tags: [true] }), "tags.0: Expected string, received boolean"],
  [board({ savedQuery: 1 }), "savedQuery: Expected string, received number"],
  [board({ savedQueryLanguage: "x" }), `savedQueryLanguage: ${enumOf(languages, "x")}`],
  [
    board({ savedQuery: "a", savedQueryLanguage: null }),
    "savedQueryLanguage: savedQueryLanguage cannot be null when savedQuery is provided"
  ],
  [board({ savedFilterValues: [{}] }), "savedFilterValues.0.condition: Required"],
  [
    board({ savedFilterValues: [{ type: "x", condition: "" }] }),
    "savedFilterValues.0.type: Invalid discriminator value. Expected 'sql' | 'variable'"
  ],
  [
    board({ savedFilterValues: [{ type: "variable" }] }),
    "savedFilterValues.0.name: Required; savedFilterValues.0.values: Required"
  ],
  [
    board({ savedFilterValues: [{ type: "variable", name: "tier", values: [1], all: false }] }),
    "savedFilterValues.0.values.0: Expected string, received number; savedFilterValues.0.all: Invalid literal value, expected true"
  ],
  [board({ savedFilterValues: [{ condition: long(10_001) }] }), `savedFilterValues.0.condition: ${atMost(10_000)}`],

  // Tiles
  [board({ tiles: [7] }), "tiles.0: Expected object, received number"],
  [
    board({ tiles: [{ config: markdown }] }),
    "tiles.0.name: Required; tiles.0.x: Required; tiles.0.y: Required; tiles.0.w: Required; tiles.0.h: Required"
  ],
  [tileWith({ x: -1 }), "tiles.0.x: Number must be greater than or equal to 0"],
  [tileWith({ x: 24 }), "tiles.0.x: Number must be less than or equal to 23"],
  [tileWith({ y: -1 }), "tiles.0.y: Number must be greater than or equal to 0"],
  [tileWith({ w: 0 }), "tiles.0.w: Number must be greater than or equal to 1"],
  [tileWith({ w: 25 }), "tiles.0.w: Number must be less than or equal to 24"],
  [tileWith({ h: 0.5 }), "tiles.0.h: Number must be greater than or equal to 1"],
  [tileWith({ h: Infinity }), "tiles.0.h: Number must be finite"],
  [tileWith({ x: "1" }), "tiles.0.x: Expected number, received string"],
  [tileWith({ id: long(37) }), `tiles.0.id: ${atMost(36)}`],
  [tileWith({ id: null }), "tiles.0.id: Expected string, received null"],
  [tileWith({ containerId: "" }), `tiles.0.containerId: ${atLeast(1)}`],
  [tileWith({ tabId: long(257) }), `tiles.0.tabId: ${atMost(256)}`],
  [
    board({ tiles: [tile({ config: markdown, id: "mine" }), tile({ config: markdown, id: "mine" })] }),
    "tiles.1.id: Duplicate tile ID: mine. Omit the ID to generate a unique one."
  ],
  [tileWith({ series: [timeSeries] }), "tiles.0: Tile cannot have both series and config"],
  [board({ tiles: [tile()] }), `tiles.0: ${neither}`],
  // The checks of an object run after a broken bound, and not after a wrong type.
  [board({ tiles: [tile({ x: 99 })] }), `tiles.0.x: Number must be less than or equal to 23; tiles.0: ${neither}`],
  [board({ tiles: [tile({ x: "9" })] }), "tiles.0.x: Expected number, received string"],
  [
    tileWith({ asRatio: false }),
    "tiles.0: asRatio property is not supported when using config property. Specify config.asRatio instead."
  ],

  // Series
  [seriesOf(), "tiles.0.series: Array must contain at least 1 element(s)"],
  [
    seriesOf({}),
    "tiles.0.series.0.type: Invalid discriminator value. Expected 'time' | 'table' | 'search' | 'number' | 'markdown'"
  ],
  [
    series({ type: "histogram" }),
    "tiles.0.series.0.type: Invalid discriminator value. Expected 'time' | 'table' | 'search' | 'number' | 'markdown'"
  ],
  [seriesOf(timeSeries, { type: "markdown", content: "" }), "tiles.0.series: All series must have the same type"],
  [
    seriesOf({ type: "time" }),
    ["sourceId", "aggFn", "where", "groupBy"].map((name) => `tiles.0.series.0.${name}: Required`).join("; ")
  ],
  [series({ groupBy: Array.from({ length: 11 }, String) }), `tiles.0.series.0.groupBy: ${tooMany(10)}`],
  [series({ level: 2 }), "tiles.0.series.0.level: Number must be less than or equal to 1"],
  [series({ displayType: "bar" }), "tiles.0.series.0.displayType: Invalid input"],
  [series({ type: "table", sortOrder: "up" }), "tiles.0.series.0.sortOrder: Invalid input"],
  [series({ metricDataType: "x" }), `tiles.0.series.0.metricDataType: ${enumOf(metricTypes, "x")}`],
  [seriesOf({ type: "search", sourceId: logs, where: "" }), "tiles.0.series.0.fields: Required"],
  [seriesOf({ type: "markdown" }), "tiles.0.series.0.content: Required"],
  [seriesOf({ type: "markdown", content: long(100_001) }), `tiles.0.series.0.content: ${atMost(100_000)}`],

  // Charts
  [on({}, {}), `tiles.0.config.displayType: Invalid discriminator value. Expected ${kinds}`],
  [on({}, { displayType: "gauge" }), `tiles.0.config.displayType: Invalid discriminator value. Expected ${kinds}`],
  [board({ tiles: [tile({ config: 7 })] }), "tiles.0.config: Expected object, received number"],
  [
    on(sqlChart, { displayType: "search" }),
    "tiles.0.config.displayType: Invalid discriminator value. Expected 'line' | 'stacked_bar' | 'stacked_line' | 'table' | 'number' | 'pie' | 'bar'"
  ],
  [on({ displayType: "line" }, {}), "tiles.0.config.sourceId: Required; tiles.0.config.select: Required"],
  [
    field("lineInterpolation", "round"),
    "tiles.0.config.lineInterpolation: Invalid enum value. Expected 'smooth' | 'linear' | 'step', received 'round'"
  ],
  [field("sourceId", "short"), "tiles.0.config.sourceId: Invalid ObjectId"],
  [field("select", []), "tiles.0.config.select: Array must contain at least 1 element(s)"],
  [
    field(
      "select",
      Array.from({ length: 21 }, () => count)
    ),
    `tiles.0.config.select: ${tooMany(20)}`
  ],
  [field("groupBy", ["a"]), "tiles.0.config.groupBy: Expected string, received array"],
  [field("groupBy", long(10_001)), `tiles.0.config.groupBy: ${atMost(10_000)}`],
  [field("seriesLimit", -1), "tiles.0.config.seriesLimit: Number must be greater than or equal to 0"],
  [field("seriesLimit", 1.5), "tiles.0.config.seriesLimit: Expected integer, received float"],
  [field("fillNulls", 1), "tiles.0.config.fillNulls: Expected boolean, received number"],
  [field("asRatio", true), "tiles.0.config: asRatio can only be used with exactly two select items"],
  [on(numberChart, { asRatio: true }), "tiles.0.config: asRatio can only be used with exactly two select items"],
  [on(pie, { asRatio: true }), "tiles.0.config: asRatio can only be used with exactly two select items"],
  [on(table, { having: 1 }), "tiles.0.config.having: Expected string, received number"],
  [on(table, { orderBy: long(10_001) }), `tiles.0.config.orderBy: ${atMost(10_000)}`],
  [on(pie, { select: [count, sum] }), "tiles.0.config.select: Array must contain exactly 1 element(s)"],
  [on(pie, { select: [] }), "tiles.0.config.select: Array must contain exactly 1 element(s)"],
  [on(pie, { displayType: "bar", limit: -1 }), "tiles.0.config.limit: Number must be greater than or equal to 0"],
  [
    on(numberChart, { select: [count, sum] }),
    "tiles.0.config.select: Number tiles support a single select item unless formulas are used (extra items are formula operands)"
  ],
  [
    on(heatmap, { heatmapMode: "x" }),
    "tiles.0.config.heatmapMode: Invalid discriminator value. Expected 'distribution' | 'series'"
  ],
  [on(seriesHeatmap, { select: [] }), "tiles.0.config.select: Array must contain exactly 1 element(s)"],
  [on(seriesHeatmap, { select: [{ valueExpression: "a" }] }), "tiles.0.config.select.0.aggFn: Required"],
  [
    on(seriesHeatmap, { select: [{ aggFn: "sum" }] }),
    "tiles.0.config.select.0: Value expression is required for non-count aggregation functions"
  ],
  [on(seriesHeatmap, { groupBy: long(10_001) }), `tiles.0.config.groupBy: ${atMost(10_000)}`],
  [on(heatmap, { select: [{ valueExpression: "" }] }), `tiles.0.config.select.0.valueExpression: ${atLeast(1)}`],
  [
    on(heatmap, { select: [{ valueExpression: "a", heatmapScaleType: "x" }] }),
    `tiles.0.config.select.0.heatmapScaleType: ${enumOf("'log' | 'linear'", "x")}`
  ],
  [on({ displayType: "search", sourceId: logs }, {}), "tiles.0.config.select: Required"],
  [on(markdown, { markdown: long(50_001) }), `tiles.0.config.markdown: ${atMost(50_000)}`],
  [
    on({ configType: "sql", displayType: "line" }, {}),
    "tiles.0.config.connectionId: Required; tiles.0.config.sqlTemplate: Required"
  ],
  [on(sqlChart, { sqlTemplate: long(100_001) }), `tiles.0.config.sqlTemplate: ${atMost(100_000)}`],
  [on(sqlChart, { sourceId: null }), "tiles.0.config.sourceId: Expected string, received null"],
  // Any other `configType` is ignored.
  [on(sqlChart, { configType: "promql" }), "tiles.0.config.sourceId: Required; tiles.0.config.select: Required"],

  // Select items
  [item({}), "tiles.0.config.select.0.aggFn: Required"],
  [item({ aggFn: 7 }), `tiles.0.config.select.0.aggFn: Expected ${functions}, received number`],
  [field("select", [count, { aggFn: "p99" }]), `tiles.0.config.select.1.aggFn: ${enumOf(functions, "p99")}`],
  [item({ aggFn: "sum" }), "tiles.0.config.select.0: Value expression is required for non-count aggregation functions"],
  [
    item({ ...sum, valueExpression: "" }),
    "tiles.0.config.select.0: Value expression is required for non-count aggregation functions"
  ],
  [
    item({ ...sum, aggFn: "count" }),
    "tiles.0.config.select.0: Value expression cannot be used with count aggregation function"
  ],
  [item({ ...sum, level: 0.7, aggFn: "quantile" }), "tiles.0.config.select.0.level: Invalid input"],
  [item({ ...sum, level: 0.9 }), "tiles.0.config.select.0: Level can only be used with quantile aggregation function"],
  [item({ ...count, alias: long(10_001) }), `tiles.0.config.select.0.alias: ${atMost(10_000)}`],
  [item({ ...count, where: null }), "tiles.0.config.select.0.where: Expected string, received null"],
  [item({ ...count, whereLanguage: "x" }), `tiles.0.config.select.0.whereLanguage: ${enumOf(languages, "x")}`],
  [item({ ...count, metricType: "x" }), `tiles.0.config.select.0.metricType: ${enumOf(metricTypes, "x")}`],
  [item({ ...count, periodAggFn: "x" }), `tiles.0.config.select.0.periodAggFn: ${enumOf("'delta'", "x")}`],

  // Number formats, colors
  [field("numberFormat", {}), "tiles.0.config.numberFormat.output: Required"],
  [field("numberFormat", { output: "x" }), `tiles.0.config.numberFormat.output: ${enumOf(outputs, "x")}`],
  [
    field("numberFormat", { output: "time", mantissa: 1.5 }),
    "tiles.0.config.numberFormat.mantissa: Expected integer, received float"
  ],
  [
    field("numberFormat", { output: "time", factor: "1" }),
    "tiles.0.config.numberFormat.factor: Expected number, received string"
  ],
  [on(numberChart, { color: "red" }), `tiles.0.config.color: ${enumOf(colors, "red")}`],
  [
    on(numberChart, { colorRules: Array.from({ length: 11 }, () => ({})) }),
    `tiles.0.config.colorRules: ${tooMany(10)}`
  ],
  [
    rule({ operator: "like", value: 1 }),
    "tiles.0.config.colorRules.0.operator: Invalid discriminator value. Expected 'gt' | 'gte' | 'lt' | 'lte' | 'between' | 'eq' | 'neq'"
  ],
  [rule({ operator: "gt", value: "1" }), "tiles.0.config.colorRules.0.value: Expected number, received string"],
  [
    rule({ operator: "between", value: [1] }),
    "tiles.0.config.colorRules.0.value: Array must contain at least 2 element(s)"
  ],
  [rule({ operator: "eq", value: true }), "tiles.0.config.colorRules.0.value: Invalid input"],
  [rule({ operator: "gt", value: 1, color: undefined }), "tiles.0.config.colorRules.0.color: Required"],
  [
    on(numberChart, { backgroundChart: { type: "bar" } }),
    `tiles.0.config.backgroundChart.type: ${enumOf("'line' | 'area'", "bar")}`
  ],

  // Formulas
  [on(line, formulas("")), "tiles.0.config.formulas.0.expression: Expression is empty"],
  [
    on(line, { ...formulas("A / C"), select: [count, count] }),
    'tiles.0.config.formulas.0.expression: Unknown series "C" — this chart only has series A through B'
  ],
  [on(line, formulas(long(1025))), `tiles.0.config.formulas.0.expression: ${atMost(1024)}`],
  [on(line, formulas(...Array.from({ length: 11 }, () => "A"))), `tiles.0.config.formulas: ${tooMany(10)}`],
  [
    on(line, { ...formulas("A / B"), select: [count, count], asRatio: true }),
    'tiles.0.config.formulas: formulas cannot be combined with asRatio; express the ratio as a formula instead (e.g. "A / B")'
  ],
  [on(numberChart, formulas("A", "A")), "tiles.0.config.formulas: Number charts support a single formula"],

  // Links
  [
    clickTo({ type: "mail" }),
    "tiles.0.config.onClick.type: Invalid discriminator value. Expected 'search' | 'dashboard' | 'external'"
  ],
  [clickTo({ type: "search" }), "tiles.0.config.onClick.target: Required"],
  [
    clickTo({ type: "search", target: {} }),
    "tiles.0.config.onClick.target.mode: Invalid discriminator value. Expected 'id' | 'template'"
  ],
  [clickTo({ type: "search", target: { mode: "id", id: "x" } }), "tiles.0.config.onClick.target.id: Invalid ObjectId"],
  [
    clickTo({ type: "dashboard", target: { mode: "template", template: "" } }),
    `tiles.0.config.onClick.target.template: ${atLeast(1)}`
  ],
  [clickTo({ type: "external", urlTemplate: "" }), `tiles.0.config.onClick.urlTemplate: ${atLeast(1)}`],
  [
    clickTo({
      type: "search",
      target: { mode: "template", template: "a" },
      filters: [{ kind: "expressionTemplate", expression: "a", template: "" }]
    }),
    "tiles.0.config.onClick.filters.0.template: Template is required"
  ],
  [
    clickTo({ type: "search", target: { mode: "template", template: "a" }, filters: [{}] }),
    'tiles.0.config.onClick.filters.0.kind: Invalid literal value, expected "expressionTemplate"; tiles.0.config.onClick.filters.0.expression: Required; tiles.0.config.onClick.filters.0.template: Required'
  ],

  [
    on(sqlChart, { displayType: "number", colorRules: [{ operator: "gt", value: "1", color: "chart-red" }] }),
    "tiles.0.config.colorRules.0.value: Expected number, received string"
  ],

  // Filters
  [board({ filters: [{}] }), `filters.0.type: Invalid discriminator value. Expected ${filterTypes}`],
  [filtered({ id: "a" }), "filters.0: Unrecognized key(s) in object: 'id'"],
  [filtered({ a: 1, b: 2 }), "filters.0: Unrecognized key(s) in object: 'a', 'b'"],
  [filtered({ name: "" }), `filters.0.name: ${atLeast(1)}`],
  [filtered({ whereLanguage: "promql" }), `filters.0.whereLanguage: ${enumOf("'sql' | 'lucene'", "promql")}`],
  [filtered({ isVariableEnabled: true, variableName: "1a" }), "filters.0.variableName: Invalid"],
  [filtered({ isVariableEnabled: true, variableName: long(65) }), `filters.0.variableName: ${atMost(64)}`],
  [
    filtered({ isBroadcastEnabled: false }),
    'filters.0.isBroadcastEnabled: Filter "Env" must broadcast its value, be available as a variable, or both'
  ],
  [
    filtered({ variableName: "env" }),
    'filters.0.variableName: Filter "Env" sets variableName but is not available as a variable; set isVariableEnabled to true or drop variableName'
  ],
  [
    filtered({ isBroadcastEnabled: false, isVariableEnabled: true, appliesToSourceIds: [logs] }),
    'filters.0.appliesToSourceIds: Filter "Env" sets appliesToSourceIds but does not broadcast its value; set isBroadcastEnabled to true or drop appliesToSourceIds'
  ],
  [
    filtered({ isVariableEnabled: true }, { isVariableEnabled: true }),
    'filters.1.variableName: Variable names must be unique: "Env"'
  ],
  [
    filtered({ isVariableEnabled: true, variableName: "my_env" }, { isVariableEnabled: true, name: "my env" }),
    'filters.1.variableName: Variable names must be unique: "my_env"'
  ],
  [
    filtered({ isVariableEnabled: true, name: "!!!" }),
    'filters.0.variableName: Variable name is required for filter "!!!"'
  ],
  [
    board({ filters: [{ type: "QUERY_EXPRESSION" }, { type: "STATIC_LIST" }] }),
    "filters.0.name: Required; filters.0.expression: Required; filters.0.sourceId: Required; filters.1.name: Required; filters.1.options: Required"
  ],
  [
    board({ filters: [{ type: "PROMETHEUS_LABEL" }, { type: "SOURCE_FILTER" }] }),
    "filters.0.name: Required; filters.0.sourceId: Required; filters.0.label: Required; filters.1.name: Required; filters.1.sourceId: Required; filters.1.expression: Required; filters.1.variableName: Required"
  ],
  [filtered({ minSelections: 2 }), "filters.0.minSelections: Invalid input"],
  [filtered({ maxSelections: 2 }), "filters.0.maxSelections: Invalid literal value, expected 1"],
  [filtered({ isGlobalRequirement: 1 }), "filters.0.isGlobalRequirement: Expected boolean, received number"],
  [filtered({ options: ["a"] }), "filters.0: Unrecognized key(s) in object: 'options'"],
  [listed({ options: [] }), "filters.0.options: Array must contain at least 1 element(s)"],
  [
    listed({ options: ["prod", "dev", "prod", "dev"] }),
    'filters.0.options: Filter "Tier" repeats the option "prod"; options must be unique'
  ],
  [listed({ sourceId: logs }), "filters.0: Unrecognized key(s) in object: 'sourceId'"],
  [
    listed({ isBroadcastEnabled: true, isVariableEnabled: false }),
    "filters.0.isBroadcastEnabled: Invalid literal value, expected false; filters.0.isVariableEnabled: Invalid literal value, expected true"
  ],
  [board({ filters: [staticList, staticList] }), 'filters.1.variableName: Variable names must be unique: "Tier"'],
  [
    board({ filters: [{ ...sourceFilter, isBroadcastEnabled: false }] }),
    "filters.0.isBroadcastEnabled: Invalid literal value, expected true"
  ],
  [board({ filters: [{ ...promqlLabel, label: "" }] }), `filters.0.label: ${atLeast(1)}`],
  [
    board({ filters: [{ ...promqlLabel, appliesToSourceIds: [] }] }),
    "filters.0: Unrecognized key(s) in object: 'appliesToSourceIds'"
  ],

  // Containers
  [
    board({ containers: [{}] }),
    "containers.0.id: Required; containers.0.title: Required; containers.0.collapsed: Required"
  ],
  [board({ containers: [{ ...container, id: "" }] }), `containers.0.id: ${atLeast(1)}`],
  [board({ containers: [{ ...container, title: long(257) }] }), `containers.0.title: ${atMost(256)}`],
  [board({ containers: Array.from({ length: 51 }, () => container) }), `containers: ${tooMany(50)}`],
  [
    board({ containers: [{ ...container, tabs: Array.from({ length: 21 }, () => ({})) }] }),
    `containers.0.tabs: ${tooMany(20)}`
  ],
  [board({ containers: [container, container] }), 'containers.1.id: Container IDs must be unique: "k1"'],
  [
    board({
      containers: [
        {
          ...container,
          tabs: [
            { id: "t", title: "T" },
            { id: "t", title: "U" }
          ]
        }
      ]
    }),
    'containers.0.tabs.1.id: Duplicate tab id "t" in container "k1"'
  ]
]

const isAccepted = Schema.is(configSchemas.DashboardCreate)

describe("a body of the clickhouse dialect is refused", () => {
  // Effect's own decoder leaves out unknown fields, those of a filter too.
  it.each(cases.filter(([, message]) => !message.includes("Unrecognized")).map(([body, message]) => [message, body]))(
    "by the schema itself: %.150s",
    (_, body) => {
      assert.isFalse(isAccepted(body))
    }
  )

  it.effect.each(cases.map(([body, message]) => [message.slice(0, 150), body, message] as const))(
    "%s",
    ([, body, message]) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* refusal(body), `Body validation failed: ${message}`)
      })
  )

  it.effect("lists at most 100 issues and says that there are more", () =>
    Effect.gen(function* () {
      const { issues } = yield* Effect.flip(make(board({ tiles: Array.from({ length: 500 }, () => ({})) })))
      assert.strictEqual(issues.length, 101)
      assert.deepStrictEqual(issues[100], { path: "", message: "and more: only the first 100 are listed" })
    })
  )

  it.effect("cuts what it repeats of the body", () =>
    Effect.gen(function* () {
      const message = yield* refusal(
        chart({ ...sqlChart, connectionId: connection, numberFormat: { output: long(1e6) } })
      )
      assert.isBelow(message.length, 500)
    })
  )
})
