import type { PipeId } from "@headgate/core"
import * as Effect from "effect/Effect"
import { Ledger, type LedgerState, type Owner } from "../port/Ledger.ts"
import { Source } from "../port/Source.ts"
import { type LoggedPositions, Warehouse } from "../port/Warehouse.ts"
import { CannotContinue, type SourceError } from "../range/MoveError.ts"
import type { Position } from "../range/Range.ts"
import { type RestartFrom, resumeBy } from "../range/Decision.ts"

/** Where the partitions that a source has now begin. A new generation records it: what is not in it was added later. */
export const startsOf = ({
  partitions
}: Source["Service"]): Effect.Effect<ReadonlyMap<string, Position>, SourceError> =>
  Effect.map(partitions, (all) => new Map(all.map(({ partition, start }) => [partition, start] as const)))

/**
 * Adds the objects that the warehouse has logged to the record of the ledger. Returns since when they are recorded; `undefined` if the
 * warehouse knows nothing of the record of the ledger, because nothing was read since it began.
 */
const restoreObjects = Effect.fnUntraced(function* (owner: Owner, generation: number, recordedSince: number) {
  const [warehouse, ledger] = [yield* Warehouse, yield* Ledger]
  let after = ""
  while (true) {
    const { objects, since } = yield* warehouse.loggedObjects(owner.pipeId, after)
    if (since < recordedSince) return undefined
    const last = objects.at(-1)
    if (last === undefined) return since
    yield* ledger.restoreObjects(owner, generation, objects)
    after = last.key
  }
})

/** Where the partitions of a new generation begin. */
const startsFrom = (
  from: RestartFrom,
  begins: ReadonlyMap<string, Position>,
  { current, done }: LedgerState,
  logged: LoggedPositions
): ReadonlyMap<string, Position> => {
  if (from === "start") return begins
  // A pipe that has not begun begins where the source says.
  const { generation, starts: began } = current ?? { generation: 0, starts: begins }
  // A partition of which nothing is done goes on where its generation began.
  if (from === "ledger") return new Map([...began, ...done])
  // The log of a generation of which nothing is done is an earlier one's.
  if (generation > logged.generation && done.size === 0) return began
  return new Map([...(generation === logged.generation ? began : []), ...logged.positions])
}

/** Begins a new generation for the owner of a pipe. The warehouse is open. */
export const restartOwned = Effect.fnUntraced(function* (owner: Owner, from: RestartFrom) {
  const [source, warehouse, ledger] = [yield* Source, yield* Warehouse, yield* Ledger]
  const { pipeId } = owner
  const identity = yield* source.identity
  const begins = yield* startsOf(source)
  const state = yield* ledger.state(pipeId)
  const { current } = state
  const logged = yield* warehouse.logged(pipeId)
  if (from !== "start" && current !== undefined && current.source !== identity) {
    // Positions of one source say nothing of another one.
    return yield* new CannotContinue({
      message: `the source is another one, so that the pipe cannot go on from the ${from}. To read it from where a new pipe would begin: ${resumeBy({ from: "start" })}`
    })
  }
  // Whichever of the two is older does not know the generations since.
  const generation = Math.max(current?.generation ?? 0, logged.generation) + 1
  const next = { generation, source: identity, starts: startsFrom(from, begins, state, logged) }
  if (source.objects === undefined || from === "start") {
    return yield* ledger.begin(owner, next, { anew: from === "start" })
  }
  const since = current === undefined ? 0 : (current.objectsSince ?? current.generation)
  const restored = from === "warehouse" ? yield* restoreObjects(owner, generation, since) : undefined
  const objectsSince = restored ?? since
  yield* ledger.begin(
    owner,
    objectsSince === 0 ? next : { ...next, objectsSince },
    restored === undefined ? {} : { objects: "restored" }
  )
})

/**
 * Begins a new generation of a pipe, so that no token of an earlier one keeps rows out. A mover that runs loses the pipe.
 * If it fails, nothing or the whole restart has happened; repeating it is harmless.
 *
 * @example
 * ```ts
 * import type { PipeId } from "@headgate/core"
 * import { restartPipe } from "@headgate/mover"
 *
 * // A resync: the source is read from its beginning.
 * export const resync = (pipeId: PipeId) => restartPipe(pipeId, "start")
 * ```
 */
export const restartPipe = Effect.fn("restartPipe")(function* (pipeId: PipeId, from: RestartFrom) {
  const ledger = yield* Ledger
  yield* restartOwned(yield* ledger.take(pipeId), from)
})
