import { table } from "@headgate/command-line"

/** How text is laid out. */
export interface Layout {
  /** The columns of the terminal. */
  readonly width: number
  /** `--plain`: one line for each value, with its name. */
  readonly isPlain: boolean
}

/** A value with its name, as a line of plain text. */
export const plainLine = (name: string, value: string): string => `${name}: ${value}`.trim()

/** A table, whose first row names the columns; plain, a line for each cell, and a blank line between two rows. */
export const tableText = (rows: ReadonlyArray<ReadonlyArray<string>>, { isPlain, width }: Layout): string => {
  if (!isPlain) return table(rows, width)
  const [names = [], ...records] = rows
  return records
    .map((record) => names.map((name, index) => plainLine(name.trim(), record[index]?.trim() ?? "")).join("\n"))
    .join("\n\n")
}
