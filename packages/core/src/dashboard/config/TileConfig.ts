import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { looseStruct, withIdentifier } from "../../schema/LooseStruct.ts"
import {
  Color,
  ColorRule,
  Formula,
  HeatmapItem,
  NumberFormat,
  OnClick,
  SelectItem,
  Where,
  WhereLanguage
} from "./chartParts.ts"
import { atLeast, Expression, Integer, list, ObjectId, optional, required, text, together } from "./fields.ts"
import { formulaIssue } from "./formula.ts"
import { objectsOf } from "./Issues.ts"

const displayType = <const Type extends string>(type: Type, description: string) => ({
  displayType: required(Schema.Literal(type), description)
})

const Limit = Integer.check(atLeast(0))

const source = { sourceId: required(ObjectId, "The id of the data source: 24 hex digits.") }
const numberFormat = { numberFormat: optional(NumberFormat, "How the numbers of the chart are shown.") }
const groupBy = {
  groupBy: optional(Expression, "The expression that the result is grouped by: at most 10,000 characters.")
}
const orderBy = {
  orderBy: optional(Expression, "The expression that the rows are sorted by: at most 10,000 characters.")
}
const asRatio = {
  asRatio: optional(
    Schema.Boolean,
    "Whether the chart shows the first select item divided by the second: it needs exactly two. False if it is absent."
  )
}
const filter = {
  where: optional(Where, "The filter expression, in `whereLanguage`: at most 10,000 characters."),
  whereLanguage: optional(WhereLanguage, "The language of `where`: `lucene` if it is absent.")
}
const values = {
  select: required(list(SelectItem, { min: 1, max: 20 }), "The values of the chart: 1 to 20.")
}
const oneValue = {
  select: required(list(SelectItem, { min: 1, max: 1, isExact: true }), "The value of the chart: exactly 1.")
}
const formulas = {
  formulas: optional(
    list(Formula, { max: 10 }),
    "Series that are computed from the select items: at most 10. Not with `asRatio`."
  )
}
const showOperandSeries = {
  showOperandSeries: optional(Schema.Boolean, "Whether the select items of the formulas are shown too.")
}
const onClick = { onClick: optional(OnClick, "The link that a click on a row follows.") }
const color = {
  color: optional(Color, "The color of the number."),
  colorRules: optional(list(ColorRule, { max: 10 }), "The colors for some values: at most 10 rules.")
}

const timeAxis = {
  alignDateRangeToGranularity: optional(
    Schema.Boolean,
    "Whether the time range starts and ends at whole periods of the chart."
  ),
  fillNulls: optional(Schema.Boolean, "Whether a period without rows is shown as 0. True if it is absent.")
}
const seriesLimit = { seriesLimit: optional(Limit, "The most series that are shown.") }

const comparison = {
  compareToPreviousPeriod: optional(Schema.Boolean, "Whether the previous period is shown too."),
  fitYAxisToData: optional(
    Schema.Boolean,
    "Whether the vertical axis starts at the least value. Otherwise it starts at 0."
  )
}

const interpolation = {
  lineInterpolation: optional(
    Schema.Literals(["smooth", "linear", "step"]),
    "How points are joined. If it is absent: `smooth` for lines, `linear` for stacked lines."
  )
}

const timeChart = {
  ...source,
  ...values,
  ...groupBy,
  ...asRatio,
  ...timeAxis,
  ...numberFormat,
  ...formulas,
  ...showOperandSeries,
  ...seriesLimit
}
const categories = {
  ...source,
  ...oneValue,
  ...groupBy,
  ...orderBy,
  ...numberFormat,
  limit: optional(Limit, "The most groups that are shown.")
}

const LineChart = looseStruct({
  ...displayType("line", "A line for each series, over time."),
  ...timeChart,
  ...comparison,
  ...interpolation
}).pipe(withIdentifier("LineChart", "Lines over time."))
interface LineChart extends Readonly<typeof LineChart.Type> {}

const StackedBarChart = looseStruct({
  ...displayType("stacked_bar", "Bars over time, with the series on top of each other."),
  ...timeChart
}).pipe(withIdentifier("StackedBarChart", "Stacked bars over time."))
interface StackedBarChart extends Readonly<typeof StackedBarChart.Type> {}

const StackedLineChart = looseStruct({
  ...displayType("stacked_line", "Lines over time, with the series on top of each other."),
  ...timeChart,
  ...interpolation
}).pipe(withIdentifier("StackedLineChart", "Stacked lines over time."))
interface StackedLineChart extends Readonly<typeof StackedLineChart.Type> {}

const TableChart = looseStruct({
  ...displayType("table", "A table with a row for each group."),
  ...source,
  ...values,
  ...groupBy,
  having: optional(Expression, "The expression that groups must satisfy: at most 10,000 characters."),
  ...orderBy,
  ...asRatio,
  ...numberFormat,
  groupByColumnsOnLeft: optional(Schema.Boolean, "Whether the columns of `groupBy` are on the left."),
  ...onClick,
  ...formulas,
  ...showOperandSeries
}).pipe(withIdentifier("TableChart", "A table."))
interface TableChart extends Readonly<typeof TableChart.Type> {}

const NumberChart = looseStruct({
  ...displayType("number", "One number. Several select items need a formula."),
  ...source,
  ...values,
  ...numberFormat,
  ...formulas,
  ...color,
  backgroundChart: optional(
    looseStruct({
      type: required(Schema.Literals(["line", "area"]), "The shape of the chart."),
      color: optional(Color, "The color of the chart: that of the number if it is absent.")
    }).pipe(withIdentifier("BackgroundChart", "A small chart behind a number.")),
    "A small chart behind the number."
  )
}).pipe(withIdentifier("NumberChart", "One number."))
interface NumberChart extends Readonly<typeof NumberChart.Type> {}

const PieChart = looseStruct({ ...displayType("pie", "A slice for each group."), ...categories }).pipe(
  withIdentifier("PieChart", "A pie.")
)
interface PieChart extends Readonly<typeof PieChart.Type> {}

const BarChart = looseStruct({ ...displayType("bar", "A bar for each group."), ...categories }).pipe(
  withIdentifier("BarChart", "Bars, not over time.")
)
interface BarChart extends Readonly<typeof BarChart.Type> {}

const HeatmapDistributionChart = looseStruct({
  ...displayType("heatmap", "The distribution of a value over time. The source must be one of traces."),
  heatmapMode: optional(
    Schema.Literal("distribution"),
    "The rows are ranges of a value. It is so too if the field is absent."
  ),
  ...source,
  select: required(list(HeatmapItem, { min: 1, max: 1, isExact: true }), "The value of the chart: exactly 1."),
  ...filter,
  ...numberFormat
}).pipe(withIdentifier("HeatmapDistributionChart", "The distribution of a value over time."))
interface HeatmapDistributionChart extends Readonly<typeof HeatmapDistributionChart.Type> {}

const HeatmapSeriesChart = looseStruct({
  ...displayType("heatmap", "The color of a cell is the value of a group at a time."),
  heatmapMode: required(Schema.Literal("series"), "The rows are groups."),
  ...source,
  ...oneValue,
  ...groupBy,
  ...numberFormat
}).pipe(withIdentifier("HeatmapSeriesChart", "A value over time, with a row for each group."))
interface HeatmapSeriesChart extends Readonly<typeof HeatmapSeriesChart.Type> {}

const HeatmapChart = Schema.Union([HeatmapDistributionChart, HeatmapSeriesChart]).annotate({
  identifier: "HeatmapChart",
  description: "A heatmap over time: `heatmapMode` decides what its rows are."
})

const MarkdownChart = looseStruct({
  ...displayType("markdown", "A text."),
  markdown: optional(text({ max: 50_000 }), "The text, in Markdown: at most 50,000 characters.")
}).pipe(withIdentifier("MarkdownChart", "A text."))
interface MarkdownChart extends Readonly<typeof MarkdownChart.Type> {}

const SearchChart = looseStruct({
  ...displayType("search", "The rows of the source."),
  ...source,
  select: required(Expression, "The columns, separated by commas: at most 10,000 characters."),
  ...filter
}).pipe(withIdentifier("SearchChart", "The rows of a source."))
interface SearchChart extends Readonly<typeof SearchChart.Type> {}

const EventPatternsChart = looseStruct({
  ...displayType("event_patterns", "The patterns of the rows of the source."),
  ...source,
  select: optional(
    Expression.annotate({ default: "" }),
    "The columns, separated by commas: at most 10,000 characters."
  ),
  ...filter
}).pipe(withIdentifier("EventPatternsChart", "The patterns of the rows of a source."))
interface EventPatternsChart extends Readonly<typeof EventPatternsChart.Type> {}

/** A chart that is built from a data source. */
const BuiltChart = Schema.Union([
  LineChart,
  StackedBarChart,
  StackedLineChart,
  TableChart,
  NumberChart,
  PieChart,
  BarChart,
  HeatmapChart,
  MarkdownChart,
  SearchChart,
  EventPatternsChart
])

const query = {
  configType: required(Schema.Literal("sql"), "The chart is one of an SQL query."),
  connectionId: required(ObjectId, "The id of the connection: 24 hex digits."),
  sqlTemplate: required(text({ max: 100_000 }), "The SQL of the query, with macros: at most 100,000 characters."),
  sourceId: optional(ObjectId, "The id of a data source of that connection, whose filters the query may use."),
  ...numberFormat
}

const queryTimeAxis = { ...timeAxis, ...seriesLimit }

const LineQueryChart = looseStruct({
  ...displayType("line", "A line for each series, over time."),
  ...query,
  ...queryTimeAxis,
  ...comparison,
  ...interpolation
}).pipe(withIdentifier("LineQueryChart", "Lines over time, of an SQL query."))
interface LineQueryChart extends Readonly<typeof LineQueryChart.Type> {}

const StackedBarQueryChart = looseStruct({
  ...displayType("stacked_bar", "Bars over time, with the series on top of each other."),
  ...query,
  ...queryTimeAxis
}).pipe(withIdentifier("StackedBarQueryChart", "Stacked bars over time, of an SQL query."))
interface StackedBarQueryChart extends Readonly<typeof StackedBarQueryChart.Type> {}

const StackedLineQueryChart = looseStruct({
  ...displayType("stacked_line", "Lines over time, with the series on top of each other."),
  ...query,
  ...queryTimeAxis,
  ...interpolation
}).pipe(withIdentifier("StackedLineQueryChart", "Stacked lines over time, of an SQL query."))
interface StackedLineQueryChart extends Readonly<typeof StackedLineQueryChart.Type> {}

const TableQueryChart = looseStruct({
  ...displayType("table", "A table with the rows of the query."),
  ...query,
  ...onClick
}).pipe(withIdentifier("TableQueryChart", "A table, of an SQL query."))
interface TableQueryChart extends Readonly<typeof TableQueryChart.Type> {}

const NumberQueryChart = looseStruct({ ...displayType("number", "One number."), ...query, ...color }).pipe(
  withIdentifier("NumberQueryChart", "One number, of an SQL query.")
)
interface NumberQueryChart extends Readonly<typeof NumberQueryChart.Type> {}

const PieQueryChart = looseStruct({ ...displayType("pie", "A slice for each row."), ...query }).pipe(
  withIdentifier("PieQueryChart", "A pie, of an SQL query.")
)
interface PieQueryChart extends Readonly<typeof PieQueryChart.Type> {}

const BarQueryChart = looseStruct({ ...displayType("bar", "A bar for each row."), ...query }).pipe(
  withIdentifier("BarQueryChart", "Bars, not over time, of an SQL query.")
)
interface BarQueryChart extends Readonly<typeof BarQueryChart.Type> {}

/** A chart of an SQL query. */
const QueryChart = Schema.Union([
  LineQueryChart,
  StackedBarQueryChart,
  StackedLineQueryChart,
  TableQueryChart,
  NumberQueryChart,
  PieQueryChart,
  BarQueryChart
])

const isQuery = (config: object): boolean => Predicate.hasProperty(config, "configType") && config.configType === "sql"

const ofSql = {
  description: "A chart of an SQL query.",
  properties: { configType: { type: "string", const: "sql", description: "The chart is one of an SQL query." } },
  required: ["configType"]
}

/** The display types whose charts have formulas. A chart of an SQL query has none. */
const withFormulas: ReadonlyArray<string> = ["line", "stacked_bar", "stacked_line", "table", "number"]

/**
 * The chart of a tile, by `displayType`: one that is built from a data source, or with `configType: "sql"` one of an SQL
 * query. Any other `configType` is ignored. Unknown fields are kept, and the service drops them. Lengths are in characters of
 * UTF-16. Its checks are those of the `clickhouse` dialect.
 *
 * @example
 * ```ts
 * import { TileConfig } from "@headgate/core"
 * import * as Schema from "effect/Schema"
 *
 * const chart: TileConfig = {
 *   displayType: "line",
 *   sourceId: "65f5e4a3b9e77c001a567891",
 *   select: [{ aggFn: "quantile", level: 0.95, valueExpression: "Duration" }],
 *   groupBy: "ServiceName"
 * }
 * console.log(Schema.is(TileConfig)(chart), Schema.is(TileConfig)({ ...chart, select: [] })) // true false
 * ```
 */
export const TileConfig = Schema.Union([
  BuiltChart.check(
    Schema.makeFilter((config) => !isQuery(config), {
      expected: "a chart that is built from a data source",
      toJsonSchema: () => ({ not: ofSql })
    })
  ),
  QueryChart.check(Schema.makeFilter(isQuery, { expected: "a chart of an SQL query", toJsonSchema: () => ofSql }))
])
  .check(
    together((config, report) => {
      const { asRatio, displayType } = config
      const series = objectsOf(config.select).length
      const formulas = !isQuery(config) && withFormulas.includes(displayType) ? objectsOf(config.formulas) : []
      // The service checks it on charts that do not have it, too.
      if (asRatio === true && series !== 2) report("asRatio can only be used with exactly two select items")
      for (const [index, { expression }] of formulas.entries()) {
        const issue = Predicate.isString(expression) ? formulaIssue(expression, series) : undefined
        if (issue !== undefined) report(issue, ["formulas", index, "expression"])
      }
      if (asRatio === true && formulas.length > 0) {
        const instead = `express the ratio as a formula instead (e.g. "A / B")`
        report(`formulas cannot be combined with asRatio; ${instead}`, ["formulas"])
      }
      if (displayType !== "number" || isQuery(config)) return
      if (formulas.length > 1) report("Number charts support a single formula", ["formulas"])
      if (formulas.length === 0 && series !== 1) {
        const unless = "unless formulas are used (extra items are formula operands)"
        report(`Number tiles support a single select item ${unless}`, ["select"])
      }
    })
  )
  .annotate({
    identifier: "TileConfig",
    description: "The chart of a tile: `displayType` decides which fields it has."
  })
export type TileConfig =
  | LineChart
  | StackedBarChart
  | StackedLineChart
  | TableChart
  | NumberChart
  | PieChart
  | BarChart
  | HeatmapDistributionChart
  | HeatmapSeriesChart
  | MarkdownChart
  | SearchChart
  | EventPatternsChart
  | LineQueryChart
  | StackedBarQueryChart
  | StackedLineQueryChart
  | TableQueryChart
  | NumberQueryChart
  | PieQueryChart
  | BarQueryChart
