import type { PipeAssignment } from "@headgate/core/adapter"
import { leaseTime } from "@headgate/mover"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { MoverContext } from "../pipe/MoverContext.ts"
import { makeAssignedPipes } from "./AssignedPipes.ts"
import { monotonicMillis } from "./monotonicMillis.ts"

/** How often the pipes with a mover are counted. */
const interval = Duration.seconds(5)

const name = "headgate_pipes_without_mover"

/** What a process knows of the pipes without a mover. */
export interface PipesWithoutMover {
  /** To be called with the pipes that are not at rest, whenever they are known anew. */
  readonly listed: (pipes: ReadonlyArray<PipeAssignment>) => void
  /** How many there are, in the Prometheus text format; empty while it is not known. */
  readonly text: Effect.Effect<string>
}

/**
 * Counts the pipes of a store that are to move and have no mover in any process, every five seconds: those that are listed, without as
 * many as all sessions say that they have. So it costs small statements. It is logged once if there are some for longer than the time
 * of a lease, and once when there are none any more. `isListed`: `listed` is called by somebody else;
 * otherwise the store is asked what has changed.
 */
export const watchPipesWithoutMover = Effect.fnUntraced(function* (
  { engines, moved, store }: Omit<MoverContext, "listed">,
  isListed: boolean
) {
  const assigned = makeAssignedPipes(moved)
  let known: ReadonlyArray<PipeAssignment> | undefined
  let count: number | undefined
  let since: number | undefined
  let isLogged = false

  const look = Effect.gen(function* () {
    if (!isListed) known = yield* assigned.poll
    if (known === undefined) return
    // One process alone moves all pipes of its warehouses.
    const served = known.filter(({ warehouse }) => engines.has(warehouse)).length
    const held = store.leases === undefined ? served : yield* store.leases.held
    count = Math.max(0, known.length - held)
    const now = yield* monotonicMillis
    if (count === 0) {
      if (isLogged) yield* Effect.logInfo("every pipe that is to move has a mover again")
      since = undefined
      isLogged = false
      return
    }
    since ??= now
    if (isLogged || now - since <= Duration.toMillis(leaseTime)) return
    isLogged = true
    const seconds = Math.round((now - since) / 1000)
    yield* Effect.logWarning(`${count} pipes that are to move have had no mover for ${seconds} seconds`)
  }).pipe(
    // The store has logged why it does not answer. What was counted before is not known any more.
    Effect.catch(() => Effect.sync(() => (count = undefined))),
    Effect.catchDefect((defect) => {
      count = undefined
      return Effect.logError("the pipes without a mover could not be counted", defect)
    })
  )
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(interval), look)))

  const watched: PipesWithoutMover = {
    listed: (pipes) => {
      known = pipes
    },
    text: Effect.sync(() =>
      count === undefined
        ? ""
        : [
            `# HELP ${name} Pipes that are to move and have no mover in any server of the store`,
            `# TYPE ${name} gauge`,
            `${name} ${count}`,
            ""
          ].join("\n")
    )
  }
  return watched
})
