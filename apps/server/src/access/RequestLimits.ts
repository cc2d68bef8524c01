import { ServerError } from "@headgate/core"
import type { Principal } from "@headgate/core/adapter"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { hash } from "node:crypto"
import type { RateLimit } from "../flags.ts"

/** The prefix of all keys in the rate limiter's store. A reset of `--admin` changes it, which forgets all windows. */
export const RateLimitKeyPrefix = Context.Reference<MutableRef.MutableRef<string>>(
  "headgate-server/access/RateWindows",
  {
    defaultValue: () => MutableRef.make("headgate:")
  }
)

/** The headers of a rate limit: those of the IETF draft, and the one that clients of the upstream service read. */
const limitHeaders = ({ limit, remaining, resetAfter }: Omit<RateLimiter.ConsumeResult, "delay">) => {
  const reset = String(Math.ceil(Duration.toSeconds(resetAfter)))
  return {
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(Math.max(0, remaining)),
    "ratelimit-reset": reset,
    "x-ratelimit-reset": reset
  }
}

/** The caller has reached a rate limit. `headers` say when it may go on. */
export class TooManyRequests extends Schema.TaggedError<TooManyRequests>("headgate-server/access/TooManyRequests")(
  "TooManyRequests",
  { message: Schema.String, headers: Schema.Record(Schema.String, Schema.String) }
) {}

const refused = (message: string, limit: RateLimit, resetAfter: Duration.Duration) => {
  const headers = limitHeaders({ limit: limit.limit, remaining: 0, resetAfter })
  return new TooManyRequests({ message, headers: { ...headers, "retry-after": headers["ratelimit-reset"] } })
}

/** The rate limits of a server; `None` for no limit. */
export interface RequestLimitsOptions {
  /** Requests of one API key or bearer token. */
  readonly requests: Option.Option<RateLimit>
  /** Failed logins from one address with one key ID. */
  readonly failedLogins: Option.Option<RateLimit>
}

const nothing = Effect.succeed(undefined)

/**
 * The name of the window of failed logins. Key IDs share 64 windows for each address: made-up ones cost no more memory.
 */
const loginWindow = (address: string, keyId: string): string =>
  `login:${address}:${hash("sha256", keyId, "base64").slice(0, 1)}`

const reasonOf = ({ message, reason }: RateLimiter.RateLimiterError): string =>
  reason._tag === "RateLimitStoreError" && Predicate.isError(reason.cause) ? reason.cause.message : message

// A limit that cannot be read rejects the request.
const outage = (error: RateLimiter.RateLimiterError) =>
  Effect.andThen(
    Effect.logError(`the store of the rate limits does not answer: ${reasonOf(error)}`),
    Effect.die(new ServerError({ message: "the store of the rate limits does not answer: try again later" }))
  )

/** The rate limits of requests and failed logins. */
export class RequestLimits extends Context.Service<
  RequestLimits,
  {
    /**
     * Counts a failed login; `keyId` is empty for a token. Fails if there were too many from this address with this key ID.
     * Logins that succeed are not limited: whatever others do, good credentials work.
     */
    readonly afterFailedLogin: (address: string, keyId: string) => Effect.Effect<void, TooManyRequests>
    /** Counts a request. Returns the headers of the rate limit, if there is one. */
    readonly countRequest: (
      principal: Principal
    ) => Effect.Effect<Readonly<Record<string, string>> | undefined, TooManyRequests>
  }
>()("headgate-server/access/RequestLimits") {
  /** Rate limits in a store, shared by every server on that store. */
  static readonly layer = ({ failedLogins, requests }: RequestLimitsOptions) =>
    Layer.effect(
      RequestLimits,
      Effect.gen(function* () {
        const limiter = yield* RateLimiter.RateLimiter
        const windows = yield* RateLimitKeyPrefix
        const consume = (name: string, { limit, window }: RateLimit, tokens: number) =>
          limiter.consume({ key: `${windows.current}${name}`, limit, window, tokens })
        const exceeded = (message: string, limit: RateLimit) => (error: RateLimiter.RateLimiterError) =>
          error.reason._tag === "RateLimitExceeded"
            ? Effect.fail(refused(message, limit, error.reason.retryAfter))
            : outage(error)

        return RequestLimits.of({
          afterFailedLogin: (address, keyId) =>
            Option.match(failedLogins, {
              onNone: () => Effect.void,
              onSome: (limit) => {
                const message = "too many logins from this address with these credentials have failed"
                return consume(loginWindow(address, keyId), limit, 1).pipe(
                  Effect.catch(exceeded(message, limit)),
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
