import type { PipeId } from "@headgate/core"
import type { DeletedPipe } from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { MoverContext } from "../pipe/MoverContext.ts"
import { loadTables } from "../source/Connectors.ts"
import { storedSource } from "../source/sourceConfig.ts"
import type { WarehouseEngine } from "../warehouse/WarehouseEngine.ts"

/** How often the store is asked for deleted pipes. */
const interval = Duration.seconds(2)

/** By then the mover of a deleted pipe has ended, which could otherwise make anew what is removed. */
const afterMover = Duration.seconds(3)

/** The pause after an attempt that failed: twice as long after each. */
const firstPause = Duration.seconds(5)
const longestPause = Duration.hours(1)

/** The first attempt is short: pipes that were never tried wait for it. */
const longestFirst = Duration.seconds(10)
const longestAttempt = Duration.minutes(1)

/** How long a deleted pipe is claimed for an attempt, which takes less. */
const longestClaim = Duration.seconds(90)

/**
 * How many that were never tried are tried at the same time, and beside them how many that were tried in vain. So a source that does
 * not answer holds up other deleted pipes once, in its first attempt.
 */
const atOnce = 4

/** As much of a message as is stored. */
const longestMessage = 4096

const pauseAfter = (attempts: number): Duration.Duration =>
  Duration.min(longestPause, Duration.times(firstPause, 2 ** Math.min(attempts, 16)))

type CleanUpContext = Pick<MoverContext, "moved" | "engines" | "connectors" | "allowed">

const releaseSource = Effect.fnUntraced(function* ({ record }: DeletedPipe, { allowed, connectors }: CleanUpContext) {
  const connector = yield* loadTables(connectors, record.pipe.source)
  if (connector === undefined) return
  const { release } = yield* connector.configure(storedSource(record, allowed))
  yield* release
})

const dropTables = ({ address, record }: DeletedPipe, engine: WarehouseEngine) => {
  const database = record.pipe.destination?.database
  return engine.dropStagings(address.pipeId, typeof database === "string" ? database : undefined)
}

/**
 * Cleans up after the deleted pipes of the warehouses of this server, each until nothing of it is left: in vain after 10 seconds, 20, up
 * to an hour. Those that were never tried come first, and the others in the order in which they are due. Several servers may do it at
 * the same time: each claims a pipe for its attempt, since a pipe of the same id may move again as soon as nothing of this one is left.
 * Returns the metric of those that are left.
 */
export const cleanUpDeleted = Effect.fnUntraced(function* (context: CleanUpContext) {
  const { engines, moved } = context
  const [first, again] = [yield* Semaphore.make(atOnce), yield* Semaphore.make(atOnce)]
  /** When a deleted pipe is tried next; `undefined` while it is tried. */
  const dueAt = new Map<PipeId, bigint | undefined>()
  let left = 0

  const later = (pause: Duration.Duration) =>
    Effect.map(Clock.monotonicTimeNanos, (now) => now + Duration.toNanosUnsafe(pause))

  /** Removes what a deleted pipe has made, in its source and in its warehouse at the same time. Fails with the reasons. */
  const cleanUp = Effect.fnUntraced(function* (deleted: DeletedPipe, engine: WarehouseEngine) {
    const { pipeId } = deleted.address
    const duration = deleted.attempts === 0 ? longestFirst : longestAttempt
    const steps: ReadonlyArray<Effect.Effect<void, { readonly message: string }>> = [
      releaseSource(deleted, context),
      dropTables(deleted, engine)
    ]
    const [, failures] = yield* Effect.partition(
      steps,
      Effect.timeoutOrElse({
        duration,
        orElse: () => Effect.fail({ message: `no end within ${Duration.format(duration)}` })
      }),
      { concurrency: "unbounded" }
    )
    if (failures.length > 0) return yield* Effect.fail({ message: failures.map(({ message }) => message).join("; ") })
    yield* moved.forget(pipeId)
    yield* Effect.logInfo(`pipe ${pipeId} is deleted, and nothing of it is left`)
  })

  const cleanUpClaimed = (deleted: DeletedPipe, engine: WarehouseEngine) => {
    const { pipeId } = deleted.address
    const markFailed = (message: string) =>
      // Databases keep no NUL in a text.
      Effect.ignore(moved.markCleanupFailed(pipeId, message.replaceAll("\0", "").slice(0, longestMessage)))
    return cleanUp(deleted, engine).pipe(
      Effect.catchDefect((defect) =>
        Effect.andThen(
          Effect.logError(`the cleanup of the deleted pipe ${pipeId} ended with a defect`, defect),
          Effect.fail({ message: "the cleanup failed: the log of the server says why" })
        )
      ),
      Effect.catch(({ message }) =>
        Effect.andThen(
          Effect.logWarning(`pipe ${pipeId} is deleted, and is cleaned up later: ${message}`),
          markFailed(message)
        )
      ),
      Effect.onInterrupt(() => markFailed("the server ended meanwhile"))
    )
  }

  const attempt = Effect.fnUntraced(function* (pipeId: PipeId, attempts: number, engine: WarehouseEngine) {
    yield* moved.claimDeleted(pipeId, longestClaim).pipe(
      Effect.flatMap((deleted) => (deleted === undefined ? Effect.void : cleanUpClaimed(deleted, engine))),
      // The store has logged why it does not answer.
      Effect.ignore,
      Effect.catchDefect((defect) => Effect.logError(`the deleted pipe ${pipeId} could not be read`, defect))
    )
    dueAt.set(pipeId, yield* later(pauseAfter(attempts + 1)))
  })

  const look = Effect.gen(function* () {
    const found = yield* moved.deleted(Array.from(engines.keys()))
    const now = yield* Clock.monotonicTimeNanos
    const ids = new Set(found.map(({ pipeId }) => pipeId))
    left = ids.size
    for (const [id, due] of dueAt) if (due !== undefined && !ids.has(id)) dueAt.delete(id)
    for (const { attempts, pipeId, warehouse } of found.toSorted((one, other) => one.attempts - other.attempts)) {
      const engine = engines.get(warehouse)
      if (engine === undefined) continue
      if (!dueAt.has(pipeId)) dueAt.set(pipeId, yield* later(afterMover))
      const due = dueAt.get(pipeId)
      if (due === undefined || due > now) continue
      dueAt.set(pipeId, undefined)
      const permits = attempts === 0 ? first : again
      yield* Effect.forkScoped(permits.withPermit(attempt(pipeId, attempts, engine)))
    }
  })

  // A store that does not answer is asked again, and has logged why.
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.andThen(
        Effect.catchDefect(Effect.ignore(look), (defect) =>
          Effect.logError("the deleted pipes could not be read", defect)
        ),
        Effect.sleep(interval)
      )
    )
  )
  const name = "headgate_deleted_pipes"
  return Effect.sync(
    () =>
      `# HELP ${name} Deleted pipes of the warehouses of this server of which something is left\n# TYPE ${name} gauge\n${name} ${left}\n`
  )
})
