import type { LedgerState } from "../port/Ledger.ts"
import type { LoggedPositions } from "../port/Warehouse.ts"
import type { Position } from "../range/Range.ts"

/** A partition for which the ledger and the warehouse's log do not agree. */
export interface Difference {
  readonly partition: string
  readonly ledger: Position | undefined
  readonly warehouse: Position | undefined
}

/**
 * Where ledger and warehouse differ by more than the pending ranges: one of them was restored from a backup. The log is
 * written before a range is marked as done, so it stands at the last range that is done or at a pending one.
 */
export const comparePositions = (ledger: LedgerState, logged: LoggedPositions): ReadonlyArray<Difference> => {
  const generation = ledger.current?.generation ?? 0
  // A generation that has logged nothing yet leaves the log at an earlier one. The log is never ahead.
  const positions = logged.generation < generation ? new Map<string, Position>() : logged.positions
  const partitions = new Set([...ledger.done.keys(), ...positions.keys()])
  return Array.from(partitions).flatMap((partition) => {
    const [done, warehouse] = [ledger.done.get(partition), positions.get(partition)]
    const expected = [done, ...ledger.pending.flatMap(({ range }) => (range.partition === partition ? [range.to] : []))]
    const agrees = logged.generation <= generation && expected.includes(warehouse)
    return agrees ? [] : [{ partition, ledger: done, warehouse }]
  })
}

/** The message of a pipe whose ledger and warehouse differ. */
export const describeDifferences = (differences: ReadonlyArray<Difference>): string => {
  const [first, ...more] = differences.map(
    ({ ledger, partition, warehouse }) =>
      `partition ${partition} is at ${ledger ?? "its start"} in the ledger and at ${warehouse ?? "its start"} in the warehouse`
  )
  const rest = more.length === 0 ? "" : `, and ${more.length} more partitions differ`
  return `the ledger and the warehouse differ: ${first}${rest}. One of them was restored from a backup`
}
