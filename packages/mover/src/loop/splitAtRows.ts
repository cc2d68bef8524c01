import * as Stream from "effect/Stream"

/** Lines with their line breaks. */
export interface Lines {
  readonly chunks: ReadonlyArray<Uint8Array>
  readonly rows: number
  readonly bytes: number
}

const newline = 0x0a

const countRows = (bytes: Uint8Array): number => {
  let rows = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) rows += 1
  return rows
}

/** Cuts bytes into pieces of whole lines, each of about so many bytes, or of one longer line. No byte is copied. */
export const splitAtRows = <E>(bytes: Stream.Stream<Uint8Array, E>, limit: number): Stream.Stream<Lines, E> => {
  let chunks: Array<Uint8Array> = []
  let [size, rows] = [0, 0]
  const take = (): Lines => {
    const lines = { chunks, rows, bytes: size }
    chunks = []
    size = 0
    rows = 0
    return lines
  }
  const push = (chunk: Uint8Array): void => {
    if (chunk.length === 0) return
    chunks.push(chunk)
    size += chunk.length
    rows += countRows(chunk)
  }
  const add = (chunk: Uint8Array): ReadonlyArray<Lines> => {
    const end = chunk.lastIndexOf(newline) + 1
    if (size + end < limit || end === 0) {
      push(chunk)
      return []
    }
    push(chunk.subarray(0, end))
    const piece = take()
    push(chunk.subarray(end))
    return [piece]
  }
  return bytes.pipe(
    Stream.mapAccumArray(
      () => undefined,
      (_: undefined, more) => [undefined, more.flatMap(add)],
      { onHalt: () => (size === 0 ? [] : [take()]) }
    )
  )
}
