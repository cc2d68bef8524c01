import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * Milliseconds since some moment, by the clock that nobody sets: when the time of day is corrected by an hour, nobody
 * here waits for an hour. Of use only beside another of the same process.
 */
export const elapsedUnsafe = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1_000_000

/** {@link elapsedUnsafe} of the clock in force. */
export const elapsed: Effect.Effect<number> = Effect.clockWith((clock) => Effect.sync(() => elapsedUnsafe(clock)))
