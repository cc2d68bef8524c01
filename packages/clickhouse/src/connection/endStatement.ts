import * as Effect from "effect/Effect"
import type { EngineFailure } from "./EngineFailure.ts"

/** How often a statement is ended that still runs: it may not have begun when it was ended for the first time. */
const interval = 50

/** After this time a statement that cannot be ended is given up, where a signal can do that. In milliseconds. */
const longest = 5000

/**
 * Runs a statement, and ends it when the effect is interrupted: `end` is repeated until the statement has settled. Nothing that belongs to
 * the statement is used by another before.
 */
export const endable = <A>(
  call: (signal: AbortSignal) => Promise<A>,
  failureOf: (error: unknown) => EngineFailure,
  end: Effect.Effect<unknown, EngineFailure>
): Effect.Effect<A, EngineFailure> =>
  Effect.suspend(() => {
    const controller = new AbortController()
    const state = { hasSettled: false }
    const running = call(controller.signal).finally(() => {
      state.hasSettled = true
    })
    // Its failure is that of the effect, or of nobody who waits.
    running.catch(() => {})
    const endOnce = end.pipe(Effect.interruptible, Effect.timeout("2 seconds"), Effect.ignore)
    const endUntilSettled = (waited: number): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (state.hasSettled) return Effect.void
        if (waited >= longest) controller.abort()
        return endOnce.pipe(Effect.andThen(Effect.sleep(interval)), Effect.andThen(endUntilSettled(waited + interval)))
      })
    return Effect.tryPromise({ try: () => running, catch: failureOf }).pipe(
      Effect.onInterrupt(() => endUntilSettled(0))
    )
  })
