import { type JsonObject, objectOf, objectsOf } from "./Issues.ts"
import { seriesConfig } from "./seriesConfig.ts"

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

const tileWith = (tile: JsonObject, configOf: (config: JsonObject) => JsonObject): JsonObject => {
  const { asRatio, config, series, ...rest } = tile
  const sent = objectOf(config)
  const chart = sent === undefined ? seriesConfig(objectsOf(series), asRatio === true) : configOf(sent)
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
