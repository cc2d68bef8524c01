import { quantileLevels } from "./chartParts.ts"
import { type JsonObject, objectOf, objectsOf } from "./Issues.ts"

const fillsOf = new Map<unknown, JsonObject>([
  ["line", { asRatio: false, fillNulls: true }],
  ["stacked_bar", { asRatio: false, fillNulls: true }],
  ["stacked_line", { asRatio: false, fillNulls: true }],
  ["table", { asRatio: false }],
  ["search", { whereLanguage: "lucene" }],
  ["event_patterns", { whereLanguage: "lucene" }],
  ["markdown", { markdown: "" }]
])

const sqlFillsOf = new Map<unknown, JsonObject>([
  ["line", { fillNulls: true }],
  ["stacked_bar", { fillNulls: true }],
  ["stacked_line", { fillNulls: true }]
])

/** Whether the select items of a chart are those of a heatmap of a distribution, which have no filter of their own. */
export const isDistribution = ({ displayType, heatmapMode }: JsonObject): boolean =>
  displayType === "heatmap" && heatmapMode !== "series"

const filled = (config: JsonObject): JsonObject => {
  const { configType, displayType, select } = config
  if (isDistribution(config)) return { whereLanguage: "lucene", ...config }
  const fills = (configType === "sql" ? sqlFillsOf : fillsOf).get(displayType)
  if (!Array.isArray(select)) return { ...fills, ...config }
  const items = objectsOf(select).map((item) => ({ whereLanguage: "lucene", ...item }))
  return { ...fills, ...config, select: items }
}

/** A chart as it is stored and answered: with the values of absent fields, without fields that have no effect. */
const storedConfig = (config: JsonObject): JsonObject => {
  const { colorRules, formulas, showOperandSeries, ...rest } = filled(config)
  const operands = showOperandSeries === undefined ? {} : { showOperandSeries }
  return {
    ...rest,
    ...(colorRules !== undefined && objectsOf(colorRules).length > 0 ? { colorRules } : {}),
    ...(formulas !== undefined && objectsOf(formulas).length > 0 ? { formulas, ...operands } : {})
  }
}

/** The fields of an object that are neither absent nor empty. */
const present = (fields: Readonly<Record<string, unknown>>): JsonObject => {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) if (value !== undefined && value !== "") kept[name] = value
  return kept
}

const selectItemOf = ({
  aggFn,
  alias,
  field,
  level,
  metricDataType,
  metricName,
  where,
  whereLanguage
}: JsonObject) => ({
  // The service answers none if a field was given: `count` counts rows.
  ...(aggFn === "count" && field ? {} : { valueExpression: field ?? "" }),
  where: where ?? "",
  whereLanguage: whereLanguage ?? "lucene",
  ...present({
    aggFn,
    alias,
    // Any other level would make the answer a request that is refused.
    level: aggFn === "quantile" ? quantileLevels.find((known) => known === level) : undefined,
    metricName,
    metricType: metricDataType
  })
})

const joined = (value: unknown, separator: string): string =>
  Array.isArray(value) ? value.map(String).join(separator) : ""

/** The shapes of a chart over time that a series may have, beside `line`. */
const stacked = ["stacked_bar", "stacked_line"]

/** The chart of a tile with `series`, as `config`. The series have one type and there is at least one. */
const convertedSeries = (series: ReadonlyArray<JsonObject>, isRatio: boolean): JsonObject => {
  const [first = {}] = series
  const { content, displayType, fields, sourceId = "", type, where = "", whereLanguage = "lucene" } = first
  if (type === "markdown") return { displayType: "markdown", markdown: content ?? "" }
  if (type === "search") {
    return { displayType: "search", sourceId, select: joined(fields, ", "), where, whereLanguage }
  }
  if (type === "number") {
    const { numberFormat } = first
    return { displayType: "number", sourceId, select: [selectItemOf(first)], ...present({ numberFormat }) }
  }
  return {
    displayType: type === "table" ? "table" : (stacked.find((one) => one === displayType) ?? "line"),
    sourceId,
    select: series.map(selectItemOf),
    asRatio: isRatio && series.length === 2,
    ...present({
      groupBy: joined(first.groupBy, ","),
      numberFormat: series.find(({ numberFormat }) => numberFormat !== undefined)?.numberFormat
    })
  }
}

const tileWith = (tile: JsonObject, configOf: (config: JsonObject) => JsonObject): JsonObject => {
  const { asRatio, config, series, ...rest } = tile
  const sent = objectOf(config)
  const chart = sent === undefined ? convertedSeries(objectsOf(series), asRatio === true) : configOf(sent)
  return { ...rest, config: storedConfig(chart) }
}

/** A chart of a request, whose `count` may have no expression: it is answered with an empty one. */
const withExpressions = (config: JsonObject): JsonObject => {
  const { select } = config
  if (isDistribution(config) || !Array.isArray(select)) return config
  return { ...config, select: objectsOf(select).map((item) => ({ valueExpression: "", ...item })) }
}

/** A tile of a request as it is stored: with `config`, never with `series`. */
export const storedTile = (tile: JsonObject): JsonObject => tileWith(tile, withExpressions)

/** A stored tile as it is answered: with `config`, never with `series`. */
export const answeredTile = (tile: JsonObject): JsonObject => tileWith(tile, (config) => config)
