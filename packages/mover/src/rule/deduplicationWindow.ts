import * as Duration from "effect/Duration"
import type { PendingRange } from "../range/Range.ts"

/**
 * How many inserts a table must remember, so that a pending range is still recognised when it is replayed. The engine
 * counts parts for the whole table, so all pipes that insert into it count, and all parts (partitions of the table) that an
 * insert makes.
 */
export const deduplicationWindow = (load: {
  /** Ranges that are inserted at the same time. */
  readonly inFlight: number
  readonly partsPerInsert: number
  readonly pipesOnTable: number
}): number => Math.max(10_000, 20 * load.inFlight * load.partsPerInsert * load.pipesOnTable)

/** For how long a table remembers tokens, and for how many inserts. */
interface Memory {
  readonly remembersFor?: Duration.Duration | undefined
  readonly window: number
  /** How many inserts it has had by now. Absent: their number does not matter. */
  readonly inserts?: number | undefined
}

/** The part of a window that is left for inserts that are under way while the table counts. */
const underWay = 0.1

/** Whether a table may have forgotten the token of a range, so that a replay would insert its rows again. */
export const isForgotten = ({ age, range }: PendingRange, { inserts, remembersFor, window }: Memory): boolean => {
  if (remembersFor !== undefined && Duration.isGreaterThanOrEqualTo(age, remembersFor)) return true
  if (inserts === undefined) return false
  // Of a table that was made anew the count began again, and what was not counted is not known.
  const since = inserts - (range.insertsBefore ?? Infinity)
  return since < 0 || since >= window * (1 - underWay)
}
