import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import { configSchemas } from "../../../src/dashboard/config/configSchemas.ts"
import { readBody } from "../../../src/dashboard/config/readBody.ts"
import {
  board,
  connection,
  type Fields,
  heatmap,
  line,
  linkedDashboard,
  logs,
  make,
  metrics,
  promql,
  validate,
  replace,
  tile,
  timeSeries,
  traces
} from "./configDashboards.ts"

const maybe = Schema.optionalKey
const flag = maybe(Schema.Boolean)
const word = Schema.Literals(["", "a", "b c"])
const language = maybe(Schema.Literals(["sql", "lucene", "promql"]))
const numberFormat = maybe(Schema.Struct({ output: Schema.Literals(["time", "byte"]), mantissa: maybe(Schema.Int) }))

const Item = Schema.Struct({
  aggFn: Schema.Literals(["count", "sum", "quantile"]),
  level: maybe(Schema.Literals([0.5, 0.99])),
  valueExpression: maybe(Schema.Literals(["", "Duration"])),
  alias: maybe(word),
  where: maybe(word),
  whereLanguage: language,
  metricName: maybe(word),
  periodAggFn: maybe(Schema.Literals(["delta"])),
  numberFormat
})

/** Any fields of any chart. Many are refused, and many are accepted. */
const Chart = Schema.Struct({
  displayType: Schema.Literals([
    "line",
    "stacked_bar",
    "stacked_line",
    "table",
    "number",
    "pie",
    "bar",
    "heatmap",
    "search",
    "event_patterns",
    "markdown"
  ]),
  heatmapMode: maybe(Schema.Literals(["distribution", "series"])),
  configType: maybe(Schema.Literals(["sql"])),
  sourceId: Schema.Literals([logs, traces, metrics]),
  connectionId: Schema.Literals([connection]),
  sqlTemplate: word,
  items: Schema.Array(Item).check(Schema.isBetweenLength(1, 2)),
  asRatio: flag,
  fillNulls: flag,
  compareToPreviousPeriod: flag,
  lineInterpolation: maybe(Schema.Literals(["smooth", "step"])),
  groupBy: maybe(word),
  seriesLimit: maybe(Schema.Literals([0, 3])),
  formulas: maybe(Schema.Array(Schema.Struct({ expression: Schema.Literals(["A", "A / B"]) }))),
  showOperandSeries: flag,
  colorRules: maybe(
    Schema.Array(
      Schema.Struct({ operator: Schema.Literal("gt"), value: Schema.Finite, color: Schema.Literal("chart-red") })
    )
  ),
  onClick: maybe(
    Schema.Struct({
      type: Schema.Literals(["dashboard"]),
      target: Schema.Struct({ mode: Schema.Literal("id"), id: Schema.Literals([linkedDashboard]) })
    })
  ),
  where: maybe(word),
  whereLanguage: language,
  numberFormat,
  unknown: maybe(Schema.Json)
})

const selections = {
  minSelections: maybe(Schema.Literals([0, 1])),
  isGlobalRequirement: flag,
  maxSelections: maybe(Schema.Literal(1))
}

const Filter = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("QUERY_EXPRESSION"),
    name: Schema.Literals(["Env", "Host"]),
    expression: Schema.Literal("env"),
    sourceId: Schema.Literals([logs]),
    isBroadcastEnabled: flag,
    isVariableEnabled: flag,
    appliesToSourceIds: maybe(Schema.Array(word)),
    ...selections
  }),
  Schema.Struct({
    type: Schema.Literal("STATIC_LIST"),
    name: Schema.Literals(["Env", "Tier"]),
    options: Schema.Array(word).check(Schema.isBetweenLength(0, 3)),
    isBroadcastEnabled: flag,
    ...selections
  }),
  Schema.Struct({
    type: Schema.Literal("PROMETHEUS_LABEL"),
    name: Schema.Literals(["Env", "Pod"]),
    sourceId: Schema.Literals([promql, logs]),
    label: word,
    isVariableEnabled: flag,
    ...selections
  })
])

const Body = Schema.Struct({
  charts: Schema.Array(Chart).check(Schema.isBetweenLength(0, 2)),
  tags: maybe(Schema.Array(word)),
  savedQuery: maybe(Schema.NullOr(word)),
  savedQueryLanguage: maybe(Schema.NullOr(Schema.Literals(["sql", "lucene"]))),
  filters: maybe(Schema.Array(Filter).check(Schema.isBetweenLength(0, 2)))
})

const configOf = ({ items, ...chart }: typeof Chart.Type): Fields => ({
  ...chart,
  select: ["search", "event_patterns"].includes(chart.displayType) ? "a" : items
})

const bodyOf = ({ charts, ...body }: typeof Body.Type): Fields =>
  board({ ...body, tiles: charts.map((chart) => tile({ config: configOf(chart) })) })

/** The paths of the values of a document. */
const pathsOf = (value: unknown): ReadonlyArray<ReadonlyArray<string>> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, field]) => [[name], ...pathsOf(field).map((path) => [name, ...path])])
    : []

const replaced = (document: unknown, [name, ...below]: ReadonlyArray<string>, value: unknown): unknown => {
  if (name === undefined) return value
  const field = replaced(Object(document)[name], below, value)
  return Array.isArray(document)
    ? document.map((each, index) => (String(index) === name ? field : each))
    : { ...Object(document), [name]: field }
}

const valid = board({
  filters: [{ type: "QUERY_EXPRESSION", name: "Env", expression: "env", sourceId: logs }],
  containers: [{ id: "k1", title: "One", collapsed: false, tabs: [{ id: "t1", title: "Tab" }] }],
  savedFilterValues: [{ condition: "a" }],
  tiles: [
    tile({ series: [timeSeries], containerId: "k1" }),
    tile({ config: heatmap }),
    tile({ config: { ...line, formulas: [{ expression: "A / (A + 1)" }] } })
  ]
})

const paths = pathsOf(valid)

const isRequest = Schema.is(configSchemas.DashboardCreate)
const isAnswer = Schema.is(configSchemas.Dashboard)

describe("any body of the clickhouse dialect", () => {
  let accepted = 0
  let tried = 0

  it.effect.prop(
    "that is accepted is answered so that the answer changes nothing when it is sent back",
    [Body],
    ([generated]) =>
      Effect.gen(function* () {
        const made = yield* Effect.exit(make(bodyOf(generated)))
        tried++
        if (Exit.isFailure(made)) return
        accepted++
        assert.deepStrictEqual(yield* replace(made.value, JSON.parse(JSON.stringify(made.value))), made.value)
      }),
    { arbitrary: { runs: 200 } }
  )

  it("was accepted often enough for the test before to say something", () => {
    assert.isAbove(accepted / tried, 0.1)
  })

  it.effect.prop(
    "is accepted by the schema of requests if it is read without an issue, and its answer by that of answers",
    [Body],
    ([generated]) =>
      Effect.gen(function* () {
        const body = bodyOf(generated)
        assert.strictEqual(isRequest(body), readBody(configSchemas.DashboardCreate, body).issues.length === 0)
        const made = yield* Effect.exit(make(body))
        if (Exit.isSuccess(made)) assert.isTrue(isAnswer(JSON.parse(JSON.stringify(made.value))))
      }),
    { arbitrary: { runs: 200 } }
  )

  it.effect.prop(
    "is read without a defect",
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: paths.length - 1 })), Schema.Json],
    ([index, value]) =>
      Effect.sync(() => {
        validate(replaced(valid, paths[index] ?? [], value))
        validate(value)
      }),
    { arbitrary: { runs: 500 } }
  )

  it("of 1 MiB has at most 101 issues", () => {
    const bodies = [
      board({ filters: Array.from({ length: 20_000 }, () => ({ type: 1 })) }),
      board({ filters: [Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 1]))] }),
      board({ tiles: [tile({ series: Array.from({ length: 20_000 }, () => timeSeries) })] }),
      board({ tiles: [tile({ config: { ...line, formulas: [{ expression: "(".repeat(1_000_000) }] } })] }),
      JSON.parse(`{"name":"a","tiles":${"[".repeat(5000)}${"]".repeat(5000)}}`)
    ]
    for (const body of bodies) assert.isAtMost(validate(body).errors.length, 101)
  })
})
