import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** The time of the monotonic clock, in milliseconds. */
export const monotonicMillis = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos) / 1e6)
