import { type CallError, ConnectionError, type InvalidRequest } from "@headgate/core"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import { type Answer, type Call, type Exchange, reportOf } from "./Call.ts"
import { elapsedUnsafe } from "./Elapsed.ts"
import { countOption, durationOption, groupOption } from "./validateOption.ts"

/** When to leave a failing service alone, and for how long. */
export interface CircuitBreakerOptions {
  /** After how many failed calls in a row nothing more is sent. Default 5. */
  readonly failures?: number | undefined
  /** How long nothing is sent; then one call tries the service again. Default 30 seconds. */
  readonly openDuration?: Duration.Input | undefined
}

/** What the end of a call says about the service. */
type Outcome =
  | { readonly _tag: "well" }
  | { readonly _tag: "unknown" }
  | { readonly _tag: "failed"; readonly retryAfter: Duration.Duration }

const outcomeOfError = (error: CallError): Outcome => {
  // What was never sent has met no service: a limit of ours, a source of credentials that fails.
  if (error.attempts === 0) return { _tag: "unknown" }
  switch (error._tag) {
    case "ServerError":
      return { _tag: "failed", retryAfter: error.retryAfter ?? Duration.zero }
    case "ConnectionError":
    case "TimeoutError":
      return { _tag: "failed", retryAfter: Duration.zero }
    // It has enough to do, which is neither well nor broken.
    case "RateLimited":
      return { _tag: "unknown" }
    default:
      return { _tag: "well" }
  }
}

const outcomeOf = (exit: Exit.Exit<Answer, CallError>): Outcome =>
  Exit.isSuccess(exit)
    ? { _tag: "well" }
    : Option.match(Cause.findErrorOption(exit.cause), {
        // Interrupted: nobody waited for what the service would say.
        onNone: () => ({ _tag: "unknown" }),
        onSome: outcomeOfError
      })

const notSent = (call: Call, failures: number, millis: number): ConnectionError => {
  const retryAfter = Duration.millis(millis)
  const when = millis > 0 ? `try again in ${Duration.format(retryAfter)}` : "another call is trying it"
  return new ConnectionError({
    message: `not sent: the service failed ${failures} times in a row and is left alone; ${when}`,
    ...(millis > 0 ? { retryAfter } : {}),
    ...reportOf(call)
  })
}

// As long as a retry would wait for the service's own wish.
const maxRetryAfter = Duration.seconds(60)

/**
 * Leaves a service alone after some failed calls in a row: for a while every call fails at once as `ConnectionError`
 * with 0 attempts, then one is let through, whose success ends this. What counts is a call's end, retries and deadline
 * included: a lost connection, no answer in time, a 5xx. Calls that are interrupted do not count, nor do calls that were
 * under way when it began.
 *
 * It is our own, since that of `effect/persistence` brings its Redis store along: 7 KB for what is off by default.
 */
export const circuitBreaker = Effect.fnUntraced(function* (
  options: CircuitBreakerOptions | undefined
): Effect.fn.Return<(exchange: Exchange) => Exchange, InvalidRequest> {
  if (options === undefined) return identity
  const whole = "{ failures, openDuration }, or {} for the defaults"
  const given = yield* groupOption("circuitBreaker", options, whole)
  const { failures: count = 5, openDuration: duration = "30 seconds" } = given
  const failures = yield* countOption("circuitBreaker.failures", count)
  const openDuration = yield* durationOption("circuitBreaker.openDuration", duration)

  let failedInARow = 0
  // By the clock of `elapsed`, from when it opens until a call succeeds.
  let openUntil: number | undefined
  let isTrying = false
  // Grows when it opens or closes, so that a call which began before changes nothing.
  let period = 0

  const close = () => {
    failedInARow = 0
    if (openUntil === undefined) return
    openUntil = undefined
    period += 1
  }
  const open = (now: number, retryAfter: Duration.Duration) => {
    openUntil = now + Duration.toMillis(Duration.max(openDuration, Duration.min(retryAfter, maxRetryAfter)))
    period += 1
  }
  const settle = (outcome: Outcome, now: number) => {
    switch (outcome._tag) {
      case "well":
        return close()
      case "failed":
        failedInARow += 1
        if (openUntil !== undefined || failedInARow >= failures) open(now, outcome.retryAfter)
    }
  }

  return (exchange) => (call) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.clockWith((clock) => {
        const tries = openUntil !== undefined
        const began = period
        if (openUntil !== undefined) {
          const wait = openUntil - elapsedUnsafe(clock)
          if (wait > 0 || isTrying) return Effect.fail(notSent(call, failedInARow, wait))
          isTrying = true
        }
        return Effect.onExit(restore(exchange(call)), (exit) =>
          Effect.sync(() => {
            if (tries) isTrying = false
            if (began === period) settle(outcomeOf(exit), elapsedUnsafe(clock))
          })
        )
      })
    )
})
