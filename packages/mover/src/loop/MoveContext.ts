import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Ledger, Owner } from "../port/Ledger.ts"
import type { RangeLimits, Source } from "../port/Source.ts"
import type { LoggedObjects, Warehouse } from "../port/Warehouse.ts"
import type { Decision } from "../range/Decision.ts"
import type { DeliveredRows, Range } from "../range/Range.ts"
import { longestPause } from "../rule/attempts.ts"
import type { MoverOptions } from "./runAttempts.ts"

/** What `movePipe` moves, and how much at once. */
export interface MoveOptions extends MoverOptions {
  /** The most that one range holds. Memory is bounded by `inFlight` times `limits.bytes`. */
  readonly limits: RangeLimits
  /** Ranges that are recorded and inserted at the same time, each of a partition of its own. Of objects, three of a partition. */
  readonly inFlight: number
  /** Parts that one insert makes: the partitions of the table that a range may touch. */
  readonly partsPerInsert: number
  readonly pipesOnTable: number
}

/** What all attempts of a mover share. */
export interface MoveContext {
  readonly options: MoveOptions
  readonly source: Source["Service"]
  readonly warehouse: Warehouse["Service"]
  readonly ledger: Ledger["Service"]
  /** The number of inserts whose tokens the table must remember. */
  readonly window: number
  /** What a person has decided; absent once it is carried out: it does not hold for what happens to this mover later. */
  decision: Decision | undefined
  /** When the epoch was checked last, by the monotonic clock, in nanoseconds. */
  checkedAt: bigint
}

/** Fails if another mover took the pipe. */
export const checkEpoch = Effect.fnUntraced(function* (context: MoveContext, owner: Owner) {
  yield* context.ledger.check(owner)
  context.checkedAt = yield* Clock.monotonicTimeNanos
})

/** Records a range. The ledger refuses it if another mover took the pipe, so the epoch is checked with it. */
export const recordRange = Effect.fnUntraced(function* (context: MoveContext, owner: Owner, range: Range) {
  const before = yield* Clock.monotonicTimeNanos
  yield* context.ledger.record(owner, range)
  // A mover that was frozen meanwhile checks again before it sends the rows.
  context.checkedAt = before
})

/** The rows of a range. A mover that was frozen while it sent them checks its epoch before it sends more. */
export const readRows = (context: MoveContext, owner: Owner, range: Range) =>
  Stream.mapArrayEffect(
    context.source.read(range),
    Effect.fnUntraced(function* (rows) {
      const pause = Duration.nanos((yield* Clock.monotonicTimeNanos) - context.checkedAt)
      if (Duration.isGreaterThan(pause, longestPause)) yield* checkEpoch(context, owner)
      return rows
    })
  )

/** Records that a range is delivered: in the log of the warehouse, and then in the ledger. */
export const recordDelivered = Effect.fnUntraced(function* (
  { ledger, warehouse }: MoveContext,
  owner: Owner,
  range: Range,
  delivered: DeliveredRows,
  read?: LoggedObjects
) {
  // In this order: the log stands at the last done range or at a pending one, and anything else is a restored backup.
  yield* warehouse.log(range, read)
  yield* ledger.markDone(owner, range, { ...delivered, ...(read === undefined ? {} : { objects: read.objects }) })
})
