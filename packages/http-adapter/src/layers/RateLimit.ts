import { RateLimited } from "@headgate/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Semaphore from "effect/Semaphore"
import { type Attempt, type AttemptFailure, type Call, errorContext } from "../Attempt.ts"
import type { RateLimitOptions } from "../ConnectionOptions.ts"
import { elapsed } from "./Timeouts.ts"

const tooMany = (call: Call, wait: number): AttemptFailure => {
  const retryAfter = Duration.millis(wait)
  const message = `not sent: the rate limit of this client leaves no room before the deadline; try again in ${Duration.format(retryAfter)}`
  return { error: new RateLimited({ message, retryAfter, ...errorContext(call) }) }
}

/**
 * Starts at most `limit` requests in any `window`, retries included; the others wait in order. A request that could not
 * start before the deadline of its call fails at once as `RateLimited`. The window slides: the fixed windows and buckets
 * of `effect/persistence/RateLimiter` let up to twice the limit through around their edges, which a service that counts
 * would answer with 429.
 */
export const rateLimit = (options: RateLimitOptions | undefined): ((attempt: Attempt) => Attempt) => {
  if (options === undefined) return identity
  const { limit } = options
  const window = Duration.toMillis(Duration.fromInputUnsafe(options.window))
  // A ring of the start times of the last `limit` requests; the oldest is at `next`.
  const startedAt: Array<number> = []
  const queue = Semaphore.makeUnsafe(1)
  let next = 0
  let waiting = 0

  // When a request with `ahead` requests before it in the queue can start.
  const earliest = (ahead: number): number =>
    (startedAt[(next + ahead) % limit] ?? Number.NEGATIVE_INFINITY) + window * (1 + Math.floor(ahead / limit))

  const start = Effect.gen(function* () {
    const wait = earliest(0) - (yield* elapsed)
    if (wait > 0) yield* Effect.sleep(wait)
    startedAt[next] = yield* elapsed
    next = (next + 1) % limit
  })

  const waitInQueue = Effect.acquireUseRelease(
    Effect.sync(() => {
      waiting += 1
    }),
    () => queue.withPermit(start),
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
      yield* waitInQueue
      return yield* attempt(call)
    })
}
