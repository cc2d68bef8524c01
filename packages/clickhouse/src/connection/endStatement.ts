import * as Effect from "effect/Effect"
import type { EngineFailure } from "./EngineFailure.ts"

/** How often a statement is ended that still runs: it may not have begun when it was ended for the first time. */
const interval = 50

/** After this time a statement that cannot be ended is given up, where a signal can do that. In milliseconds. */
const longest = 20_000

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
    let hasSettled = false
    const running = call(controller.signal).finally(() => {
      hasSettled = true
    })
    const endUntilSettled = Effect.gen(function* () {
      for (let waited = 0; !hasSettled; waited += interval) {
        if (waited >= longest) controller.abort()
        yield* end.pipe(Effect.interruptible, Effect.timeout("5 seconds"), Effect.ignore)
        yield* Effect.sleep(interval)
      }
    })
    return Effect.tryPromise({ try: () => running, catch: failureOf }).pipe(Effect.onInterrupt(() => endUntilSettled))
  })
