/** Breaks and aligns text by the columns that a terminal shows of it, which `width` tells. */
export const layoutBy = (width: (text: string) => number) => {
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
  const wrap = (text: string, limit: number): ReadonlyArray<string> =>
    width(text) <= limit ? [text] : fill(text.split(" "), limit)

  /** Breaks a shell command between words, outside quotes, so that it can still be pasted. */
  const wrapCommand = (command: string, limit: number): ReadonlyArray<string> => {
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
      .map((cell, index) =>
        index === row.length - 1 ? cell : cell + " ".repeat((widths[index] ?? 0) - width(cell) + 2)
      )
      .join("")
      .trimEnd()

  // A last column that is narrower than this goes below the others.
  const minLast = 20

  /**
   * Aligns rows in columns, two spaces apart. The last cell of a row is broken between words where the row is wider than
   * `limit`, and below the other cells where these leave no room for it.
   */
  const columns = (rows: ReadonlyArray<ReadonlyArray<string>>, limit = Infinity): ReadonlyArray<string> => {
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

  return { columnWidths, columns, join, wrap, wrapCommand }
}
