import { displayWidth, fit, fitEnd } from "@headgate/command-line"
import type { ChartData } from "@headgate/core"
import { lastPeriodRuns } from "@headgate/core/adapter"
import { numberText, periodText } from "./chartText.ts"
import { type Drawing, shownOf } from "./Drawing.ts"
import { boundsOf, sparkline } from "./sparkline.ts"
import { timeChartOf } from "./timeSeries.ts"

// Marks the period that still runs.
const runs = "›"

const [leastFigure, mostFigure] = [7, 16]

/** How many periods one column of the terminal has, so that all fit. */
export const periodsInColumn = (periods: number, columns: number): number =>
  Math.max(Math.ceil(periods / Math.max(columns, 1)), 1)

/** The largest value of each column of the terminal. */
const largestOf = (values: ReadonlyArray<number | undefined>, each: number): ReadonlyArray<number | undefined> =>
  Array.from({ length: Math.ceil(values.length / each) }, (_, column) =>
    values
      .slice(column * each, (column + 1) * each)
      .reduce((most, value) => (most === undefined || (value ?? -Infinity) > most ? value : most), undefined)
  )

/** A chart over time: a line of bars for each series, with its last and its largest value. */
export const drawSeries = (name: string, data: ChartData, drawing: Drawing): ReadonlyArray<string> => {
  const { labelWidth, most, now, width, zone } = drawing
  const chart = timeChartOf(data, zone)
  const shown = chart.series.slice(0, most)
  const figures = shown.map(({ column, largest, last }) => [last, largest].map((value) => numberText(value, column)))
  const figureWidth = figures
    .flat()
    .reduce((most, figure) => Math.min(Math.max(most, displayWidth(figure)), mostFigure), leastFigure)
  const ends = (texts: ReadonlyArray<string>) => texts.map((text) => ` ${fitEnd(text, figureWidth)}`).join("")
  const isRunning = lastPeriodRuns(chart, now)
  const columns = width - labelWidth - 1 - 2 * (figureWidth + 1) - runs.length
  const each = periodsInColumn(chart.periods, columns)
  // The values of one column have one scale.
  const boundsBy = new Map(
    Array.from(new Set(shown.map(({ column }) => column.name)), (name) => [
      name,
      boundsOf(shown.flatMap(({ column, values }) => (column.name === name ? values : [])))
    ])
  )
  const lines = shown.map(({ column, label, values }, index) => {
    const line = sparkline(largestOf(values, each), boundsBy.get(column.name)) + (isRunning ? runs : "")
    return `${fit(`  ${label}`, labelWidth)} ${fit(line, columns + runs.length)}${ends(figures[index] ?? [])}`
  })
  const heads = width - 2 * (figureWidth + 1)
  return [
    `${fit(name, heads)}${ends(["last", "max"])}`,
    ...lines,
    ...(each > 1 ? [`  a column is ${periodText((each * chart.period) / 1000)}, its bar the largest value`] : []),
    ...(isRunning ? [`  ${runs} the last period still runs`] : []),
    ...shownOf(shown.length, chart.series.length + data.hiddenSeries, "series")
  ]
}
