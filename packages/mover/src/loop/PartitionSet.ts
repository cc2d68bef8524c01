import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Semaphore from "effect/Semaphore"
import type { Generation } from "../port/Ledger.ts"
import { type MoveError, WarehouseError } from "../range/MoveError.ts"
import type { Position, Range } from "../range/Range.ts"
import type { MoveAttempt } from "./Delivery.ts"
import { trackObjects } from "./trackObjects.ts"

/** The partitions of a source that an attempt moves, each at its own speed. */
export interface PartitionSet {
  readonly attempt: MoveAttempt
  readonly current: Generation
  /** Where partitions go on. The ledger has all that were there when the generation began. */
  readonly positions: ReadonlyMap<string, Position>
  /** One for each range that may be under way. */
  readonly permits: Semaphore.Semaphore
  /** The partitions and the ranges that are being moved. */
  readonly moving: FiberSet.FiberSet<void, MoveError>
  readonly objects: ReturnType<typeof trackObjects>
  readonly known: Set<string>
  /** Those that have shown that they work, and those that have ended. */
  readonly working: Set<string>
  readonly ended: Set<string>
  /**
   * Where the log may be, of the partitions of which it knows a range of this generation: at the last range that is done, or at one
   * that is recorded.
   */
  readonly logs: Map<string, ReadonlyArray<Position>>
}

export const makePartitionSet = Effect.fnUntraced(function* (
  attempt: MoveAttempt,
  current: Generation,
  positions: ReadonlyMap<string, Position>
) {
  const { context, owner, state } = attempt
  const isLogged = state.current?.generation === current.generation
  const set: PartitionSet = {
    attempt,
    current,
    positions,
    permits: yield* Semaphore.make(context.options.inFlight),
    moving: yield* FiberSet.make<void, MoveError>(),
    objects: trackObjects(context.ledger, owner),
    known: new Set(),
    working: new Set(),
    ended: new Set(),
    logs: new Map(isLogged ? Array.from(state.recorded, ([partition, to]) => [partition, [to]] as const) : [])
  }
  return set
})

/** A range is recorded: the log may be at its end from now on. */
export const expectLog = ({ logs }: PartitionSet, { partition, to }: Range): void => {
  const known = logs.get(partition)
  if (known !== undefined) logs.set(partition, [...known, to])
}

/** A range is done: the log is at its end, or at that of a later one. */
export const passLog = ({ logs }: PartitionSet, { partition, to }: Range): void => {
  const later = logs.get(partition) ?? []
  logs.set(partition, [to, ...later.slice(later.indexOf(to) + 1)])
}

/**
 * What the warehouse holds before a range is inserted. Notices one that was restored from a backup while the mover runs, before more
 * rows are in it, also by the positions of partitions that have no new rows.
 */
export const checkLogged = Effect.fnUntraced(function* (
  { attempt, logs }: PartitionSet,
  { from, generation, partition }: Range
) {
  const { options, warehouse } = attempt.context
  const before = new Map(logs)
  const logged = yield* warehouse.logged(options.pipeId)
  for (const [known, positions] of before) {
    const found = logged.generation === generation ? logged.positions.get(known) : undefined
    const expected = known === partition ? [from] : [...positions, ...(logs.get(known) ?? [])]
    if (found !== undefined && expected.includes(found)) continue
    return yield* new WarehouseError({
      message: `partition ${known}: the warehouse is not where the pipe left it, at ${expected.join(" or ")}`
    })
  }
  return logged
})

/** One partition that works says nothing of another one that fails each time. */
export const recoverWhenAllWork = ({ attempt, known, working }: PartitionSet) =>
  Effect.suspend(() =>
    working.size === known.size ? attempt.recover(attempt.owner, attempt.destination.guarantee) : Effect.void
  )
