import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import type { Attempt, AttemptFailure, Call, Send } from "../Attempt.ts"
import { honoursKey, type KeepsKeys } from "./IdempotencyKey.ts"
import { countRetry } from "./Metrics.ts"
import { elapsed } from "./Timeouts.ts"

const transient: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

/** Whether the answer was lost, or may be another one at the next attempt. */
const isLost = ({ error }: AttemptFailure): boolean =>
  error._tag === "ConnectionError" ||
  error._tag === "TimeoutError" ||
  (error.status !== undefined && transient.has(error.status))

/** These answers say that nothing was done. After any other failure, a creation may have taken effect. */
const isRefused = ({ error, retryAfter }: AttemptFailure): boolean =>
  error.status === 429 || (error.status === 503 && retryAfter !== undefined)

/** Whether a retry may help and cannot take effect twice. */
const mayRetry = (call: Call, failure: AttemptFailure, honours: Effect.Effect<boolean>) => {
  if (failure.isPermanent === true) return false
  if (isRefused(failure)) return true
  if (call.isRepeatable || call.requestPolicy.retryCreates) return isLost(failure)
  // An earlier attempt with this key is still being answered.
  const isInFlight = call.hasIdempotencyKey && failure.error.status === 409 && failure.retryAfter !== undefined
  return isInFlight || (isLost(failure) && honours)
}

const backoff = Schedule.exponential("500 millis")
const maxBackoff = Duration.seconds(8)
const maxRetryAfter = Duration.seconds(60)

/** Full jitter up to the backoff, but at least as long as the service asks to wait. */
const pause = (backoff: Duration.Duration, draw: number, retryAfter: Duration.Duration = Duration.zero) =>
  Duration.max(Duration.times(Duration.min(backoff, maxBackoff), draw), Duration.min(retryAfter, maxRetryAfter))

/** `honours`: whether the service honours the call's idempotency key. */
const retrySchedule = (call: Call, honours: Effect.Effect<boolean>) =>
  backoff.pipe(
    Schedule.setInputType<AttemptFailure>(),
    Schedule.modifyDelay(({ duration, input }) =>
      Effect.map(Random.next, (draw) => pause(duration, draw, input.retryAfter))
    ),
    Schedule.while(({ attempt, duration, input }) => {
      if (attempt > call.requestPolicy.maxRetries) return false
      const may = mayRetry(call, input, honours)
      // An attempt after the deadline cannot succeed: fail now, with the error of this attempt.
      const isInTime = Effect.map(elapsed, (now) => now + Duration.toMillis(duration) < call.deadlineAt)
      return Predicate.isBoolean(may)
        ? may && isInTime
        : Effect.flatMap(may, (may) => (may ? isInTime : Effect.succeed(false)))
    }),
    Schedule.tap(({ attempt, duration, input }) =>
      Effect.andThen(
        countRetry(call, input.error),
        Effect.logDebug(`retry ${attempt} in ${Duration.format(duration)}: ${input.error.message}`)
      )
    )
  )

/**
 * Retries failed attempts, at most `maxRetries` times: reads and deletes after 408, 429, 500, 502, 503, 504, a lost
 * connection or a timeout; creates too if the service honours their idempotency keys, else only after a 429 or a 503 with
 * `Retry-After`. The pause is 0 to 0.5 seconds, doubling
 * to 8, or as long as the service asks for, up to a minute.
 */
export const retry =
  (keepsKeys: KeepsKeys) =>
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
        return Effect.retry(attempts, retrySchedule(call, honoursKey(attempt, keepsKeys, call)))
      }),
      Effect.mapError(({ error }) => error)
    )
