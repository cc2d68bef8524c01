import { fit } from "@headgate/command-line"
import type { ChartData } from "@headgate/core"
import { chartColumns, chartNumber } from "@headgate/core/adapter"
import { numberText, periodText } from "./chartText.ts"
import { type Drawing, shownOf } from "./Drawing.ts"
import { periodsInColumn } from "./drawSeries.ts"
import { boundsOf, sparkline } from "./sparkline.ts"
import { timeChartOf } from "./timeSeries.ts"

/** A line of cells. */
interface Line {
  readonly label: string
  readonly values: ReadonlyArray<number | undefined>
}

const sumOf = (values: ReadonlyArray<number | undefined>): number | undefined =>
  values.reduce((sum, value) => (value === undefined ? sum : (sum ?? 0) + value), undefined)

/** The sums of each so many values. */
const summed = (values: ReadonlyArray<number | undefined>, each: number): ReadonlyArray<number | undefined> =>
  Array.from({ length: Math.ceil(values.length / each) }, (_, column) =>
    sumOf(values.slice(column * each, (column + 1) * each))
  )

/** The answer with one group, its first one: of a distribution the place of a range of values. */
const byPlace = (data: ChartData): ChartData => {
  const [, ...others] = chartColumns(data, "group").map(({ index }) => index)
  const kept = data.columns.flatMap((_, index) => (others.includes(index) ? [] : [index]))
  return {
    ...data,
    columns: kept.flatMap((index) => data.columns[index] ?? []),
    rows: data.rows.map((row) => kept.map((index) => row[index]))
  }
}

/** The ranges of a distribution, the larger values above; some together where there are more than lines. */
const rangeLines = (data: ChartData, { most, zone }: Drawing) => {
  const [place, from] = chartColumns(data, "group")
  const starts = new Map<number, string>()
  for (const row of data.rows) {
    const start = from === undefined ? undefined : row[from.index]
    const isBelow = start === null || from === undefined
    starts.set(chartNumber(row[place?.index ?? 0]) ?? 0, isBelow ? "below" : numberText(start, from.column))
  }
  const chart = timeChartOf(byPlace(data), zone)
  const places = Array.from(starts.keys()).toSorted((one, other) => other - one)
  const [highest = 0] = places
  const lowest = places.at(-1) ?? 0
  const each = Math.max(Math.ceil((highest - lowest + 1) / most), 1)
  const lines = Array.from({ length: Math.ceil((highest - lowest + 1) / each) }, (_, line): Line => {
    const top = highest - line * each
    const held = chart.series.filter(({ label }) => Number(label) <= top && Number(label) > top - each)
    const named = places.findLast((one) => one <= top && one > top - each)
    return {
      label: named === undefined ? "" : (starts.get(named) ?? ""),
      values: Array.from({ length: chart.periods }, (_, period) => sumOf(held.map(({ values }) => values[period])))
    }
  })
  return { chart, lines, hidden: [] }
}

const groupLines = (data: ChartData, { most, zone }: Drawing) => {
  const chart = timeChartOf(data, zone)
  const rows = chart.series.toSorted((one, other) => (one.label < other.label ? -1 : 1))
  const lines: ReadonlyArray<Line> = rows.slice(0, most)
  return { chart, lines, hidden: shownOf(lines.length, rows.length + data.hiddenSeries, "groups") }
}

/** A heatmap: a line for each range of values or each group, with the level of each cell. */
export const drawHeatmap = (name: string, data: ChartData, drawing: Drawing): ReadonlyArray<string> => {
  const { labelWidth, width } = drawing
  const isDistribution = ["row", "from", "to"].every(
    (known, index) => chartColumns(data, "group")[index]?.column.name === known
  )
  const { chart, hidden, lines } = isDistribution ? rangeLines(data, drawing) : groupLines(data, drawing)
  const each = periodsInColumn(chart.periods, width - labelWidth - 1)
  const cells = lines.map(({ label, values }) => ({ label, values: summed(values, each) }))
  const bounds = boundsOf(cells.flatMap(({ values }) => values))
  const lineOf = ({ label, values }: Line): string => {
    const known = values.map((value) => (isDistribution && value === 0 ? undefined : value))
    return `${fit(`  ${label}`, labelWidth)} ${sparkline(known, bounds)}`.trimEnd()
  }
  return [
    name,
    ...cells.map(lineOf),
    ...(each > 1 ? [`  a column is ${periodText((each * chart.period) / 1000)}`] : []),
    ...hidden
  ]
}
