import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { LoggedPositions } from "../port/Warehouse.ts"
import type { MoveError } from "../range/MoveError.ts"
import { deliveredOf, type Position, Range, rejectedTokenOf } from "../range/Range.ts"
import type { DeliveredRange, Delivery } from "./Delivery.ts"
import { insertRange, type RangeWriter } from "./insertRange.ts"
import { type MoveContext, readRows, recordDelivered } from "./MoveContext.ts"

/** Whether the log proves that all rows of a range are in the table. */
const isLogged = ({ generation, partition, to }: Range, logged: LoggedPositions): boolean =>
  logged.generation === generation && logged.positions.get(partition) === to

/** The positions at which partitions go on: the first ones that the source holds, where it has lost what comes next. */
const heldPositions = Effect.fnUntraced(function* ({ source }: MoveContext, positions: ReadonlyMap<string, Position>) {
  const limits = { rows: 1, bytes: 1, wait: Duration.zero }
  const held = yield* Effect.forEach(positions, ([partition, from]) =>
    source.plan(partition, from, limits).pipe(
      Effect.as([partition, from] as const),
      Effect.catchTag("PositionLost", ({ first }) => Effect.succeed([partition, first] as const))
    )
  )
  return new Map(held)
})

/** Inserts the rows of a range, which the mover reads, as one block under a token. */
export const rowDelivery = (context: MoveContext): Delivery => ({
  readAhead: 0,
  checkState: () => Effect.void,
  takeOver: () => Effect.void,
  proofOf: (range, logged) => (isLogged(range, logged) ? "log" : "token"),
  heldPositions: (positions) => heldPositions(context, positions),
  // No other range of the partition is under way.
  complete: (planned, { bytes, rows }, checkLog) =>
    Effect.map(checkLog, ({ inserts }): Range => ({
      ...planned,
      ...(inserts === undefined ? {} : { insertsBefore: inserts }),
      rows,
      bytes
    })),
  readyAfter: (previous) => previous,
  deliver: Effect.fnUntraced(function* (owner, { range, rejected }, ready) {
    const { ledger, warehouse } = context
    yield* ready
    const writer: RangeWriter<MoveError> = {
      insert: (rows) =>
        warehouse.insert(owner, range, Range.tokenOf(range), rows, {
          ...(rejected === undefined ? {} : { recorded: rejected }),
          record: (found) => ledger.recordRejected(owner, range, found)
        }),
      insertRejected: (rows) => warehouse.insertRejected(range, rejectedTokenOf(range), rows)
    }
    const { rejectedRows, unknownFields } = yield* insertRange(writer, readRows(context, owner, range))
    const delivered = deliveredOf(range, rejectedRows)
    yield* recordDelivered(context, owner, range, delivered)
    return { delivered, left: 0, unknownFields } satisfies DeliveredRange
  })
})
