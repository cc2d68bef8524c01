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
