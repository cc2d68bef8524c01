import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as Headers from "effect/http/Headers"
import type { Answer } from "./Call.ts"

// A window does not last 31 years, and no time since 2001 is less: from there on the number is a time, and from a
// thousand times that, one in milliseconds.
const leastEpochSeconds = 1e9
const leastEpochMillis = 1e12

const untilReset = (header: string | undefined, now: number): Duration.Duration | undefined => {
  const reset = header === undefined || header.trim() === "" ? Number.NaN : Number(header)
  if (!Number.isFinite(reset) || reset < 0) return undefined
  if (reset < leastEpochSeconds) return Duration.seconds(reset)
  return Duration.millis(Math.max(0, (reset < leastEpochMillis ? reset * 1000 : reset) - now))
}

/**
 * How long the service wants to be left alone: `Retry-After`, in seconds or as a date, or else, on a 429,
 * `X-RateLimit-Reset`, in seconds from now or as a time in epoch seconds. `now` is in epoch milliseconds. What cannot
 * be read counts as absent.
 */
export const retryAfterOf = ({ headers, status }: Answer, now: number): Duration.Duration | undefined => {
  const header = headers["retry-after"]
  const retryAfter = header === undefined ? undefined : Headers.parseRetryAfter(header)
  if (retryAfter !== undefined && Result.isSuccess(retryAfter)) return Headers.retryAfterDelay(retryAfter.success, now)
  return status === 429 ? untilReset(headers["x-ratelimit-reset"], now) : undefined
}
