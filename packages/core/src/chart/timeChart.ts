import * as Predicate from "effect/Predicate"
import type { ChartColumn, ChartData } from "./ChartQuery.ts"

/** A value of a group or a row as a label. NULL and the text "NULL" differ, and so do they from an empty text. */
export const chartLabel = (value: unknown): string => {
  if (Predicate.isNullish(value)) return "NULL"
  if (Predicate.isString(value)) return value === "" || value === "NULL" ? `"${value}"` : value
  return JSON.stringify(value)
}

/**
 * A number of an answer: whole numbers beyond 2^53 and decimals are texts there. `undefined` for what is none.
 *
 * @example
 * ```ts
 * import { chartNumber } from "@headgate/core/adapter"
 *
 * console.log(chartNumber("12.50"), chartNumber(3), chartNumber(null)) // 12.5 3 undefined
 * ```
 */
export const chartNumber = (value: unknown): number | undefined => {
  const number = Predicate.isString(value) && value.trim() !== "" ? Number(value) : value
  return Predicate.isNumber(number) && Number.isFinite(number) ? number : undefined
}

/**
 * The columns of an answer that have a role, each with its place.
 *
 * @example
 * ```ts
 * import type { ChartData } from "@headgate/core"
 * import { chartColumns } from "@headgate/core/adapter"
 *
 * export const valueNames = (data: ChartData): ReadonlyArray<string> =>
 *   chartColumns(data, "value").map(({ column }) => column.name)
 * ```
 */
export const chartColumns = (
  { columns }: ChartData,
  role: ChartColumn["role"]
): ReadonlyArray<{ readonly index: number; readonly column: ChartColumn }> =>
  columns.flatMap((column, index) => (column.role === role ? [{ index, column }] : []))

/** A series of a chart over time. */
export interface TimeSeries {
  readonly label: string
  readonly column: ChartColumn
  /** By period, `undefined` where there is none. */
  readonly values: ReadonlyArray<number | undefined>
  /** As answered: of the newest period that has one, and the largest. */
  readonly last: unknown
  readonly largest: unknown
}

/** The series of a chart over time, and its periods. Times are milliseconds since 1970. */
export interface TimeChart {
  readonly series: ReadonlyArray<TimeSeries>
  readonly periods: number
  readonly firstPeriod: number
  readonly period: number
  /** When each period begins: where the answer says it, as there. */
  readonly times: ReadonlyArray<number>
}

/** How the parts of the label of a series are written. */
export interface SeriesTexts {
  /** A value of a group. */
  readonly group: (value: unknown, column: ChartColumn) => string
  /** The name of a column of values. */
  readonly name: (name: string) => string
}

// More are not drawn: no service answers as many.
const mostPeriods = 1_000_000

const day = 86_400_000
// A day of a zone may be an hour shorter or longer.
const shift = 3_600_000

/** How many whole periods end at a time after another: one that is begun counts. */
const periodsIn = (span: number, period: number): number =>
  Math.max(Math.ceil(span / period - (period >= day ? shift / period : 0)), 0)

interface Points {
  readonly label: string
  readonly column: ChartColumn
  readonly byTime: Map<number, unknown>
}

const pointsOf = (data: ChartData, texts: SeriesTexts): ReadonlyArray<Points> => {
  const time = chartColumns(data, "time")[0]?.index
  const groups = chartColumns(data, "group")
  const values = chartColumns(data, "value")
  // Those of the period before have the names of the others.
  const isOneValue = new Set(values.map(({ column }) => column.name)).size === 1
  const found = new Map<string, Points>()
  for (const row of data.rows) {
    const at = chartNumber(row[time ?? -1])
    if (at === undefined) continue
    const group = groups.map(({ index }) => row[index])
    const parts = groups.map(({ column, index }) => texts.group(row[index], column))
    for (const { column, index } of values) {
      const key = JSON.stringify([index, ...group])
      const names = [...parts, ...(group.length > 0 && isOneValue ? [] : [texts.name(column.name)])]
      const points = found.get(key) ?? { label: names.join(", "), column, byTime: new Map() }
      points.byTime.set(at, row[index])
      found.set(key, points)
    }
  }
  return Array.from(found.values())
}

const peak = ({ values }: TimeSeries): number =>
  values.reduce<number>((most, value) => Math.max(most, value ?? -Infinity), -Infinity)

/**
 * The series of an answer over time, those with the largest values first, by their labels where these are equal. A period of which
 * nothing is known is a gap. `texts` writes the parts of a label.
 *
 * @example
 * ```ts
 * import type { ChartData } from "@headgate/core"
 * import { chartLabel, timeChartOf } from "@headgate/core/adapter"
 *
 * export const labelsOf = (data: ChartData): ReadonlyArray<string> =>
 *   timeChartOf(data, { group: chartLabel, name: chartLabel }).series.map(({ label }) => label)
 * ```
 */
export const timeChartOf = (data: ChartData, texts: SeriesTexts): TimeChart => {
  const found = pointsOf(data, texts)
  let [earliest, latest] = [Infinity, -Infinity]
  for (const { byTime } of found) {
    for (const at of byTime.keys()) {
      earliest = Math.min(earliest, at)
      latest = Math.max(latest, at)
    }
  }
  const period = (data.granularitySeconds ?? 1) * 1000
  if (earliest === Infinity) return { series: [], periods: 0, firstPeriod: data.from, period, times: [] }
  const before = periodsIn(earliest - data.from, period)
  const indexOf = (at: number): number => before + Math.round((at - earliest) / period)
  const all = Math.max(indexOf(latest) + 1, before + periodsIn(data.to - earliest, period))
  const periods = Math.min(all, mostPeriods)
  const firstPeriod = earliest - before * period
  const times = Array.from({ length: periods }, (_, index) => firstPeriod + index * period)
  const series = found.map(({ byTime, column, label }): TimeSeries => {
    const values = Array.from<number | undefined>({ length: periods }).fill(undefined)
    let [last, lastAt, largest]: [unknown, number, unknown] = [null, -Infinity, null]
    for (const [at, value] of byTime) {
      if (indexOf(at) >= periods) continue
      times[indexOf(at)] = at
      const number = chartNumber(value)
      if (number === undefined) continue
      values[indexOf(at)] = number
      if (at > lastAt) [last, lastAt] = [value, at]
      if (number > (chartNumber(largest) ?? -Infinity)) largest = value
    }
    return { label: column.isPrevious === true ? `before: ${label}` : label, column, values, last, largest }
  })
  const sorted = series.toSorted(
    (one, other) => peak(other) - peak(one) || (one.label < other.label ? -1 : one.label > other.label ? 1 : 0)
  )
  return { series: sorted, periods, firstPeriod, period, times }
}

/**
 * Whether the last period of a chart has not ended at a time, in milliseconds since 1970.
 *
 * @example
 * ```ts
 * import { lastPeriodRuns } from "@headgate/core/adapter"
 *
 * const chart = { series: [], firstPeriod: 0, period: 60_000, periods: 2, times: [0, 60_000] }
 * console.log(lastPeriodRuns(chart, 119_999), lastPeriodRuns(chart, 120_000)) // true false
 * ```
 */
export const lastPeriodRuns = ({ firstPeriod, period, periods }: TimeChart, now: number): boolean => {
  const last = firstPeriod + (periods - 1) * period
  return last <= now && now < last + period
}
