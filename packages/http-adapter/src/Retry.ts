import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import type { Attempt, AttemptFailure, Call, Exchange } from "./Call.ts"
import { elapsed } from "./Elapsed.ts"
import { countRetry } from "./Metrics.ts"

const transient: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

/** Whether a failed attempt may be repeated without doing twice what was asked for once. */
const isRepeatable = (call: Call, { error, permanent = false, retryAfter }: AttemptFailure): boolean =>
  !permanent &&
  (call.idempotent || call.manners.retryCreates
    ? error._tag === "ConnectionError" ||
      error._tag === "TimeoutError" ||
      (error.status !== undefined && transient.has(error.status))
    : // These say that nothing was done. Anything else might have been done before it went wrong.
      error.status === 429 || (error.status === 503 && retryAfter !== undefined))

const backoff = Schedule.exponential("500 millis")
const maxBackoff = Duration.seconds(8)
const maxRetryAfter = Duration.seconds(60)

/** Full jitter up to the backoff, and not before the service wants to hear from us again. */
const pause = (backoff: Duration.Duration, draw: number, retryAfter: Duration.Duration = Duration.zero) =>
  Duration.max(Duration.times(Duration.min(backoff, maxBackoff), draw), Duration.min(retryAfter, maxRetryAfter))

const policy = (call: Call) =>
  backoff.pipe(
    Schedule.setInputType<AttemptFailure>(),
    Schedule.modifyDelay(({ duration, input }) =>
      Effect.map(Random.next, (draw) => pause(duration, draw, input.retryAfter))
    ),
    Schedule.while(
      ({ attempt, duration, input }) =>
        attempt <= call.manners.maxRetries &&
        isRepeatable(call, input) &&
        // Past the deadline nobody waits for the next attempt: better say now what is wrong.
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
 * Repeats failed attempts: reads and deletes after 408, 429, 500, 502, 503, 504, a lost connection or a timeout;
 * creates after a 429 or a 503 with `Retry-After` only. At most `maxRetries` times, with a pause of 0 to 0.5 seconds,
 * doubling to 8, or as long as the service asks for, up to a minute.
 */
export const retry =
  (attempt: Attempt): Exchange =>
  (call) =>
    attempt(call).pipe(
      // Most calls do not fail: those are not made to carry a policy. It begins with the failure that is already here.
      Effect.catch((failure) => {
        const failures = [failure]
        const attempts = Effect.suspend(() => {
          const first = failures.pop()
          return first === undefined ? attempt(call) : Effect.fail(first)
        })
        return Effect.retry(attempts, policy(call))
      }),
      Effect.mapError(({ error }) => error)
    )
