import { type InvalidRequest, RateLimited } from "@headgate/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Semaphore from "effect/Semaphore"
import { type Attempt, type AttemptFailure, type Call, reportOf } from "./Call.ts"
import { elapsed } from "./Elapsed.ts"
import { countOption, durationOption, groupOption } from "./validateOption.ts"

/** How many requests are sent at most. */
export interface RateLimitOptions {
  /** How many in any `window`. */
  readonly limit: number
  readonly window: Duration.Input
}

const tooMany = (call: Call, wait: number): AttemptFailure => {
  const retryAfter = Duration.millis(wait)
  const message = `not sent: the rate limit of this client leaves no room before the deadline; try again in ${Duration.format(retryAfter)}`
  return { error: new RateLimited({ message, retryAfter, ...reportOf(call) }) }
}

/**
 * Lets at most `limit` requests start in any `window`, retries included; the others wait for their turn, in order. One
 * that could not start before its call's deadline fails at once as `RateLimited`. The window slides: the fixed windows
 * and buckets of `effect/persistence/RateLimiter` let up to twice the limit through around their edges, which a service
 * that counts would answer with 429.
 */
export const rateLimit = Effect.fnUntraced(function* (
  options: RateLimitOptions | undefined
): Effect.fn.Return<(attempt: Attempt) => Attempt, InvalidRequest> {
  if (options === undefined) return identity
  const given = yield* groupOption("rateLimit", options, "{ limit, window }")
  const limit = yield* countOption("rateLimit.limit", given.limit)
  const window = Duration.toMillis(yield* durationOption("rateLimit.window", given.window))
  // When the last `limit` requests started; the oldest is at `next`.
  const startedAt: Array<number> = []
  const turn = Semaphore.makeUnsafe(1)
  let next = 0
  let waiting = 0

  // The earliest start of whoever has `ahead` others before them.
  const earliest = (ahead: number): number =>
    (startedAt[(next + ahead) % limit] ?? Number.NEGATIVE_INFINITY) + window * (1 + Math.floor(ahead / limit))

  const start = Effect.gen(function* () {
    const wait = earliest(0) - (yield* elapsed)
    if (wait > 0) yield* Effect.sleep(wait)
    startedAt[next] = yield* elapsed
    next = (next + 1) % limit
  })

  const inTurn = Effect.acquireUseRelease(
    Effect.sync(() => {
      waiting += 1
    }),
    () => turn.withPermit(start),
    () =>
      Effect.sync(() => {
        waiting -= 1
      })
  )

  return (attempt) =>
    Effect.fnUntraced(function* (call) {
      const now = yield* elapsed
      const startsAt = earliest(waiting)
      if (startsAt > now && startsAt >= call.deadlineAt) return yield* Effect.fail(tooMany(call, startsAt - now))
      yield* inTurn
      return yield* attempt(call)
    })
})
