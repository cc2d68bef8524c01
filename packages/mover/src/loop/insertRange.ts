import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { RejectedRangeRow, InsertedRows } from "../port/Warehouse.ts"

/** How the rows of a range are written: those that the warehouse takes, and then the others. */
export interface RangeWriter<E> {
  readonly insert: (rows: Stream.Stream<Uint8Array, E>) => Effect.Effect<InsertedRows, E>
  readonly insertRejected: (rows: Stream.Stream<RejectedRangeRow, E>) => Effect.Effect<void, E>
}

/** Those of some rows that were rejected, with the reasons. */
export const rejectedOf = <E>(
  rows: Stream.Stream<Uint8Array, E>,
  rejected: InsertedRows["rejected"]
): Stream.Stream<RejectedRangeRow, E> => {
  const reasons = new Map(rejected.map(({ reason, row }) => [row, reason] as const))
  return Stream.zipWithIndex(rows).pipe(
    Stream.filter(([, row]) => reasons.has(row)),
    Stream.map(([content, row]) => ({ row, content, reason: reasons.get(row) ?? "" }))
  )
}

/**
 * Inserts a range, and the rows that the warehouse rejects into the error table. It is the warehouse that has those recorded before it
 * writes the others, so that a replay writes the same rows into both. The error table is written last: if the range was not inserted, none
 * of its rows is there.
 */
export const insertRange = Effect.fn("insertRange")(function* <E>(
  { insert, insertRejected }: RangeWriter<E>,
  rows: Stream.Stream<Uint8Array, E>
) {
  const { rejected, unknownFields } = yield* insert(rows)
  if (rejected.length > 0) yield* insertRejected(rejectedOf(rows, rejected))
  return { rejectedRows: rejected.length, unknownFields }
})
