import { ServerError } from "@headgate/core"
import type { Principal } from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as RateLimiter from "effect/persistence/RateLimiter"
import type { RateLimit } from "../flags.ts"
import { Expiring } from "./MemoryRateLimiterStore.ts"

/**
 * What the names of the rate windows in use begin with. A server for tests forgets its windows by choosing another
 * beginning; no other ever does.
 */
export const RateWindows = Context.Reference<MutableRef.MutableRef<string>>("headgate-server/access/RateWindows", {
  defaultValue: () => MutableRef.make("headgate:")
})

/** How much of a window is left, as headers: those of the draft standard, and the one that upstream clients read. */
const limitHeaders = ({ limit, remaining, resetAfter }: Omit<RateLimiter.ConsumeResult, "delay">) => {
  const reset = String(Math.ceil(Duration.toSeconds(resetAfter)))
  return {
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(Math.max(0, remaining)),
    "ratelimit-reset": reset,
    "x-ratelimit-reset": reset
  }
}

/** A caller has used up a window. `headers` say when there is room again. */
export class TooManyRequests extends Schema.TaggedError<TooManyRequests>("headgate-server/access/TooManyRequests")(
  "TooManyRequests",
  { message: Schema.String, headers: Schema.Record(Schema.String, Schema.String) }
) {}

const refused = (message: string, limit: RateLimit, resetAfter: Duration.Duration) => {
  const headers = limitHeaders({ limit: limit.limit, remaining: 0, resetAfter })
  return new TooManyRequests({ message, headers: { ...headers, "retry-after": headers["ratelimit-reset"] } })
}

/** How often callers may do what. Absent: as often as they like. */
export interface RequestLimitsOptions {
  /** Requests of one API key or bearer token. */
  readonly requests: Option.Option<RateLimit>
  /** Failed logins from one address. */
  readonly failedLogins: Option.Option<RateLimit>
  /** Whether the windows are those of this process alone: then it knows by itself who has not failed. */
  readonly ownWindows?: boolean
}

const nothing = Effect.succeed(undefined)

/** How many addresses are remembered one by one; a few MiB. */
const mostFailedFrom = 50_000

// Nobody is let past a limit that cannot be told.
const outage = (error: RateLimiter.RateLimiterError) =>
  Effect.andThen(
    Effect.logError("the store of the rate limits does not answer", error),
    Effect.die(new ServerError({ message: "the store of the rate limits does not answer: try again later" }))
  )

/** The limits that stand between a caller and the operations. */
export class RequestLimits extends Context.Service<
  RequestLimits,
  {
    /** Fails when too many logins from this address have failed: its next credentials are not even looked at. */
    readonly beforeLogin: (address: string) => Effect.Effect<void, TooManyRequests>
    /** Counts a failed login. */
    readonly afterFailedLogin: (address: string) => Effect.Effect<void>
    /** Counts a request; answers the headers that tell its caller how much is left, if there is a limit. */
    readonly countRequest: (
      principal: Principal
    ) => Effect.Effect<Readonly<Record<string, string>> | undefined, TooManyRequests>
  }
>()("headgate-server/access/RequestLimits") {
  /** Limits kept in a store, which every server that shares it shares. */
  static readonly layer = ({ failedLogins, ownWindows = false, requests }: RequestLimitsOptions) =>
    Layer.effect(
      RequestLimits,
      Effect.gen(function* () {
        const limiter = yield* RateLimiter.RateLimiter
        const windows = yield* RateWindows
        const clock = yield* Clock.Clock
        const consume = (name: string, { limit, window }: RateLimit, tokens: number) =>
          limiter.consume({ key: `${windows.current}${name}`, limit, window, tokens })
        const exceeded = (message: string, limit: RateLimit) => (error: RateLimiter.RateLimiterError) =>
          error.reason._tag === "RateLimitExceeded"
            ? Effect.fail(refused(message, limit, error.reason.retryAfter))
            : outage(error)

        // From where logins have failed within a window, where no other process counts: whoever is not among them has a
        // whole window left, and most requests come from there. With too many of them, all are asked about for a while.
        const failedFrom = new Expiring<{ readonly expiresAt: number }>()
        let allUntil = Number.NEGATIVE_INFINITY
        const remember = (address: string, { window }: RateLimit, now: number): void => {
          const expiresAt = now + Duration.toMillis(window)
          if (failedFrom.size >= mostFailedFrom) {
            failedFrom.clear()
            allUntil = expiresAt
          }
          failedFrom.set(address, { expiresAt }, now)
        }
        const hasNotFailed = (address: string, now: number): boolean =>
          ownWindows && now >= allUntil && failedFrom.get(address, now) === undefined

        return RequestLimits.of({
          beforeLogin: (address) =>
            Option.match(failedLogins, {
              onNone: () => Effect.void,
              onSome: (limit) => {
                if (hasNotFailed(address, clock.currentTimeMillisUnsafe())) return Effect.void
                const message = "too many logins from this address have failed"
                // Nothing is taken: it is asked how much is left.
                return consume(`login:${address}`, limit, 0).pipe(
                  Effect.catch(exceeded(message, limit)),
                  Effect.flatMap(({ remaining, resetAfter }) =>
                    remaining > 0 ? Effect.void : Effect.fail(refused(message, limit, resetAfter))
                  )
                )
              }
            }),
          afterFailedLogin: (address) =>
            Option.match(failedLogins, {
              onNone: () => Effect.void,
              onSome: (limit) => {
                if (ownWindows) remember(address, limit, clock.currentTimeMillisUnsafe())
                return consume(`login:${address}`, limit, 1).pipe(
                  Effect.catch((error) => (error.reason._tag === "RateLimitExceeded" ? Effect.void : outage(error))),
                  Effect.asVoid
                )
              }
            }),
          countRequest: (principal) =>
            Option.match(requests, {
              onNone: () => nothing,
              onSome: (limit) => {
                const caller =
                  principal._tag === "KeyPrincipal" ? `key:${principal.keyId}` : `token:${principal.tokenId}`
                return consume(caller, limit, 1).pipe(
                  Effect.map(limitHeaders),
                  Effect.catch(exceeded("too many requests: wait, then go on", limit))
                )
              }
            })
        })
      })
    )
}
