import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Warehouse } from "../port/Warehouse.ts"
import { type ReadError, type RowsRejected, type WarehouseError, WarehouseRefused } from "../range/MoveError.ts"
import { describeRange, type Range, tokenOf } from "../range/Range.ts"
import { badRowBudget } from "../rule/attempts.ts"
import type { UnknownFields } from "../range/unknownFields.ts"

const notTried = "not tried: too many rows of this batch cannot be read"

/** Which row of the range is row `row` of a statement that left out the rows of `known`. */
const rowOfRange = (row: number, known: ReadonlyMap<number, string>): number =>
  Array.from(known.keys())
    .toSorted((one, other) => one - other)
    .reduce((moved, left) => (left <= moved ? moved + 1 : moved), row)

/**
 * Inserts a range; rows that cannot be read go to the error table. Returns how many those are, and what was left out of the others.
 *
 * The search for bad rows ends with its budget. The rows up to the last bad one are then known, and the rest of the range
 * goes to the error table unread. How far a search comes differs from replay to replay, so the error table is written first
 * in that case: whichever version of the range is under the token, each of its rows is in one of the two tables.
 */
export const insertRange = Effect.fn("insertRange")(function* (
  warehouse: Pick<Warehouse["Service"], "insert" | "insertBad">,
  range: Range,
  read: Stream.Stream<Uint8Array, ReadError>
) {
  const token = tokenOf(range)
  const rows = Stream.zipWithIndex(read)
  const known = new Map<number, string>()
  /** When the first statement was rejected: how long a batch of good rows takes to insert is no cost of the search. */
  let began: bigint | undefined

  const insert = (
    cut: number
  ): Effect.Effect<UnknownFields, ReadError | WarehouseError | WarehouseRefused | RowsRejected> => {
    const good = Stream.filter(rows, ([, row]) => row < cut && !known.has(row))
    return warehouse.insert(
      range,
      token,
      Stream.map(good, ([content]) => content)
    )
  }
  const insertBad = (cut: number) => {
    const counted = { rows: 0 }
    const bad = rows.pipe(
      Stream.filter(([, row]) => row >= cut || known.has(row)),
      Stream.map(([content, row]) => {
        counted.rows += 1
        return { row, content, reason: known.get(row) ?? notTried }
      })
    )
    // Another cut is another set of rows, which the first one's token must not keep out.
    return Effect.as(warehouse.insertBad(range, JSON.stringify([token, "bad", cut]), bad), counted)
  }

  // The last two statements are the insert of what is known to be good, and the error table's.
  for (let statement = 1; statement <= badRowBudget.statements - 2; statement += 1) {
    const inserted = yield* Effect.catchTag(insert(Infinity), "RowsRejected", Effect.succeed)
    if (!("rows" in inserted)) {
      return { badRows: known.size === 0 ? 0 : (yield* insertBad(Infinity)).rows, unknownFields: inserted }
    }
    const found = inserted.rows.map(({ reason, row }) => [rowOfRange(row, known), reason] as const)
    for (const [row, reason] of found) known.set(row, reason)
    const now = yield* Clock.monotonicTimeNanos
    began ??= now
    const elapsed = Duration.nanos(now - began)
    if (Duration.isGreaterThanOrEqualTo(elapsed, badRowBudget.time)) break
  }

  const cut = Math.max(...known.keys()) + 1
  const { rows: badRows } = yield* insertBad(cut)
  const unknownFields = yield* insert(cut).pipe(
    Effect.catchTag("RowsRejected", () =>
      Effect.fail(
        new WarehouseRefused({ message: `the warehouse rejects rows that it read before: ${describeRange(range)}` })
      )
    )
  )
  return { badRows, unknownFields }
})
