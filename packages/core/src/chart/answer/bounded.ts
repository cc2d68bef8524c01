/** The most bytes of the rows of an answer. */
const mostBytes = 16 * 1024 * 1024

// The halves of characters that two units of UTF-16 are have 4 bytes together.
const isHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

/** The bytes of a row as JSON in UTF-8. */
const bytesOf = (row: ReadonlyArray<unknown>): number => {
  const json = JSON.stringify(row)
  let bytes = json.length
  for (let index = 0; index < json.length; index += 1) {
    const unit = json.charCodeAt(index)
    if (unit > 0x7f) bytes += unit > 0x7ff && !isHalf(unit) ? 2 : 1
  }
  return bytes
}

/** Rows that an answer may hold, in their order, and whether some were left out. */
export const bounded = (
  rows: ReadonlyArray<ReadonlyArray<unknown>>,
  limit: number
): { readonly rows: ReadonlyArray<ReadonlyArray<unknown>>; readonly truncated: boolean } => {
  const kept: Array<ReadonlyArray<unknown>> = []
  let bytes = 0
  for (const row of rows) {
    bytes += 1 + bytesOf(row)
    if (kept.length === limit || bytes > mostBytes) return { rows: kept, truncated: true }
    kept.push(row)
  }
  return { rows: kept, truncated: false }
}
