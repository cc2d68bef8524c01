import * as CliOutput from "effect/cli/CliOutput"

// Most text is plain, and to measure the rest means to load the tables of Unicode.
const width = (text: string): number => (/^[\x20-\x7e]*$/.test(text) ? text.length : CliOutput.displayWidth(text))

/** Lays rows out in columns that are two spaces apart, as wide as what a terminal shows needs. */
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
