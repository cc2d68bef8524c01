import type { Fields } from "../../format/fields.ts"
import type { ChartColumn, ChartData } from "@headgate/core"
import {
  chartColumns,
  chartLabel,
  chartNumber,
  columnTypeOf,
  formatNumber,
  lastPeriodRuns,
  timeChartOf
} from "@headgate/core/adapter"
import { visible } from "../../format/rawBytes.ts"
import { timeIn } from "../../format/times.ts"
import type { ChartData as Drawn, ChartSeries } from "../../parts/chart/chartModel.ts"
import { fieldsOf, objectsOf, textOf } from "./tile.ts"

/** How values are written: by the zone of the page, and the languages of the browser. */
export interface Writing {
  readonly zone: string
  readonly languages: string | ReadonlyArray<string>
}

// More of a text is never shown in a label.
const mostCharacters = 400

const short = (text: string): string => (text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text)

/** A value of a group or a row as a label: what is not seen is written out. */
export const labelText = (value: unknown): string => visible(short(chartLabel(value)))

const isNumeric = ({ type }: ChartColumn): boolean => columnTypeOf(type).kind === "number"

const isTime = ({ role, type }: ChartColumn): boolean => role === "time" || columnTypeOf(type).kind === "time"

const numberText = (value: unknown, { numberFormat }: ChartColumn, { languages }: Writing): string =>
  visible(
    short(formatNumber(typeof value === "number" || typeof value === "string" ? value : null, numberFormat, languages))
  )

/** A value of a column. Numbers of found rows stay as they are: they may be ids. */
export const cellText = (value: unknown, column: ChartColumn, displayType: string, writing: Writing): string => {
  if (isTime(column) && typeof value === "number") return timeIn(value, writing.zone)
  const isFormatted = column.role === "value" && (displayType !== "search" || column.numberFormat !== undefined)
  return isFormatted && isNumeric(column) ? numberText(value, column, writing) : labelText(value)
}

// More lines than these are not told apart, and each costs memory.
const mostSeries = 60

/** A chart over time as it is drawn, and how many series are not. */
export interface DrawnChart {
  readonly data: Drawn
  readonly hidden: number
}

const distinct = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

const shapes = ["stacked_bar", "stacked_line"] as const

/** The series of an answer over time. Those of the period before stand behind, each with the colour of the one that it is compared with. */
export const drawnChart = (data: ChartData, now: number, writing: Writing): DrawnChart => {
  const chart = timeChartOf(data, {
    group: (value, column) => cellText(value, column, data.displayType, writing),
    name: labelText
  })
  const present = chart.series.filter(({ column }) => column.isPrevious !== true)
  const previous = chart.series.filter(({ column }) => column.isPrevious === true)
  const shown = [...present.slice(0, mostSeries), ...previous.slice(0, mostSeries)]
  const names = distinct(shown.map(({ label }) => label))
  const series = shown.map(({ column, label, values }, index): ChartSeries => {
    const like = present.findIndex((one) => `before: ${one.label}` === label)
    return {
      name: names[index] ?? label,
      values: values.map((value) => value ?? null),
      text: (value) => numberText(value, column, writing),
      ...(column.isPrevious === true ? { isPrevious: true, ...(like < 0 ? {} : { like }) } : {})
    }
  })
  const shape = shapes.find((one) => one === data.displayType)
  return {
    data: {
      times: chart.times,
      series,
      isRunning: lastPeriodRuns(chart, now),
      from: Math.min(data.from, chart.times[0] ?? data.from),
      to: data.to,
      // Values of the period before are no part of a stack.
      ...(shape === undefined || previous.length > 0 ? {} : { shape })
    },
    hidden: data.hiddenSeries + chart.series.length - shown.length
  }
}

/** A column of a drawn table. */
export interface TableColumn {
  readonly title: string
  readonly isNumber: boolean
  readonly isTime: boolean
  readonly text: (value: unknown) => string
}

/** The columns of an answer as a table. */
export const tableColumns = (data: ChartData, writing: Writing): ReadonlyArray<TableColumn> =>
  data.columns.map((column) => ({
    title: `${column.isPrevious === true ? "before: " : ""}${labelText(column.name)}`,
    isNumber: isNumeric(column),
    isTime: isTime(column),
    text: (value) => cellText(value, column, data.displayType, writing)
  }))

/** A group of a pie or of bars. */
export interface Bar {
  readonly label: string
  readonly text: string
  /** Its length as a part of the longest, 0 to 1. */
  readonly part: number
  /** Its share of the sum; `undefined` where it has none. */
  readonly share: number | undefined
}

/** The groups of an answer that is not over time. */
export const barsOf = (data: ChartData, writing: Writing): ReadonlyArray<Bar> => {
  const groups = chartColumns(data, "group")
  const value = chartColumns(data, "value")[0]
  if (value === undefined) return []
  const numbers = data.rows.map((row) => chartNumber(row[value.index]) ?? 0)
  const largest = numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0)
  const sum = numbers.reduce((sum, number) => sum + Math.max(number, 0), 0)
  return data.rows.map((row, index) => {
    const number = numbers[index] ?? 0
    const parts = groups.map(({ column, index }) => cellText(row[index], column, data.displayType, writing))
    return {
      label: groups.length === 0 ? labelText(value.column.name) : parts.join(", "),
      text: numberText(row[value.index], value.column, writing),
      part: largest === 0 ? 0 : Math.abs(number) / largest,
      share: sum === 0 || number < 0 ? undefined : number / sum
    }
  })
}

/** A number that is shown alone. */
export interface Figure {
  readonly text: string
  /** A name of a colour of the tile, such as `chart-red`. */
  readonly colour: string | undefined
  /** What the colour says, in words. */
  readonly rule: string | undefined
  readonly isPrevious: boolean
}

const holds = ({ operator, value }: Fields, shown: unknown, number: number | undefined): boolean => {
  if (operator === "eq") return String(shown) === String(value)
  if (operator === "neq") return String(shown) !== String(value)
  if (number === undefined) return false
  if (operator === "between" && Array.isArray(value)) return number >= Number(value[0]) && number <= Number(value[1])
  const bound = typeof value === "number" ? value : Number.NaN
  if (operator === "gt") return number > bound
  if (operator === "gte") return number >= bound
  if (operator === "lt") return number < bound
  return operator === "lte" && number <= bound
}

const coloured = (config: Fields, value: unknown) => {
  const number = chartNumber(value)
  const rule = objectsOf(config["colorRules"]).findLast((one) => holds(one, value, number))
  const colour = textOf(rule?.["color"] ?? config["color"])
  return { colour: colour === "" ? undefined : colour, rule: textOf(rule?.["label"]) || undefined }
}

/** The numbers of an answer of one row; the last rule of the tile that holds decides the colour. */
export const figuresOf = (data: ChartData, tileConfig: unknown, writing: Writing): ReadonlyArray<Figure> => {
  const [row = []] = data.rows
  return chartColumns(data, "value").map(({ column, index }) => {
    const isPrevious = column.isPrevious === true
    const colours = isPrevious ? { colour: undefined, rule: undefined } : coloured(fieldsOf(tileConfig), row[index])
    return { text: numberText(row[index], column, writing), ...colours, isPrevious }
  })
}

/** What a reader of an answer must know, in sentences. */
export const notesOf = (data: ChartData, hidden: number): ReadonlyArray<string> => [
  ...(hidden > 0 ? [`${hidden} more series are not shown.`] : []),
  ...(data.truncated ? ["There are more rows than are shown."] : []),
  ...data.warnings.map((warning) => visible(warning))
]

/** Whether the answer is over time: a line for each series. */
export const isOverTime = (data: ChartData): boolean =>
  data.granularitySeconds !== undefined && chartColumns(data, "time").length > 0
