import { TimeoutError } from "@headgate/core"
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { ambiguityNote, type Attempt, errorContext, type Send } from "../Attempt.ts"

/**
 * Milliseconds of the monotonic clock, which a correction of the time of day does not move. Only the difference of two
 * values of the same process means anything.
 */
export const elapsedUnsafe = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1_000_000

/** {@link elapsedUnsafe} of the current clock. */
export const elapsed: Effect.Effect<number> = Effect.clockWith((clock) => Effect.sync(() => elapsedUnsafe(clock)))

/** Aborts an attempt whose answer is not read to its end within `attemptTimeout`. */
export const attemptTimeout =
  (attempt: Attempt): Attempt =>
  (call) => {
    const { attemptTimeout } = call.requestPolicy
    if (!Duration.isFinite(attemptTimeout)) return attempt(call)
    return Effect.timeoutOrElse(attempt(call), {
      duration: attemptTimeout,
      orElse: () => {
        const message = `no answer within ${Duration.format(attemptTimeout)}${ambiguityNote(call)}`
        return Effect.fail({ error: new TimeoutError({ message, ...errorContext(call) }) })
      }
    })
  }

/** Aborts a call that is not over within `deadline`: attempts, pauses and waiting for the limits together. */
export const deadline =
  (send: Send): Send =>
  (call) => {
    const { deadline } = call.requestPolicy
    if (!Duration.isFinite(deadline)) return send(call)
    return Effect.timeoutOrElse(send(call), {
      duration: deadline,
      orElse: () => {
        const context = errorContext(call)
        const limit = Duration.format(deadline)
        const message =
          context.attempts === 0
            ? `not sent within the deadline of ${limit}`
            : `no answer within the deadline of ${limit}${ambiguityNote(call)}`
        return Effect.fail(new TimeoutError({ message, ...context }))
      }
    })
  }
