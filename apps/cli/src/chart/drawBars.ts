import { displayWidth, fit, fitEnd } from "@headgate/command-line"
import type { ChartData } from "@headgate/core"
import { chartColumns, chartNumber } from "@headgate/core/adapter"
import { cellText, labelText, numberText } from "./chartText.ts"
import { type Drawing, shownOf } from "./Drawing.ts"

const parts = Array.from(" ▏▎▍▌▋▊▉")
const whole = "█"

/** A bar whose length is a part of so many columns, to an eighth of a column. A part above 0 is seen. */
const barText = (part: number, columns: number): string => {
  const eighths = part <= 0 ? 0 : Math.max(Math.round(Math.min(part, 1) * columns * 8), 1)
  return (whole.repeat(Math.floor(eighths / 8)) + (parts[eighths % 8] ?? "")).trimEnd()
}

const mostFigure = 20

/** The groups of a pie or of bars: a bar for each with its value, and of a pie its share. */
export const drawBars = (name: string, data: ChartData, drawing: Drawing): ReadonlyArray<string> => {
  const { labelWidth, most, width, zone } = drawing
  const groups = chartColumns(data, "group")
  const value = chartColumns(data, "value")[0]
  if (value === undefined) return [name]
  const numbers = data.rows.map((row) => chartNumber(row[value.index]) ?? 0)
  const largest = numbers.reduce((most, number) => Math.max(most, number), 0)
  const sum = numbers.reduce((sum, number) => sum + Math.max(number, 0), 0)
  const isPie = data.displayType === "pie"
  const shown = data.rows.slice(0, most)
  const figures = shown.map((row, index) => {
    const text = numberText(row[value.index], value.column)
    const share = sum === 0 ? 0 : Math.max(numbers[index] ?? 0, 0) / sum
    return isPie ? `${text} ${fitEnd(`${(share * 100).toFixed(1)} %`, 7)}` : text
  })
  const figureWidth = figures.reduce((most, figure) => Math.min(Math.max(most, displayWidth(figure)), mostFigure), 1)
  const columns = Math.max(width - labelWidth - 1 - figureWidth - 1, 1)
  return [
    name,
    ...shown.map((row, index) => {
      const parts = groups.map(({ column, index }) =>
        cellText(row[index], column, { displayType: data.displayType, zone })
      )
      const label = groups.length === 0 ? labelText(value.column.name) : parts.join(", ")
      const part = largest === 0 ? 0 : (numbers[index] ?? 0) / largest
      return `${fit(`  ${label}`, labelWidth)} ${fit(barText(part, columns), columns)} ${fitEnd(figures[index] ?? "", figureWidth)}`
    }),
    ...shownOf(shown.length, data.rows.length + data.hiddenSeries, "groups", !data.truncated)
  ]
}
