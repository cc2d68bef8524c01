import * as CliOutput from "effect/cli/CliOutput"
import { layoutBy } from "./layout.ts"

/** The columns of the terminal that a text takes. */
export const displayWidth = (text: string): number =>
  // Most text is ASCII, and measuring other text loads the tables of Unicode.
  /^[\x20-\x7e]*$/.test(text) ? text.length : CliOutput.displayWidth(text)

const width = displayWidth
const { columnWidths, columns, join, wrap } = layoutBy(width)
export { columns }

/** Breaks the lines of a text between words where they are wider than `limit`. A line that goes on keeps its indentation. */
export const wrapLines = (text: string, limit: number): string =>
  text
    .split("\n")
    .flatMap((line) => {
      const indent = /^ */.exec(line)?.[0] ?? ""
      return wrap(line.slice(indent.length), limit - indent.length).map((part) => indent + part)
    })
    .join("\n")

/** A text of at most `limit` columns, with an ellipsis in place of what is cut. */
export const cut = (text: string, limit: number): string => {
  if (width(text) <= limit) return text
  const kept = Array.from(text.slice(0, limit))
  while (width(kept.join("")) > limit - 1) kept.pop()
  return `${kept.join("")}…`
}

const fitted = (text: string, limit: number): readonly [shown: string, padding: string] => {
  const shown = limit < 1 ? "" : cut(text, limit)
  return [shown, " ".repeat(Math.max(limit - width(shown), 0))]
}

/** A text of exactly `limit` columns: cut with an ellipsis, or padded. */
export const fit = (text: string, limit: number): string => fitted(text, limit).join("")

/** {@link fit} with the text at the end, for numbers. */
export const fitEnd = (text: string, limit: number): string => fitted(text, limit).toReversed().join("")

// Wider cells are cut: one long name must not move the columns of all rows.
const maxCell = 60

// A cell that is cut to less says nothing.
const minCell = 10

// One record of a table, a line for each cell.
const cellLines = (names: ReadonlyArray<string>, record: ReadonlyArray<string>, limit: number): string => {
  const most = Math.max(...names.map(width))
  const rest = Math.max(limit - most - 2, 1)
  return names.map((name, index) => join([name, cut(record[index] ?? "", rest)], [most])).join("\n")
}

/**
 * A table whose cells are cut with an ellipsis where it is wider than `limit`. The first row names the columns. Where not
 * even the names, the ids of the first column and 10 columns of each other cell fit, each cell gets a line of its own.
 */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>, limit: number): string => {
  const [names = [], ...records] = rows
  const widths = columnWidths(rows).map((width, index, { length }) =>
    index === length - 1 ? width : Math.min(width, maxCell)
  )
  const smallest = widths.map((most, index) => Math.max(width(names[index] ?? ""), Math.min(most, minCell)))
  const total = () => widths.reduce((sum, width) => sum + width + 2, -2)
  while (total() > limit) {
    // The first column is an id, which is copied.
    const spare = widths.map((width, index) => (index === 0 ? 0 : width - (smallest[index] ?? 0)))
    const most = Math.max(...spare)
    if (most <= 0) break
    const widest = spare.indexOf(most)
    widths[widest] = (widths[widest] ?? 0) - Math.min(most, Math.ceil((total() - limit) / 2))
  }
  if (total() > limit && records.length > 0)
    return records.map((record) => cellLines(names, record, limit)).join("\n\n")
  return rows
    .map((row) =>
      join(
        row.map((cell, index) => cut(cell, widths[index] ?? 0)),
        widths
      )
    )
    .join("\n")
}
