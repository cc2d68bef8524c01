import * as Effect from "effect/Effect"
import type { Generation, Ledger, LedgerState, Owner } from "../port/Ledger.ts"
import type { LoggedPositions } from "../port/Warehouse.ts"
import { CannotContinue, type SourceError } from "../range/MoveError.ts"
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

/** The generation that a mover goes on with, or the first one. Fails if the ledger, the log and the source do not agree. */
export const continueGeneration = Effect.fnUntraced(function* (
  ledger: Ledger["Service"],
  owner: Owner,
  identity: string,
  state: LedgerState,
  logged: LoggedPositions,
  /** Where the partitions of a source begin. It is kept, so that what arrives before the first range belongs to the pipe. */
  begins: Effect.Effect<ReadonlyMap<string, Position>, SourceError>,
  /** What a person can do if they do not agree. */
  remedies: { readonly otherSource: string; readonly restored: string }
) {
  const differences = comparePositions(state, logged)
  if (differences.length > 0)
    return yield* new CannotContinue({ message: `${describeDifferences(differences)}. ${remedies.restored}` })
  if (state.current === undefined) {
    const first: Generation = { generation: 1, source: identity, starts: yield* begins }
    yield* ledger.begin(owner, first)
    return first
  }
  if (state.current.source !== identity) {
    return yield* new CannotContinue({
      message: `the source is another one: it was ${state.current.source} and is ${identity}. ${remedies.otherSource}`
    })
  }
  return state.current
})
