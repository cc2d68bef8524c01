import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { longestPause } from "../rule/attempts.ts"

const longest = Duration.toNanosUnsafe(longestPause)

/**
 * Counts the time in which this process runs, by the monotonic clock: each time that it is stopped (SIGSTOP, a suspended
 * machine) counts as {@link longestPause} at most. Returns an effect that reads the count.
 */
export const countRunningTime = Effect.gen(function* () {
  let last = yield* Clock.monotonicTimeNanos
  let counted = 0n
  const read = Effect.map(Clock.monotonicTimeNanos, (now) => {
    counted += now - last < longest ? now - last : longest
    last = now
    return Duration.nanos(counted)
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep("1 second"), read)))
  return read
})
