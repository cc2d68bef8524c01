import type { RejectedRows } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** A row that is not sent, and why. */
export interface Rejection {
  readonly row: number
  readonly reason: string
}

/** What one statement sends, and which rows it leaves out: all of them are known when the body has been read to its end. */
export interface StatementBody<E> {
  readonly bytes: Stream.Stream<Uint8Array, E>
  readonly rejected: () => ReadonlyArray<Rejection>
}

const chunkBytes = 256 * 1024
const newline = Buffer.from("\n")

/**
 * The rows as lines, in chunks of whole rows, without those that `rejects` gives a reason for. It gets the row and its number. `atEnd` runs
 * after the last row: the engine commits nothing before a body ends, and none of it if that fails.
 */
export const statementBody = <E, E2 = never>(
  rows: Stream.Stream<Uint8Array, E>,
  rejects: (row: Uint8Array, number: number) => string | undefined,
  atEnd: (rejected: ReadonlyArray<Rejection>) => Effect.Effect<void, E2> = () => Effect.void
): StatementBody<E | E2> => {
  let row = 0
  const rejected: Array<Rejection> = []
  let parts: Array<Uint8Array> = []
  let size = 0
  const take = (): Uint8Array => {
    const bytes = Buffer.concat(parts)
    parts = []
    size = 0
    return bytes
  }
  const add = (content: Uint8Array): ReadonlyArray<Uint8Array> => {
    const reason = rejects(content, row)
    if (reason === undefined) {
      parts.push(content, newline)
      size += content.byteLength + 1
    } else rejected.push({ row, reason })
    row += 1
    return size < chunkBytes ? [] : [take()]
  }
  const bytes = rows.pipe(
    Stream.mapAccumArray(
      () => undefined,
      (_: undefined, more) => [undefined, more.flatMap(add)]
    ),
    // The last rows and what runs after them: not if the rows fail, so that a body that breaks off is never a whole one.
    Stream.concat(
      Stream.unwrap(
        Effect.as(
          Effect.suspend(() => atEnd(rejected)),
          Stream.suspend(() => (parts.length === 0 ? Stream.empty : Stream.succeed(take())))
        )
      )
    )
  )
  return { bytes, rejected: () => rejected }
}

/** Row numbers as they are recorded. */
export const recordOf = (rejected: ReadonlyArray<Rejection>, checkedBy: string): RejectedRows => ({
  rows: rejected.map(({ row }) => row),
  checkedBy
})
