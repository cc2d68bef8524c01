import type { PipeId } from "@headgate/core"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Cleanups, type PendingCleanup } from "../port/Cleanups.ts"
import type { SourceError } from "../range/MoveError.ts"

/** How often it is looked for cleanups, and the first pause of one that failed. Each failure doubles it. */
const lookEvery = Duration.minutes(1)
const longestPause = Duration.hours(1)

const pauseAfter = (attempts: number): bigint =>
  Duration.toNanosUnsafe(Duration.min(longestPause, Duration.times(lookEvery, 2 ** Math.min(attempts, 16))))

/**
 * Releases the sources that deleted pipes have left, until it is interrupted. One that fails is tried again after 2 minutes, 4, 8, up
 * to an hour, and once when a process starts. `release` may be called by several processes, and again for what is done.
 *
 * @example
 * ```ts
 * import { retryCleanups, SourceError } from "@headgate/mover"
 * import * as Effect from "effect/Effect"
 *
 * export const program = retryCleanups(({ kind, remains }) =>
 *   kind === "postgres" ? Effect.log(`dropping ${remains}`) : new SourceError({ message: `no adapter for ${kind}` })
 * )
 * ```
 */
export const retryCleanups = Effect.fnUntraced(function* <R>(
  release: (cleanup: PendingCleanup) => Effect.Effect<void, SourceError, R>
) {
  const cleanups = yield* Cleanups
  const dueAt = new Map<PipeId, bigint>()

  const attempt = Effect.fnUntraced(function* (cleanup: PendingCleanup) {
    const { pipeId } = cleanup
    yield* release(cleanup).pipe(
      Effect.andThen(cleanups.remove(pipeId)),
      Effect.catchTag(
        "SourceError",
        Effect.fnUntraced(function* ({ message }) {
          dueAt.set(pipeId, (yield* Clock.monotonicTimeNanos) + pauseAfter(cleanup.attempts + 1))
          yield* cleanups.markFailed(pipeId, message)
        })
      )
    )
  })

  const look = Effect.gen(function* () {
    const now = yield* Clock.monotonicTimeNanos
    for (const cleanup of yield* cleanups.list) {
      if ((dueAt.get(cleanup.pipeId) ?? 0n) <= now) yield* attempt(cleanup)
    }
  })

  // A store that does not answer is asked again.
  return yield* Effect.forever(Effect.andThen(Effect.ignore(look), Effect.sleep(lookEvery)))
})
