import * as CliOutput from "effect/cli/CliOutput"

// Most text is ASCII, and measuring other text loads the tables of Unicode.
const width = (text: string): number => (/^[\x20-\x7e]*$/.test(text) ? text.length : CliOutput.displayWidth(text))

/** Aligns rows in columns, two spaces apart, by the width that a terminal shows. */
export const columns = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths: Array<number> = []
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, width(cell))
    }
  }
  return rows.map((row) =>
    row
      .map((cell, index) =>
        index === row.length - 1 ? cell : cell + " ".repeat((widths[index] ?? 0) - width(cell) + 2)
      )
      .join("")
      .trimEnd()
  )
}
