import type { Fields } from "../../format/fields.ts"
import { messageOf } from "../../data/CallFailed.ts"
import { configOf } from "./edit.ts"
import { displayTypeOf, fieldsOf, markdownOf, objectsOf, textOf, type Tile } from "./tile.ts"

/** How a tile can be drawn, with a name for each. */
export const displayTypes: ReadonlyMap<string, string> = new Map([
  ["line", "Lines over time"],
  ["stacked_bar", "Stacked bars over time"],
  ["stacked_line", "Stacked lines over time"],
  ["number", "One number"],
  ["table", "Table of groups"],
  ["search", "Rows, the newest first"],
  ["bar", "Bars"],
  ["pie", "Shares"],
  ["heatmap", "Heatmap"],
  ["markdown", "Text"]
])

/** How the values of rows become one. */
export const aggregations = [
  "count",
  "sum",
  "avg",
  "min",
  "max",
  "quantile",
  "count_distinct",
  "any",
  "last_value",
  "none"
] as const

/** A value of a tile. */
export interface Value {
  readonly aggFn: string
  readonly expression: string
  /** The quantile, as a text. */
  readonly level: string
  readonly alias: string
  readonly where: string
  readonly whereLanguage: string
}

/** The fields of a tile that the form has. */
export interface TileForm {
  readonly name: string
  readonly displayType: string
  readonly sourceId: string
  readonly values: ReadonlyArray<Value>
  readonly groupBy: string
  /** The columns of found rows. */
  readonly columns: string
  readonly where: string
  readonly whereLanguage: string
  readonly markdown: string
}

export const newValue: Value = {
  aggFn: "count",
  expression: "",
  level: "0.95",
  alias: "",
  where: "",
  whereLanguage: "lucene"
}

const valueOf = (item: Fields): Value => ({
  aggFn: textOf(item["aggFn"]) || "count",
  expression: textOf(item["valueExpression"]),
  level: typeof item["level"] === "number" ? String(item["level"]) : newValue.level,
  alias: textOf(item["alias"]),
  where: textOf(item["where"]),
  whereLanguage: textOf(item["whereLanguage"]) || "lucene"
})

/** What the form shows of a tile, in either form. */
export const formOf = (tile: Tile): TileForm => {
  const config = configOf(tile)
  const items = objectsOf(config["select"])
  return {
    name: textOf(tile.name),
    displayType: displayTypeOf(tile),
    sourceId: textOf(config["sourceId"]),
    values: items.length === 0 ? [newValue] : items.map(valueOf),
    groupBy: textOf(config["groupBy"]),
    columns: textOf(config["select"]),
    where: textOf(config["where"]),
    whereLanguage: textOf(config["whereLanguage"]) || "lucene",
    markdown: markdownOf(tile) ?? ""
  }
}

/** Whether a display type has groups, more than one value. */
export const hasGroups = (displayType: string): boolean => !["number", "search", "markdown"].includes(displayType)
export const hasValues = (displayType: string): boolean => !["search", "markdown"].includes(displayType)
export const hasOneValue = (displayType: string): boolean => ["pie", "bar", "heatmap"].includes(displayType)

const shared = ({ aggFn, alias, level, where, whereLanguage }: Value): Fields => ({
  aggFn,
  ...(aggFn === "quantile" ? { level: Number(level) } : {}),
  ...(alias.trim() === "" ? {} : { alias }),
  where,
  whereLanguage
})

const without = (fields: Fields, names: ReadonlyArray<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

const ofValue = ["aggFn", "level", "alias", "where", "whereLanguage"]
const ofChart = ["displayType", "select", "groupBy", "where", "whereLanguage", "markdown", "heatmapMode", "sourceId"]

const configWith = (before: Fields, form: TileForm): Fields => {
  const { columns, displayType, groupBy, markdown, sourceId, values, where, whereLanguage } = form
  if (displayType === "markdown") return { displayType, markdown }
  const rest = { ...without(before, ofChart), displayType, sourceId }
  if (displayType === "search") return { ...rest, select: columns, where, whereLanguage }
  const items = objectsOf(before["select"])
  const select = (hasOneValue(displayType) ? values.slice(0, 1) : values).map((value, index) => ({
    ...without(items[index] ?? {}, [...ofValue, "valueExpression"]),
    ...shared(value),
    ...(value.aggFn === "count" ? {} : { valueExpression: value.expression })
  }))
  return {
    ...rest,
    select,
    ...(hasGroups(displayType) && groupBy.trim() !== "" ? { groupBy } : {}),
    ...(displayType === "heatmap" ? { heatmapMode: "series" } : {})
  }
}

/** The expressions of a list: commas in brackets and texts do not part them. */
export const listOf = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = [""]
  let [depth, mark] = [0, ""]
  for (const sign of text) {
    if (mark !== "") mark = sign === mark ? "" : mark
    else if (/['"`]/.test(sign)) mark = sign
    else if (/[([{]/.test(sign)) depth += 1
    else if (/[)\]}]/.test(sign)) depth -= 1
    if (sign === "," && depth === 0 && mark === "") parts.push("")
    else parts.push(`${parts.pop() ?? ""}${sign}`)
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "")
}

/** Whether a tile has `series` in the place of a `config`. */
const isOlder = ({ config, series }: Tile): boolean =>
  (config === undefined || config === null) && objectsOf(series).length > 0

const seriesTypes: ReadonlyMap<string, string> = new Map([
  ["line", "time"],
  ["stacked_bar", "time"],
  ["stacked_line", "time"],
  ["number", "number"],
  ["table", "table"],
  ["search", "search"],
  ["markdown", "markdown"]
])

const seriesWith = (before: ReadonlyArray<Fields>, form: TileForm, type: string): ReadonlyArray<Fields> => {
  const { columns, displayType, groupBy, markdown, sourceId, values, where, whereLanguage } = form
  if (type === "markdown") return [{ type, content: markdown }]
  if (type === "search") return [{ type, sourceId, fields: listOf(columns), where, whereLanguage }]
  return values.map((value, index) => ({
    ...without(before[index] ?? {}, [...ofValue, "field", "type", "displayType", "groupBy", "content", "fields"]),
    type,
    ...(type === "time" ? { displayType } : {}),
    sourceId,
    ...shared(value),
    ...(value.aggFn === "count" ? {} : { field: value.expression }),
    ...(type === "number" ? {} : { groupBy: listOf(groupBy) })
  }))
}

/** The display types that a tile may have: in the older form fewer, unless the dialect takes a tile of either form. */
export const typesFor = (tile: Tile, dialect: "neutral" | "clickhouse"): ReadonlyArray<string> =>
  Array.from(displayTypes.keys()).filter((type) => dialect === "clickhouse" || !isOlder(tile) || seriesTypes.has(type))

/** A tile with what the form has; what the form does not know stays. It keeps its form, if that has the display type. */
export const withForm = (tile: Tile, form: TileForm): Tile => {
  const type = seriesTypes.get(form.displayType)
  const { asRatio: _, config, series, ...rest } = tile
  const isSeries = isOlder(tile)
  if (isSeries && type !== undefined) {
    const written = seriesWith(objectsOf(series), form, type)
    return { ...tile, name: form.name, series: written } as unknown as Tile
  }
  const before = isSeries ? configOf(tile) : fieldsOf(config)
  return { ...rest, name: form.name, config: configWith(before, form) } as unknown as Tile
}

/** The chart of a tile as JSON: its `config`, or its `series`. */
export const chartJson = ({ config, series }: Tile): string => JSON.stringify(config ?? series ?? {}, undefined, 2)

/** A tile with a chart that was written as JSON, or why it cannot be: an object is a `config`, a list `series`. */
export const withChartJson = (tile: Tile, text: string): { readonly tile: Tile } | { readonly error: string } => {
  const { asRatio, config: _, series: __, ...rest } = tile
  try {
    const chart: unknown = JSON.parse(text)
    if (Array.isArray(chart)) {
      const kept = asRatio === undefined ? {} : { asRatio }
      return { tile: { ...rest, ...kept, series: chart } as unknown as Tile }
    }
    if (typeof chart !== "object" || chart === null) return { error: "Expected an object, or a list of series." }
    return { tile: { ...rest, config: chart } as unknown as Tile }
  } catch (error) {
    return { error: messageOf(error) }
  }
}
