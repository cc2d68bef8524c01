import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { memoryWindows } from "../access/MemoryRateLimiterStore.ts"
import { RequestLimits, type RequestLimitsOptions } from "../access/RequestLimits.ts"
import { Primary } from "./Primary.ts"

const failed = (cause: { readonly message: string }) =>
  new RateLimiter.RateLimiterError({
    reason: new RateLimiter.RateLimitStoreError({ message: cause.message, cause })
  })

const unsupported = Effect.suspend(() =>
  Effect.fail(failed({ message: "the supervising process keeps fixed windows only" }))
)

/** Windows that the supervising process keeps in its memory for all its workers. */
const primaryWindows = Layer.effect(
  RateLimiter.RateLimiterStore,
  Effect.map(Primary, ({ ask }) =>
    RateLimiter.RateLimiterStore.of({
      fixedWindow: ({ key, limit, refillRate, tokens }) =>
        ask({ _tag: "Window", key, tokens, refillMillis: Duration.toMillis(refillRate), limit }).pipe(
          Effect.map(({ count, millisLeft }) => [count, millisLeft] as const),
          Effect.mapError(failed)
        ),
      tokenBucket: () => unsupported,
      adaptiveConsume: () => unsupported,
      adaptiveFeedback: () => unsupported
    })
  )
)

/**
 * The limits of a worker whose store keeps no windows. Requests are counted where all workers can: in the supervising
 * process. Failed logins are few and asked about at every request: each worker counts all of them for itself, its own
 * and those that others tell of.
 */
export const sharedLimits = ({ failedLogins, requests }: RequestLimitsOptions) => {
  const counting = (options: RequestLimitsOptions) => Layer.provide(RequestLimits.layer(options), RateLimiter.layer)
  return Layer.effect(
    RequestLimits,
    Effect.gen(function* () {
      const { onFailedLogin, tell } = yield* Primary
      const logins = Context.get(
        yield* Layer.build(
          Layer.provide(counting({ failedLogins, requests: Option.none(), ownWindows: true }), memoryWindows())
        ),
        RequestLimits
      )
      const { countRequest } = Context.get(
        yield* Layer.build(Layer.provide(counting({ requests, failedLogins: Option.none() }), primaryWindows)),
        RequestLimits
      )
      yield* onFailedLogin(logins.afterFailedLogin)
      return {
        countRequest,
        beforeLogin: logins.beforeLogin,
        afterFailedLogin: (address: string) =>
          Effect.andThen(logins.afterFailedLogin(address), tell({ _tag: "FailedLogin", address }))
      }
    })
  )
}
