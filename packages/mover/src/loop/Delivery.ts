import type * as Effect from "effect/Effect"
import type { LedgerState, Owner } from "../port/Ledger.ts"
import type { Destination, LoggedPositions } from "../port/Warehouse.ts"
import type { MoveError } from "../range/MoveError.ts"
import { NotedObjects } from "../range/NotedObjects.ts"
import { addDelivered, type DeliveredRows, nothingDelivered, type PendingRange } from "../range/Range.ts"
import type { Position, Range } from "../range/Range.ts"
import { UnknownFields } from "../range/UnknownFields.ts"
import type { MoveContext } from "./MoveContext.ts"
import type { Attempts, MoverStatus } from "./runAttempts.ts"

/** A range to deliver, and since which generation objects are recorded. */
export interface UndeliveredRange extends Pick<PendingRange, "range" | "rejected" | "staged"> {
  readonly objectsSince: number
}

/** A range that was delivered, and what was found in it. */
export interface DeliveredRange {
  readonly delivered: DeliveredRows
  readonly unknownFields: UnknownFields
  /** How many objects have left the range, and are to be planned again. */
  readonly left: number
  /** The keys of objects that went to the error table whole, and of those that have bytes and no row. */
  readonly rejectedObjects?: ReadonlyArray<string>
  readonly emptyObjects?: ReadonlyArray<string>
}

/** How ranges reach the table: as rows that the mover reads and inserts, or as objects that the warehouse reads by itself. */
export interface Delivery {
  /** Ranges of a partition that are read while an earlier one is not done. */
  readonly readAhead: number
  /** Fails if this version cannot go on with what an earlier one has recorded. */
  readonly checkState: (state: LedgerState) => Effect.Effect<void, MoveError>
  /** Ends what earlier owners of the pipe still run in the warehouse. */
  readonly takeOver: (owner: Owner, pending: ReadonlyArray<PendingRange>) => Effect.Effect<void, MoveError>
  /**
   * What proves whether rows of a pending range are in the table: the log (all are), the token under which they are inserted again, or
   * the marks of the ledger.
   */
  readonly proofOf: (range: Range, logged: LoggedPositions) => "log" | "token" | "marks"
  /** Where partitions go on if the rows are left out that the source has lost. */
  readonly heldPositions: (
    positions: ReadonlyMap<string, Position>
  ) => Effect.Effect<ReadonlyMap<string, Position>, MoveError>
  /** Completes a planned range before it is recorded. `checkLog`: see `checkLogged`. */
  readonly complete: (
    planned: Range,
    counted: { readonly rows: number; readonly bytes: number },
    checkLog: Effect.Effect<LoggedPositions, MoveError>
  ) => Effect.Effect<Range, MoveError>
  /** Ends when the rows of a range may reach the table, after the range before it in its partition. */
  readonly readyAfter: (
    previous: Effect.Effect<void, MoveError>,
    checkLog: Effect.Effect<LoggedPositions, MoveError>
  ) => Effect.Effect<void, MoveError>
  /** Delivers a range. The epoch was checked just before. `ready`: see `readyAfter`. */
  readonly deliver: (
    owner: Owner,
    undelivered: UndeliveredRange,
    ready: Effect.Effect<void, MoveError>
  ) => Effect.Effect<DeliveredRange, MoveError>
}

/** One attempt of a mover: what it found when it took the pipe. */
export interface MoveAttempt extends Pick<Attempts, "recover" | "report"> {
  readonly context: MoveContext
  readonly delivery: Delivery
  readonly owner: Owner
  readonly destination: Destination
  readonly state: LedgerState
}

/** The status after a range was delivered. */
export const countDelivered = (
  status: MoverStatus,
  { delivered, emptyObjects = [], rejectedObjects = [], unknownFields }: DeliveredRange
) => ({
  ranges: status.ranges + 1,
  rows: status.rows + delivered.rows,
  bytes: status.bytes + delivered.bytes,
  rejectedRows: status.rejectedRows + delivered.rejected,
  delivered: addDelivered(status.delivered ?? nothingDelivered, delivered),
  unknownFields: UnknownFields.add(status.unknownFields, unknownFields),
  rejectedObjects: NotedObjects.addNewest(status.rejectedObjects, rejectedObjects),
  emptyObjects: NotedObjects.addNewest(status.emptyObjects, emptyObjects)
})
