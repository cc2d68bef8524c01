import type { ChartData } from "@headgate/core"
import type * as DateTime from "effect/DateTime"
import { cellText, type ChartColumn, columnsOf, labelText, numberOf } from "./chartText.ts"

/** A series of a chart over time. */
interface TimeSeries {
  readonly label: string
  readonly column: ChartColumn
  /** By period, `undefined` where there is none. */
  readonly values: ReadonlyArray<number | undefined>
  /** As answered: of the newest period that has one, and the largest. */
  readonly last: unknown
  readonly largest: unknown
}

/** The series of a chart over time, and its periods. */
export interface TimeChart {
  readonly series: ReadonlyArray<TimeSeries>
  readonly periods: number
  /** Milliseconds. */
  readonly firstPeriod: number
  readonly period: number
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

const pointsOf = (data: ChartData, zone: DateTime.TimeZone): ReadonlyArray<Points> => {
  const time = columnsOf(data, "time")[0]?.index
  const groups = columnsOf(data, "group")
  const values = columnsOf(data, "value")
  const found = new Map<string, Points>()
  for (const row of data.rows) {
    const at = numberOf(row[time ?? -1])
    if (at === undefined) continue
    const group = groups.map(({ index }) => row[index])
    const parts = groups.map(({ column, index }) =>
      cellText(row[index], column, { displayType: data.displayType, zone })
    )
    for (const { column, index } of values) {
      const key = JSON.stringify([index, ...group])
      const names = [...parts, ...(group.length > 0 && values.length === 1 ? [] : [labelText(column.name)])]
      const points = found.get(key) ?? { label: names.join(", "), column, byTime: new Map() }
      points.byTime.set(at, row[index])
      found.set(key, points)
    }
  }
  return Array.from(found.values())
}

const peak = ({ values }: TimeSeries): number =>
  values.reduce<number>((most, value) => Math.max(most, value ?? -Infinity), -Infinity)

/** The series of an answer, those with the largest values first, by their names where these are equal. */
export const timeChartOf = (data: ChartData, zone: DateTime.TimeZone): TimeChart => {
  const found = pointsOf(data, zone)
  let [earliest, latest] = [Infinity, -Infinity]
  for (const { byTime } of found) {
    for (const at of byTime.keys()) {
      earliest = Math.min(earliest, at)
      latest = Math.max(latest, at)
    }
  }
  const period = (data.granularitySeconds ?? 1) * 1000
  if (earliest === Infinity) return { series: [], periods: 0, firstPeriod: data.from, period }
  const before = periodsIn(earliest - data.from, period)
  const indexOf = (at: number): number => before + Math.round((at - earliest) / period)
  const all = Math.max(indexOf(latest) + 1, before + periodsIn(data.to - earliest, period))
  const periods = Math.min(all, mostPeriods)
  const series = found.map(({ byTime, column, label }): TimeSeries => {
    const values = Array.from<number | undefined>({ length: periods }).fill(undefined)
    let [last, lastAt, largest]: [unknown, number, unknown] = [null, -Infinity, null]
    for (const [at, value] of byTime) {
      const number = numberOf(value)
      if (number === undefined || indexOf(at) >= periods) continue
      values[indexOf(at)] = number
      if (at > lastAt) [last, lastAt] = [value, at]
      if (number > (numberOf(largest) ?? -Infinity)) largest = value
    }
    return { label: column.isPrevious === true ? `before: ${label}` : label, column, values, last, largest }
  })
  const sorted = series.toSorted(
    (one, other) => peak(other) - peak(one) || (one.label < other.label ? -1 : one.label > other.label ? 1 : 0)
  )
  return { series: sorted, periods, firstPeriod: earliest - before * period, period }
}
