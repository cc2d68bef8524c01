/** The most bytes of the rows of an answer. */
const mostBytes = 16 * 1024 * 1024

const beyondAscii = /[^\0-\u007f]/g

/** The bytes of a row as JSON: at most 3 for each unit of UTF-16 that is not ASCII. */
const bytesOf = (row: ReadonlyArray<unknown>): number => {
  const json = JSON.stringify(row)
  return json.length + 2 * (json.match(beyondAscii)?.length ?? 0)
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
