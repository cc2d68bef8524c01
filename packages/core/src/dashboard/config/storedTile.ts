import { quantileLevels } from "./chartParts.ts"
import { type JsonObject, objectOf, objectsOf } from "./Issues.ts"

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
  valueExpression: aggFn === "count" ? "" : (field ?? ""),
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
    displayType: type === "table" ? "table" : displayType === "stacked_bar" ? "stacked_bar" : "line",
    sourceId,
    select: series.map(selectItemOf),
    asRatio: isRatio && series.length === 2,
    ...present({
      groupBy: joined(first.groupBy, ","),
      numberFormat: series.find(({ numberFormat }) => numberFormat !== undefined)?.numberFormat
    })
  }
}

/** A tile as it is stored and answered: with `config`, never with `series`. */
export const storedTile = ({ asRatio, config, series, ...rest }: JsonObject): JsonObject => {
  const chart = objectOf(config) ?? convertedSeries(objectsOf(series), asRatio === true)
  return { ...rest, config: storedConfig(chart) }
}
