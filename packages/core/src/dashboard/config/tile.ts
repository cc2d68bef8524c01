import {
  aggFn,
  chartConfig,
  metricType,
  numberFormat,
  quantileLevels,
  storedConfig,
  whereLanguage
} from "./chartConfig.ts"
import {
  anyValueOf,
  type Fields,
  flag,
  type Issues,
  type JsonObject,
  list,
  number,
  object,
  objectId,
  objectOf,
  objectsOf,
  optional,
  text,
  variant
} from "./Rule.ts"

const query: Fields = {
  sourceId: objectId,
  aggFn,
  level: optional(number({ min: 0, max: 1 })),
  field: optional(text()),
  alias: optional(text()),
  where: text(),
  whereLanguage,
  numberFormat,
  metricDataType: metricType,
  metricName: optional(text())
}

const groupBy = list(text(), { max: 10 })

/** The older form of a chart, which is still read and never answered. */
const series = variant("type", {
  time: { ...query, groupBy, displayType: optional(anyValueOf(["stacked_bar", "line"])) },
  table: { ...query, groupBy, sortOrder: optional(anyValueOf(["desc", "asc"])) },
  search: { sourceId: objectId, fields: list(text()), where: text(), whereLanguage },
  number: query,
  markdown: { content: text({ max: 100_000 }) }
})

const checkSeries = (read: ReadonlyArray<unknown>, issues: Issues): void => {
  const types = new Set(objectsOf(read).map(({ type }) => type))
  if (types.size > 1) issues.report("All series must have the same type")
}

const checkTile = ({ asRatio, config, series }: JsonObject, issues: Issues): void => {
  if (series !== undefined && config !== undefined) issues.report("Tile cannot have both series and config")
  if (series === undefined && config === undefined) issues.report("Tile must have either series or config")
  if (asRatio !== undefined && config !== undefined) {
    const instead = "Specify config.asRatio instead."
    issues.report(`asRatio property is not supported when using config property. ${instead}`)
  }
}

const reference = optional(text({ min: 1, max: 256 }))

const tile = object(
  {
    name: text(),
    x: number({ min: 0, max: 23 }),
    y: number({ min: 0 }),
    w: number({ min: 1, max: 24 }),
    h: number({ min: 1 }),
    asRatio: optional(flag),
    series: optional(list(series, { min: 1, check: checkSeries })),
    config: optional(chartConfig),
    containerId: reference,
    tabId: reference,
    id: optional(text({ max: 36 }))
  },
  { check: checkTile }
)

const checkIds = (read: ReadonlyArray<unknown>, issues: Issues): void => {
  const seen = new Set<unknown>()
  for (const [index, { id }] of objectsOf(read).entries()) {
    if (id === undefined || id === "") continue
    if (seen.has(id))
      issues.report(`Duplicate tile ID: ${String(id)}. Omit the ID to generate a unique one.`, index, "id")
    seen.add(id)
  }
}

export const tiles = list(tile, { max: 500, check: checkIds })

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
