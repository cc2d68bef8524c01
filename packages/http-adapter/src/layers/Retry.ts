import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import type { Attempt, AttemptFailure, Call, Send } from "../Attempt.ts"
import type { Observer } from "../Observer.ts"
import { honoursKey, type KeepsKeys } from "./IdempotencyKey.ts"
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

/** Whether a retry may help and cannot take effect twice. `honours`: whether the service honours the idempotency key of the call. */
const mayRetry = (call: Call, failure: AttemptFailure, honours: Effect.Effect<boolean>): Effect.Effect<boolean> => {
  if (failure.isPermanent === true) return no
  if (isRefused(failure)) return yes
  if (call.isRepeatable || call.requestPolicy.retryCreates) return Effect.succeed(isLost(failure))
  // An earlier attempt with this key is still being answered.
  const isInFlight = call.hasIdempotencyKey && failure.error.status === 409 && failure.retryAfter !== undefined
  return isInFlight ? yes : isLost(failure) ? honours : no
}

const yes = Effect.succeed(true)
const no = Effect.succeed(false)

// In milliseconds.
const firstBackoff = 500
const maxBackoff = 8_000
const maxRetryAfter = 60_000

/** Full jitter up to the backoff, but at least as long as the service asks to wait. `draw` is a number from 0 to 1. */
const pause = (retry: number, draw: number, retryAfter: Duration.Duration = Duration.zero): number =>
  Math.max(
    Math.min(firstBackoff * 2 ** (retry - 1), maxBackoff) * draw,
    Math.min(Duration.toMillis(retryAfter), maxRetryAfter)
  )

/**
 * Retries failed attempts, at most `maxRetries` times: reads and deletes after 408, 429, 500, 502, 503, 504, a lost
 * connection or a timeout; creates too if the service honours their idempotency keys, else only after a 429 or a 503 with
 * `Retry-After`. The pause is 0 to 0.5 seconds, doubling
 * to 8, or as long as the service asks for, up to a minute.
 */
export const retry =
  (keepsKeys: KeepsKeys, observer: Observer) =>
  (attempt: Attempt): Send => {
    const retryAfterFailure = Effect.fnUntraced(function* (call: Call, first: AttemptFailure) {
      const honours = honoursKey(attempt, keepsKeys, call)
      let failure = first
      for (let retry = 1; retry <= call.requestPolicy.maxRetries; retry++) {
        const delay = pause(retry, yield* Random.next, failure.retryAfter)
        if (!(yield* mayRetry(call, failure, honours))) break
        // An attempt after the deadline cannot succeed: fail now, with the error of this attempt.
        if ((yield* elapsed) + delay >= call.deadlineAt) break
        yield* observer.retry(call, failure, retry, delay)
        yield* Effect.sleep(delay)
        const result = yield* Effect.result(attempt(call))
        if (Result.isSuccess(result)) return result.success
        failure = result.failure
      }
      return yield* Effect.fail(failure.error)
    })
    return (call) => Effect.catch(attempt(call), (failure) => retryAfterFailure(call, failure))
  }
