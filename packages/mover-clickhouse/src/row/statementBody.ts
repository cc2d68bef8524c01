import * as Stream from "effect/Stream"

/** The first row that was found to be bad. */
export interface Found {
  readonly row: number
  readonly reason: string
}

/** What one statement sends, and what was found on the way. */
export interface StatementBody<E> {
  readonly bytes: Stream.Stream<Uint8Array, E>
  readonly found: () => Found | undefined
}

const chunkBytes = 256 * 1024
const newline = Buffer.from("\n")

// What the engine reads in the place of a bad row. It names this row then, or an earlier one, so that the rows before the one
// that is named are known to be good.
const unreadable = Buffer.from("this row cannot be inserted\n")

interface Chunk {
  readonly bytes: Uint8Array
  readonly isLast: boolean
}

/** The rows as lines, in chunks of whole rows. It ends at the first row that `refuses` gives a reason for. */
export const statementBody = <E>(
  rows: Stream.Stream<Uint8Array, E>,
  refuses: (row: Uint8Array) => string | undefined
): StatementBody<E> => {
  let row = 0
  let found: Found | undefined
  let parts: Array<Uint8Array> = []
  let size = 0
  const take = (isLast: boolean): Chunk => {
    const bytes = Buffer.concat(parts)
    parts = []
    size = 0
    return { bytes, isLast }
  }
  const add = (content: Uint8Array): ReadonlyArray<Chunk> => {
    if (found !== undefined) return []
    const reason = refuses(content)
    if (reason !== undefined) {
      found = { row, reason }
      parts.push(unreadable)
      return [take(true)]
    }
    parts.push(content, newline)
    row += 1
    size += content.byteLength + 1
    return size < chunkBytes ? [] : [take(false)]
  }
  const bytes = rows.pipe(
    Stream.mapAccumArray(
      () => undefined,
      (_: undefined, more) => [undefined, more.flatMap(add)],
      // Also when the rows fail, so the last chunk is none after which the body is complete.
      { onHalt: () => (parts.length === 0 ? [] : [take(false)]) }
    ),
    Stream.takeUntil(({ isLast }) => isLast),
    Stream.map(({ bytes }) => bytes)
  )
  return { bytes, found: () => found }
}
