/** The keys of a table's rows, and what they do. */
export const tableKeys = [
  { keys: ["↑", "↓"], title: "The row before, the row after" },
  { keys: ["Home", "End"], title: "The first row, the last row" },
  { keys: ["Page up", "Page down"], title: "A page of rows" },
  { keys: ["Enter"], title: "Open the row" }
] as const

/** The row that a key leads to from row `index` of `count`, of which `seen` are seen; `undefined` for another key. */
export const rowAfter = (key: string, index: number, count: number, seen: number): number | undefined => {
  const page = Math.max(seen - 1, 1)
  const wanted: Readonly<Record<string, number>> = {
    ArrowUp: index - 1,
    ArrowDown: index + 1,
    PageUp: index - page,
    PageDown: index + page,
    Home: 0,
    End: count - 1
  }
  const next = wanted[key]
  return next === undefined ? undefined : Math.max(Math.min(next, count - 1), 0)
}
