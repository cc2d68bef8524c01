import * as CliOutput from "effect/cli/CliOutput"

// Most text is ASCII, and measuring other text loads the tables of Unicode.
const width = (text: string): number => (/^[\x20-\x7e]*$/.test(text) ? text.length : CliOutput.displayWidth(text))

/** Joins words to lines of at most `limit` columns. A longer word is a line of its own. */
const fill = (words: Iterable<string>, limit: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of words) {
    const line = lines.at(-1)
    if (line !== undefined && width(line) + 1 + width(word) <= limit) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Breaks a text between words. */
export const wrap = (text: string, limit: number): ReadonlyArray<string> =>
  width(text) <= limit ? [text] : fill(text.split(" "), limit)

/** Breaks a shell command between words, outside quotes, so that it can still be pasted. */
export const wrapCommand = (command: string, limit: number): ReadonlyArray<string> => {
  if (width(command) <= limit) return [command]
  const lines = fill(command.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [], limit - 4)
  return lines.map((line, index) => (index === 0 ? "" : "  ") + (index === lines.length - 1 ? line : `${line} \\`))
}

const columnWidths = (rows: ReadonlyArray<ReadonlyArray<string>>): Array<number> => {
  const widths: Array<number> = []
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, width(cell))
    }
  }
  return widths
}

// The last column needs no padding.
const join = (row: ReadonlyArray<string>, widths: ReadonlyArray<number>): string =>
  row
    .map((cell, index) => (index === row.length - 1 ? cell : cell + " ".repeat((widths[index] ?? 0) - width(cell) + 2)))
    .join("")
    .trimEnd()

// A last column that is narrower than this goes below the others.
const minLast = 20

/**
 * Aligns rows in columns, two spaces apart, by the width that a terminal shows. The last cell of a row is broken between
 * words where the row is wider than `limit`, and below the other cells where these leave no room for it.
 */
export const columns = (rows: ReadonlyArray<ReadonlyArray<string>>, limit = Infinity): ReadonlyArray<string> => {
  const widths = columnWidths(rows)
  const start = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0)
  const isBelow = limit - start < minLast
  const indent = isBelow ? 4 : start
  return rows.flatMap((row) => {
    const lines = wrap(row.at(-1) ?? "", limit - indent)
    const [first = "", ...more] = isBelow ? ["", ...lines] : lines
    return [join([...row.slice(0, -1), first], widths), ...more.map((line) => " ".repeat(indent) + line)]
  })
}

const cut = (text: string, limit: number): string => {
  if (width(text) <= limit) return text
  const kept = Array.from(text.slice(0, limit))
  while (width(kept.join("")) > limit - 1) kept.pop()
  return `${kept.join("")}…`
}

// Wider cells are cut: one long name must not move the columns of all rows.
const maxCell = 60

// One record of a table, a line for each cell.
const cellLines = (names: ReadonlyArray<string>, record: ReadonlyArray<string>, limit: number): string => {
  const most = Math.max(...names.map(width))
  const rest = Math.max(limit - most - 2, 1)
  return names.map((name, index) => join([name, cut(record[index] ?? "", rest)], [most])).join("\n")
}

/**
 * A table whose cells are cut with an ellipsis where it is wider than `limit`. The first row names the columns. Where not
 * even the names and the ids of the first column fit, each cell gets a line of its own.
 */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>, limit: number): string => {
  const [names = [], ...records] = rows
  const smallest = names.map(width)
  const widths = columnWidths(rows).map((width, index, { length }) =>
    index === length - 1 ? width : Math.min(width, maxCell)
  )
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
