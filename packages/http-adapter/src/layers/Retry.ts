import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import type { Attempt, AttemptFailure, Call, Send } from "../Attempt.ts"
import { countRetry } from "./Metrics.ts"
import { elapsed } from "./Timeouts.ts"

const transient: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

/** Whether a retry may help and cannot take effect twice. */
const mayRetry = (call: Call, { error, isPermanent = false, retryAfter }: AttemptFailure): boolean =>
  !isPermanent &&
  (call.isRepeatable || call.requestPolicy.retryCreates
    ? error._tag === "ConnectionError" ||
      error._tag === "TimeoutError" ||
      (error.status !== undefined && transient.has(error.status))
    : // These answers say that nothing was done. After any other failure, the create may have taken effect.
      error.status === 429 || (error.status === 503 && retryAfter !== undefined))

const backoff = Schedule.exponential("500 millis")
const maxBackoff = Duration.seconds(8)
const maxRetryAfter = Duration.seconds(60)

/** Full jitter up to the backoff, but at least as long as the service asks to wait. */
const pause = (backoff: Duration.Duration, draw: number, retryAfter: Duration.Duration = Duration.zero) =>
  Duration.max(Duration.times(Duration.min(backoff, maxBackoff), draw), Duration.min(retryAfter, maxRetryAfter))

const retrySchedule = (call: Call) =>
  backoff.pipe(
    Schedule.setInputType<AttemptFailure>(),
    Schedule.modifyDelay(({ duration, input }) =>
      Effect.map(Random.next, (draw) => pause(duration, draw, input.retryAfter))
    ),
    Schedule.while(
      ({ attempt, duration, input }) =>
        attempt <= call.requestPolicy.maxRetries &&
        mayRetry(call, input) &&
        // An attempt after the deadline cannot succeed: fail now, with the error of this attempt.
        Effect.map(elapsed, (now) => now + Duration.toMillis(duration) < call.deadlineAt)
    ),
    Schedule.tap(({ attempt, duration, input }) =>
      Effect.andThen(
        countRetry(call, input.error),
        Effect.logDebug(`retry ${attempt} in ${Duration.format(duration)}: ${input.error.message}`)
      )
    )
  )

/**
 * Retries failed attempts, at most `maxRetries` times: reads and deletes after 408, 429, 500, 502, 503, 504, a lost
 * connection or a timeout; creates only after a 429 or a 503 with `Retry-After`. The pause is 0 to 0.5 seconds, doubling
 * to 8, or as long as the service asks for, up to a minute.
 */
export const retry =
  (attempt: Attempt): Send =>
  (call) =>
    attempt(call).pipe(
      // Most calls succeed, so the schedule is built only after a failure, which is its first input.
      Effect.catch((failure) => {
        const failures = [failure]
        const attempts = Effect.suspend(() => {
          const first = failures.pop()
          return first === undefined ? attempt(call) : Effect.fail(first)
        })
        return Effect.retry(attempts, retrySchedule(call))
      }),
      Effect.mapError(({ error }) => error)
    )
