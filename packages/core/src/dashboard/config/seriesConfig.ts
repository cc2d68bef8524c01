import type { JsonObject } from "./Issues.ts"
import { quantileLevels } from "./quantileLevels.ts"

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

/**
 * The chart of a tile with `series`, as `config`. The series have one type and there is at least one.
 *
 * @example
 * ```ts
 * import { seriesConfig } from "@headgate/core/adapter"
 *
 * const config = seriesConfig([{ type: "number", sourceId: "65f5e4a3b9e77c001a567891", aggFn: "count" }], false)
 * console.log(config["displayType"]) // number
 * ```
 */
export const seriesConfig = (series: ReadonlyArray<JsonObject>, isRatio: boolean): JsonObject => {
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
