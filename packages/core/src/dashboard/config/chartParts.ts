import * as Schema from "effect/Schema"
import { looseStruct, withIdentifier } from "../../schema/LooseStruct.ts"
import { aggregationFunctions } from "../seriesValues.ts"
import { anyOf, Expression, Finite, Integer, list, ObjectId, optional, required, text, together } from "./fields.ts"
import { quantileLevels } from "./quantileLevels.ts"

const outputs = ["currency", "percent", "byte", "time", "duration", "number", "data_rate", "throughput"] as const

const numericUnits = [
  "bytes_iec",
  "bytes_si",
  "bits_iec",
  "bits_si",
  "kibibytes",
  "kilobytes",
  "mebibytes",
  "megabytes",
  "gibibytes",
  "gigabytes",
  "tebibytes",
  "terabytes",
  "pebibytes",
  "petabytes",
  "packets_sec",
  "bytes_sec_iec",
  "bytes_sec_si",
  "bits_sec_iec",
  "bits_sec_si",
  "kibibytes_sec",
  "kibibits_sec",
  "kilobytes_sec",
  "kilobits_sec",
  "mebibytes_sec",
  "mebibits_sec",
  "megabytes_sec",
  "megabits_sec",
  "gibibytes_sec",
  "gibibits_sec",
  "gigabytes_sec",
  "gigabits_sec",
  "tebibytes_sec",
  "tebibits_sec",
  "terabytes_sec",
  "terabits_sec",
  "pebibytes_sec",
  "pebibits_sec",
  "petabytes_sec",
  "petabits_sec",
  "cps",
  "ops",
  "rps",
  "reads_sec",
  "wps",
  "iops",
  "cpm",
  "opm",
  "rpm_reads",
  "wpm"
] as const

export const WhereLanguage = Schema.Literals(["sql", "lucene", "promql"])
export const AggregationFunction = Schema.Literals(aggregationFunctions)
export const MetricType = Schema.Literals(["gauge", "histogram", "sum", "summary", "exponential histogram"])

export const Color = Schema.Literals([
  "chart-blue",
  "chart-orange",
  "chart-red",
  "chart-cyan",
  "chart-green",
  "chart-pink",
  "chart-purple",
  "chart-light-blue",
  "chart-brown",
  "chart-gray",
  "chart-success",
  "chart-warning",
  "chart-error"
])

/** A filter expression that is empty if it is absent. */
export const Where = Expression.annotate({ default: "" })

export const NumberFormat = looseStruct({
  output: required(Schema.Literals(outputs), "What the number is: it decides how it is written."),
  numericUnit: optional(Schema.Literals(numericUnits), "The unit of the number as it is stored."),
  mantissa: optional(Integer, "How many decimal places are shown."),
  thousandSeparated: optional(Schema.Boolean, "Whether thousands are separated."),
  average: optional(Schema.Boolean, "Whether large numbers are shortened, such as 1.2k."),
  decimalBytes: optional(Schema.Boolean, "Whether a kilobyte is 1000 bytes: otherwise it is 1024."),
  factor: optional(Finite, "The factor by which the number is multiplied before it is shown."),
  currencySymbol: optional(Schema.String, "The symbol of the currency, for the output `currency`."),
  unit: optional(Schema.String, "The unit that is shown after the number.")
}).pipe(withIdentifier("NumberFormat", "How a number is shown."))

const selectFields = {
  valueExpression: optional(
    Expression,
    "The column or expression that is aggregated: at most 10,000 characters. Required unless `aggFn` is `count`, which has none."
  ),
  alias: optional(Expression, "The name of the value in the chart: at most 10,000 characters."),
  aggFn: required(AggregationFunction, "The aggregation function."),
  level: optional(anyOf(quantileLevels), "The quantile, from 0 to 1. Only for the aggregation function `quantile`."),
  where: optional(Where, "The filter expression, in `whereLanguage`: at most 10,000 characters."),
  whereLanguage: optional(WhereLanguage, "The language of `where`: `lucene` if it is absent."),
  numberFormat: optional(NumberFormat, "How this value is shown. It goes before that of the chart."),
  metricType: optional(MetricType, "The type of the metric, for a source of metrics."),
  metricName: optional(Schema.String, "The name of the metric, for a source of metrics."),
  periodAggFn: optional(Schema.Literals(["delta"]), "With `delta`, the change of a gauge over each period.")
}

export const SelectItem = looseStruct(selectFields)
  .check(
    together(({ aggFn, level, valueExpression = "" }, report) => {
      if (level !== undefined && aggFn !== "quantile")
        report("Level can only be used with quantile aggregation function")
      if (valueExpression !== "" && aggFn === "count")
        report("Value expression cannot be used with count aggregation function")
      if (valueExpression === "" && aggFn !== "count")
        report("Value expression is required for non-count aggregation functions")
    })
  )
  .pipe(withIdentifier("SelectItem", "A value of a chart: an aggregation over the rows of its source."))

export const HeatmapItem = looseStruct({
  valueExpression: required(
    text({ min: 1, max: 10_000 }),
    "The expression whose values are the rows of the heatmap: 1 to 10,000 characters."
  ),
  countExpression: optional(Expression, "The expression that a cell counts: at most 10,000 characters."),
  heatmapScaleType: optional(Schema.Literals(["log", "linear"]), "The scale of the rows.")
}).pipe(withIdentifier("HeatmapItem", "The value of a heatmap."))

export const Formula = looseStruct({
  expression: required(
    text({ max: 1024 }),
    "Numbers, the letters of select items in their order (`A` is the first), `+ - * /` and parentheses: at most 1024 characters."
  ),
  alias: optional(Schema.String, "The name of the formula in the chart."),
  numberFormat: optional(NumberFormat, "How the result is shown.")
}).pipe(withIdentifier("Formula", "A series that is computed from the select items of its chart."))

const templateDescription = "at most 10,000 characters. `{{column}}` is replaced by the value of a column of the row."

const LinkTarget = Schema.Union([
  looseStruct({
    mode: required(Schema.Literal("id"), "The target is named by its id."),
    id: required(ObjectId, "The id of the source or of the dashboard.")
  }).pipe(withIdentifier("LinkTargetId", "A link to a source or a dashboard, by id.")),
  looseStruct({
    mode: required(Schema.Literal("template"), "The target is named by a template."),
    template: required(
      text({ min: 1, max: 10_000 }),
      `The template of the name or id of the source or of the dashboard: ${templateDescription}`
    )
  }).pipe(withIdentifier("LinkTargetTemplate", "A link to a source or a dashboard, by a template."))
]).annotate({ identifier: "LinkTarget", description: "Where a link leads." })

const LinkFilter = looseStruct({
  kind: required(Schema.Literal("expressionTemplate"), "The only kind of filter."),
  expression: required(
    text({ min: 1, max: 10_000, tooShort: "Expression is required" }),
    "The expression that is filtered: at most 10,000 characters."
  ),
  template: required(
    text({ min: 1, max: 10_000, tooShort: "Template is required" }),
    `The template of the value: ${templateDescription}`
  )
}).pipe(withIdentifier("LinkFilter", "A filter that a link sets."))

const linkFields = {
  target: required(LinkTarget, "Where the link leads."),
  whereTemplate: optional(Expression, `The template of the filter expression: ${templateDescription}`),
  whereLanguage: optional(WhereLanguage, "The language of `whereTemplate`."),
  filters: optional(list(LinkFilter, { max: 50 }), "The filters that the link sets: at most 50.")
}

export const OnClick = Schema.Union([
  looseStruct({
    type: required(Schema.Literal("search"), "The link leads to a search in a source of logs or traces."),
    ...linkFields
  }).pipe(withIdentifier("SearchLink", "A link to a search.")),
  looseStruct({
    type: required(Schema.Literal("dashboard"), "The link leads to a dashboard of the organization."),
    ...linkFields
  }).pipe(withIdentifier("DashboardLink", "A link to a dashboard.")),
  looseStruct({
    type: required(Schema.Literal("external"), "The link leads to another site."),
    urlTemplate: required(text({ min: 1, max: 10_000 }), `The template of the URL: ${templateDescription}`)
  }).pipe(withIdentifier("ExternalLink", "A link to another site."))
]).annotate({ identifier: "OnClick", description: "The link that a click on a row follows." })

const colorRule = <const Operator extends string, S extends Schema.Top>(
  operator: Operator,
  identifier: string,
  value: S,
  description: string
) =>
  looseStruct({
    operator: required(Schema.Literal(operator), "The comparison."),
    value: required(value, description),
    color: required(Color, "The color of a number for which the rule holds."),
    label: optional(text({ max: 40 }), "The name of the rule: at most 40 characters.")
  }).pipe(withIdentifier(identifier, "A color for some values."))

const bound = "The number that the shown one is compared with."
const Range = list(Finite, { min: 2, max: 2 })
const range = "The least and the greatest number for which the rule holds."
const Equality = Schema.Union([Finite, text({ max: 200 })]).annotate({ message: "Invalid input" })
const equality = "The value that the shown one is compared with: a number, or at most 200 characters."

export const ColorRule = Schema.Union([
  colorRule("gt", "GreaterColorRule", Finite, bound),
  colorRule("gte", "GreaterOrEqualColorRule", Finite, bound),
  colorRule("lt", "LessColorRule", Finite, bound),
  colorRule("lte", "LessOrEqualColorRule", Finite, bound),
  colorRule("between", "BetweenColorRule", Range, range),
  colorRule("eq", "EqualColorRule", Equality, equality),
  colorRule("neq", "NotEqualColorRule", Equality, equality)
]).annotate({ identifier: "ColorRule", description: "A color for some values. The last rule that holds decides." })
