import * as Predicate from "effect/Predicate"
import { aggregationFunctions } from "../Dashboard.ts"
import { formulaIssue } from "./formula.ts"
import {
  anyOf,
  anyValueOf,
  type Fields,
  flag,
  invalid,
  type Issues,
  type JsonObject,
  list,
  literal,
  number,
  object,
  objectId,
  objectOf,
  objectsOf,
  oneOf,
  optional,
  type Rule,
  text,
  variant,
  withDefault
} from "./Rule.ts"

const outputs = ["currency", "percent", "byte", "time", "duration", "number", "data_rate", "throughput"]

const numericUnits = (
  "bytes_iec bytes_si bits_iec bits_si kibibytes kilobytes mebibytes megabytes gibibytes gigabytes tebibytes terabytes " +
  "pebibytes petabytes packets_sec bytes_sec_iec bytes_sec_si bits_sec_iec bits_sec_si kibibytes_sec kibibits_sec " +
  "kilobytes_sec kilobits_sec mebibytes_sec mebibits_sec megabytes_sec megabits_sec gibibytes_sec gibibits_sec " +
  "gigabytes_sec gigabits_sec tebibytes_sec tebibits_sec terabytes_sec terabits_sec pebibytes_sec pebibits_sec " +
  "petabytes_sec petabits_sec cps ops rps reads_sec wps iops cpm opm rpm_reads wpm"
).split(" ")

const colors = "blue orange red cyan green pink purple light-blue brown gray success warning error"
  .split(" ")
  .map((name) => `chart-${name}`)

/** The levels that a select item of the aggregation function `quantile` may have. */
export const quantileLevels = [0.5, 0.9, 0.95, 0.99]

export const whereLanguage = optional(oneOf(["sql", "lucene", "promql"]))
export const aggFn = oneOf(aggregationFunctions)
export const metricType = optional(oneOf(["gauge", "histogram", "sum", "summary", "exponential histogram"]))

const expression = text({ max: 10_000 })
const optionalExpression = optional(expression)
const optionalFlag = optional(flag)
const optionalText = optional(text())
const where = withDefault(expression, "")
const limit = optional(number({ isInteger: true, min: 0 }))
const color = oneOf(colors)

export const numberFormat = optional(
  object({
    output: oneOf(outputs),
    numericUnit: optional(oneOf(numericUnits)),
    mantissa: optional(number({ isInteger: true })),
    thousandSeparated: optionalFlag,
    average: optionalFlag,
    decimalBytes: optionalFlag,
    factor: optional(number()),
    currencySymbol: optionalText,
    unit: optionalText
  })
)

const checkSelectItem = ({ aggFn, level, valueExpression = "" }: JsonObject, issues: Issues): void => {
  if (level !== undefined && aggFn !== "quantile")
    issues.report("Level can only be used with quantile aggregation function")
  if (valueExpression !== "" && aggFn === "count")
    issues.report("Value expression cannot be used with count aggregation function")
  if (valueExpression === "" && aggFn !== "count")
    issues.report("Value expression is required for non-count aggregation functions")
}

const selectItem = object(
  {
    valueExpression: optionalExpression,
    alias: optionalExpression,
    aggFn,
    level: optional(anyValueOf(quantileLevels)),
    where,
    whereLanguage,
    numberFormat,
    metricType,
    metricName: optionalText,
    periodAggFn: optional(oneOf(["delta"]))
  },
  { check: checkSelectItem }
)

const target = variant("mode", {
  id: { id: objectId },
  template: { template: text({ min: 1, max: 10_000 }) }
})

const linkTemplate = object({
  kind: literal("expressionTemplate"),
  expression: text({ min: 1, max: 10_000, tooShort: "Expression is required" }),
  template: text({ min: 1, max: 10_000, tooShort: "Template is required" })
})

const link = {
  target,
  whereTemplate: optionalExpression,
  whereLanguage,
  filters: optional(list(linkTemplate, { max: 50 }))
}

const onClick = optional(
  variant("type", { search: link, dashboard: link, external: { urlTemplate: text({ min: 1, max: 10_000 }) } })
)

const label = optional(text({ max: 40 }))
const numeric = { value: number(), color, label }
const equality = { value: anyOf([number(), text({ max: 200 })]), color, label }

const colorRule = variant("operator", {
  gt: numeric,
  gte: numeric,
  lt: numeric,
  lte: numeric,
  between: { value: list(number(), { min: 2, max: 2 }), color, label },
  eq: equality,
  neq: equality
})

const formulas = optional(
  list(object({ expression: text({ max: 1024 }), alias: optionalText, numberFormat }), { max: 10 })
)

const onSource = { sourceId: objectId, select: list(selectItem, { min: 1, max: 20 }) }

const time: Fields = {
  ...onSource,
  groupBy: optionalExpression,
  asRatio: optionalFlag,
  alignDateRangeToGranularity: optionalFlag,
  fillNulls: optionalFlag,
  numberFormat,
  formulas,
  showOperandSeries: optionalFlag,
  seriesLimit: limit
}

const lineOnly: Fields = { compareToPreviousPeriod: optionalFlag, fitYAxisToData: optionalFlag }

const categories: Fields = {
  sourceId: objectId,
  select: list(selectItem, { min: 1, max: 1, isExact: true }),
  groupBy: optionalExpression,
  orderBy: optionalExpression,
  numberFormat,
  limit
}

const heatmapItem = object({
  valueExpression: text({ min: 1, max: 10_000 }),
  countExpression: optionalExpression,
  heatmapScaleType: optional(oneOf(["log", "linear"]))
})

/** The fields of a chart that is built from a source, for each `displayType`. */
const builder = variant("displayType", {
  line: { ...time, ...lineOnly },
  stacked_bar: time,
  table: {
    ...onSource,
    groupBy: optionalExpression,
    having: optionalExpression,
    orderBy: optionalExpression,
    asRatio: optionalFlag,
    numberFormat,
    groupByColumnsOnLeft: optionalFlag,
    onClick,
    formulas,
    showOperandSeries: optionalFlag
  },
  number: {
    ...onSource,
    numberFormat,
    formulas,
    color: optional(color),
    colorRules: optional(list(colorRule, { max: 10 })),
    backgroundChart: optional(object({ type: oneOf(["line", "area"]), color: optional(color) }))
  },
  pie: categories,
  bar: categories,
  heatmap: {
    sourceId: objectId,
    select: list(heatmapItem, { min: 1, max: 1, isExact: true }),
    where,
    whereLanguage,
    numberFormat
  },
  markdown: { markdown: optional(text({ max: 50_000 })) },
  search: { sourceId: objectId, select: expression, where, whereLanguage },
  event_patterns: { sourceId: objectId, select: withDefault(expression, ""), where, whereLanguage }
})

const sql: Fields = {
  configType: literal("sql"),
  connectionId: objectId,
  sqlTemplate: text({ max: 100_000 }),
  sourceId: optional(objectId),
  numberFormat
}

const sqlTime: Fields = {
  ...sql,
  alignDateRangeToGranularity: optionalFlag,
  fillNulls: optionalFlag,
  seriesLimit: limit
}

/** The fields of a chart with `configType: "sql"`, for each `displayType`. */
const rawSql = variant("displayType", {
  line: { ...sqlTime, ...lineOnly },
  stacked_bar: sqlTime,
  table: { ...sql, onClick },
  number: { ...sql, color: optional(color) },
  pie: sql,
  bar: sql
})

/** The rules over several fields of a chart. They run on a chart whose fields are all valid. */
const checkTogether = (read: JsonObject, isRatio: boolean, issues: Issues): void => {
  const series = objectsOf(read.select).length
  const formulas = objectsOf(read.formulas)
  if (isRatio && series !== 2) issues.report("asRatio can only be used with exactly two select items")
  for (const [index, { expression }] of formulas.entries()) {
    const issue = Predicate.isString(expression) ? formulaIssue(expression, series) : undefined
    if (issue !== undefined) issues.report(issue, "formulas", index, "expression")
  }
  if (isRatio && formulas.length > 0) {
    const instead = `express the ratio as a formula instead (e.g. "A / B")`
    issues.report(`formulas cannot be combined with asRatio; ${instead}`, "formulas")
  }
  if (read.displayType !== "number" || read.configType === "sql") return
  if (formulas.length > 1) issues.report("Number charts support a single formula", "formulas")
  if (formulas.length === 0 && series !== 1) {
    const unless = "unless formulas are used (extra items are formula operands)"
    issues.report(`Number tiles support a single select item ${unless}`, "select")
  }
}

/** The `config` of a tile: the chart that it shows. */
export const chartConfig: Rule = (input, issues) => {
  const before = issues.count
  const has = (name: string, value: unknown) => Predicate.isObject(input) && Reflect.get(input, name) === value
  const read = objectOf((has("configType", "sql") ? rawSql : builder)(input, issues))
  if (issues.count > before || read === undefined) return invalid
  // `asRatio` is checked on charts that do not have it, too.
  checkTogether(read, has("asRatio", true), issues)
  return issues.count > before ? invalid : read
}

const fillsOf = new Map<unknown, JsonObject>([
  ["line", { asRatio: false, fillNulls: true }],
  ["stacked_bar", { asRatio: false, fillNulls: true }],
  ["table", { asRatio: false }],
  ["heatmap", { whereLanguage: "lucene" }],
  ["search", { whereLanguage: "lucene" }],
  ["event_patterns", { whereLanguage: "lucene" }],
  ["markdown", { markdown: "" }]
])

const sqlFillsOf = new Map<unknown, JsonObject>([
  ["line", { fillNulls: true }],
  ["stacked_bar", { fillNulls: true }]
])

const filled = (config: JsonObject): JsonObject => {
  const { configType, displayType, select } = config
  const fills = (configType === "sql" ? sqlFillsOf : fillsOf).get(displayType)
  if (displayType === "heatmap" || !Array.isArray(select)) return { ...fills, ...config }
  const items = objectsOf(select).map((item) => ({ valueExpression: "", whereLanguage: "lucene", ...item }))
  return { ...fills, ...config, select: items }
}

/** A chart as it is stored and answered: with the values of absent fields, without fields that have no effect. */
export const storedConfig = (config: JsonObject): JsonObject => {
  const { colorRules, formulas, showOperandSeries, ...rest } = filled(config)
  const operands = showOperandSeries === undefined ? {} : { showOperandSeries }
  return {
    ...rest,
    ...(colorRules !== undefined && objectsOf(colorRules).length > 0 ? { colorRules } : {}),
    ...(formulas !== undefined && objectsOf(formulas).length > 0 ? { formulas, ...operands } : {})
  }
}
