import { type CallError, type InvalidRequest, TransportFault } from "@headgate/core/error"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { identity } from "effect/Function"
import * as Breaker from "effect/persistence/CircuitBreaker"
import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import { type Answer, type Call, type Exchange, reportOf } from "./Call.ts"
import { countOption, durationOption } from "./invalidOption.ts"

/** When to leave a failing service alone, and for how long. */
export interface CircuitBreakerOptions {
  /** After how many failed calls in a row nothing more is sent. Default 5. */
  readonly failures?: number | undefined
  /** How long nothing is sent; then one call tries the service again. Default 30 seconds. */
  readonly openDuration?: Duration.Input | undefined
}

// What a service that is gone or broken does. A 429 says nothing about that, and any other answer says that it is well.
const outcomeOf = (error: CallError): Breaker.Outcome => {
  // What was never sent has met no service: a limit of ours, a source of credentials that fails.
  if (error.attempts === 0 || error._tag === "RateLimited") return Breaker.ignored
  switch (error._tag) {
    case "ServerFault":
      return Breaker.failure(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter })
    case "TransportFault":
    case "TimedOut":
      return Breaker.failure()
    default:
      return Breaker.success
  }
}

const classify = (exit: Exit.Exit<Answer, CallError>): Breaker.Outcome =>
  Exit.isSuccess(exit)
    ? Breaker.success
    : Option.match(Cause.findErrorOption(exit.cause), { onNone: () => Breaker.ignored, onSome: outcomeOf })

const notSent = (call: Call, failures: number, retryAfter?: Duration.Duration): TransportFault => {
  const when = retryAfter === undefined ? "another call is trying it" : `try again in ${Duration.format(retryAfter)}`
  return new TransportFault({
    message: `not sent: the service failed ${failures} times in a row and is left alone; ${when}`,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...reportOf(call)
  })
}

/**
 * Leaves a service alone after some failed calls in a row: for a while every call fails at once as `TransportFault`
 * with 0 attempts, then one is let through, whose success ends this. What counts is a call's end, retries and deadline
 * included: a lost connection, no answer in time, a 5xx. Calls that are interrupted do not count.
 */
export const circuitBreaker = Effect.fnUntraced(function* (
  options: CircuitBreakerOptions | undefined
): Effect.fn.Return<(exchange: Exchange) => Exchange, InvalidRequest, Scope> {
  if (options === undefined) return identity
  const failures = yield* countOption("circuitBreaker.failures", options.failures ?? 5)
  const openDuration = yield* durationOption("circuitBreaker.openDuration", options.openDuration ?? "30 seconds")
  const breaker = yield* Effect.provide(
    Breaker.make({
      tripPolicy: Breaker.consecutive(failures),
      openDuration,
      // As long as a retry would wait for the service's own wish.
      maxOpenDuration: Duration.max(openDuration, Duration.seconds(60))
    }),
    Breaker.layerStoreMemory()
  )
  return (exchange) => (call) =>
    breaker
      .execute(exchange(call), { key: "service", classify })
      .pipe(
        Effect.catchTag("CircuitBreakerError", ({ reason }) =>
          Effect.fail(notSent(call, failures, reason._tag === "CircuitOpen" ? reason.retryAfter : undefined))
        )
      )
})
