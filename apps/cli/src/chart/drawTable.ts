import { cut, displayWidth, fit, fitEnd } from "@headgate/command-line"
import type { ChartData } from "@headgate/core"
import type * as DateTime from "effect/DateTime"
import { cellText, type ChartColumn, isNumeric, isTime, labelText } from "./chartText.ts"
import { type Drawing, shownOf } from "./Drawing.ts"

// Wider cells are cut, and so are wider columns of a table that does not fit, down to the least width.
const maxCell = 60
const minCell = 6

// Between two columns.
const gap = "  "

/** The rows with their columns aligned, numbers at the end; `undefined` if they cannot be cut to so many columns. */
const aligned = (
  rows: ReadonlyArray<ReadonlyArray<string>>,
  columns: ReadonlyArray<ChartColumn>,
  limit: number
): ReadonlyArray<string> | undefined => {
  const widths = columns.map((_, index) =>
    rows.reduce((most, row) => Math.max(most, Math.min(displayWidth(row[index] ?? ""), maxCell)), 0)
  )
  const isText = columns.map((column) => !isNumeric(column) && !isTime(column))
  const atEnd = columns.map(isNumeric)
  const room = limit - gap.length * (widths.length - 1)
  let over = widths.reduce((sum, width) => sum + width, -room)
  while (over > 0) {
    // A number or a time that is cut is another one: texts alone are.
    const widest = widths.reduce(
      (found, width, index) =>
        isText[index] === true && width > minCell && width > (widths[found] ?? 0) ? index : found,
      -1
    )
    const width = widths[widest]
    if (width === undefined) return undefined
    widths[widest] = width - 1
    over -= 1
  }
  return rows.map((row) =>
    widths
      .map((width, index) => (atEnd[index] === true ? fitEnd : fit)(row[index] ?? "", width))
      .join(gap)
      .trimEnd()
  )
}

/** A cell with its name, a line for each: of a table that has more columns than fit beside each other. */
const cellLines = (
  names: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  limit: number
): ReadonlyArray<string> => {
  const most = Math.min(
    names.reduce((most, name) => Math.max(most, displayWidth(name)), 0),
    Math.floor(limit / 3)
  )
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [""]),
    ...names.map((name, cell) => `${fit(name, most)}${gap}${cut(row[cell] ?? "", limit - most - gap.length)}`.trimEnd())
  ])
}

const tableOf = (data: ChartData, rows: ChartData["rows"], zone: DateTime.TimeZone) => ({
  names: data.columns.map(({ isPrevious, name }) => (isPrevious === true ? "before: " : "") + labelText(name)),
  cells: rows.map((row) =>
    data.columns.map((column, index) => cellText(row[index], column, { displayType: data.displayType, zone }))
  )
})

/** The rows of an answer in so many columns: beside each other, or a line for each cell where they do not fit. */
export const fittedTable = (data: ChartData, zone: DateTime.TimeZone, limit: number): ReadonlyArray<string> => {
  const { cells, names } = tableOf(data, data.rows, zone)
  return aligned([names, ...cells], data.columns, limit) ?? cellLines(names, cells, limit)
}

/** The table of an answer: beside the name of its tile if it fits there, else below. */
export const drawTable = (name: string, data: ChartData, drawing: Drawing): ReadonlyArray<string> => {
  const { labelWidth, most, width, zone } = drawing
  const shown = { ...data, rows: data.rows.slice(0, most) }
  const more = shownOf(shown.rows.length, data.rows.length, "rows", !data.truncated)
  const { cells, names } = tableOf(data, shown.rows, zone)
  const natural = data.columns.map((_, index) =>
    [names, ...cells].reduce((most, row) => Math.max(most, Math.min(displayWidth(row[index] ?? ""), maxCell)), 0)
  )
  const total = natural.reduce((sum, cell) => sum + cell + gap.length, -gap.length)
  if (total > width - labelWidth - 1) {
    return [name, ...fittedTable(shown, zone, width - 2).map((line) => `  ${line}`.trimEnd()), ...more]
  }
  const lines = fittedTable(shown, zone, total)
  return [...lines.map((line, index) => `${fit(index === 0 ? name : "", labelWidth)} ${line}`.trimEnd()), ...more]
}
