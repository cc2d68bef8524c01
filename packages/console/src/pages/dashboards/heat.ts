import type { ChartData } from "@headgate/core"
import { chartColumns, chartNumber, timeChartOf } from "@headgate/core/adapter"
import type { ChartData as Drawn } from "../../parts/chart/chartModel.ts"
import { cellText, labelText, type Writing } from "./answer.ts"

/** A heatmap: a line for each range of values, the larger ones above, or for each group. */
export interface Heat {
  readonly data: Drawn
  /** The largest value of a cell. */
  readonly most: number
}

const known = ["row", "from", "to"]

/** The answer with its first group alone: of a distribution the number of a range of values. */
const byRange = (data: ChartData): ChartData => {
  const [, ...others] = chartColumns(data, "group").map(({ index }) => index)
  const kept = data.columns.flatMap((_, index) => (others.includes(index) ? [] : [index]))
  return {
    ...data,
    columns: kept.flatMap((index) => data.columns[index] ?? []),
    rows: data.rows.map((row) => kept.map((index) => row[index]))
  }
}

/** Where the ranges of a distribution begin, by their numbers. */
const startsOf = (data: ChartData, writing: Writing): ReadonlyMap<number, string> => {
  const [range, from] = chartColumns(data, "group")
  return new Map(
    data.rows.map((row) => {
      const start = from === undefined ? null : row[from.index]
      const text =
        start === null || from === undefined
          ? "below"
          : cellText(start, { ...from.column, role: "value" }, "heatmap", writing)
      return [chartNumber(row[range?.index ?? 0]) ?? 0, text]
    })
  )
}

/** The cells of a heatmap. */
export const heatOf = (data: ChartData, writing: Writing): Heat => {
  const isDistribution = known.every((name, index) => chartColumns(data, "group")[index]?.column.name === name)
  const texts = { group: labelText, name: labelText }
  const chart = timeChartOf(isDistribution ? byRange(data) : data, texts)
  const starts = isDistribution ? startsOf(data, writing) : undefined
  const sorted = chart.series.toSorted((one, other) =>
    starts === undefined ? (one.label < other.label ? -1 : 1) : Number(other.label) - Number(one.label)
  )
  const series = sorted.map(({ label, values }) => ({
    name: starts?.get(Number(label)) ?? label,
    values: values.map((value) => value ?? null)
  }))
  const most = series.reduce(
    (most, { values }) => values.reduce<number>((m, value) => Math.max(m, value ?? 0), most),
    0
  )
  return { data: { times: chart.times, series, isRunning: false, from: data.from, to: data.to }, most }
}
