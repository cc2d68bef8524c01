import { type CallError, ConnectionError } from "@headgate/core"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import { type Answer, type Call, errorContext, type Send } from "../Attempt.ts"
import type { CircuitBreakerOptions } from "../ConnectionOptions.ts"
import { elapsedUnsafe } from "./Timeouts.ts"

/** What the result of a call says about the service. */
type Outcome =
  | { readonly _tag: "healthy" }
  | { readonly _tag: "unknown" }
  | { readonly _tag: "failed"; readonly retryAfter: Duration.Duration }

const outcomeOfError = (error: CallError): Outcome => {
  // The call never reached the service: a limit of this client, or credentials that could not be fetched.
  if (error.attempts === 0) return { _tag: "unknown" }
  switch (error._tag) {
    case "ServerError":
      return { _tag: "failed", retryAfter: error.retryAfter ?? Duration.zero }
    case "ConnectionError":
    case "TimeoutError":
      return { _tag: "failed", retryAfter: Duration.zero }
    // A busy service is neither healthy nor failed.
    case "RateLimited":
      return { _tag: "unknown" }
    default:
      return { _tag: "healthy" }
  }
}

const outcomeOf = (exit: Exit.Exit<Answer, CallError>): Outcome =>
  Exit.isSuccess(exit)
    ? { _tag: "healthy" }
    : Option.match(Cause.findErrorOption(exit.cause), {
        // Interrupted before the service could answer.
        onNone: () => ({ _tag: "unknown" }),
        onSome: outcomeOfError
      })

const notSent = (call: Call, failures: number, millis: number): ConnectionError => {
  const retryAfter = Duration.millis(millis)
  const when = millis > 0 ? `try again in ${Duration.format(retryAfter)}` : "another call is trying it"
  return new ConnectionError({
    message: `not sent: the service failed ${failures} times in a row and is left alone; ${when}`,
    ...(millis > 0 ? { retryAfter } : {}),
    ...errorContext(call)
  })
}

// The same limit as in `Retry`.
const maxRetryAfter = Duration.seconds(60)

/**
 * After `failures` failed calls in a row, every call fails at once as `ConnectionError` with 0 attempts, for
 * `openDuration`. Then one call probes the service; its success closes the circuit. The result of a whole call counts,
 * retries and deadline included: a lost connection, a timeout, a 5xx. Calls that are interrupted do not count, nor do
 * calls that were in flight when the circuit opened or closed.
 *
 * It is our own, since that of `effect/persistence` imports its Redis store: 7 KB for what is off by default.
 */
export const circuitBreaker = (options: CircuitBreakerOptions | undefined): ((send: Send) => Send) => {
  if (options === undefined) return identity
  const { failures = 5 } = options
  const openDuration = Duration.fromInputUnsafe(options.openDuration ?? "30 seconds")

  let failedInARow = 0
  // In milliseconds of `elapsed`; undefined while the circuit is closed.
  let openUntil: number | undefined
  let isProbing = false
  // Grows when the circuit opens or closes, so that a call which began before changes nothing.
  let generation = 0

  const close = () => {
    failedInARow = 0
    if (openUntil === undefined) return
    openUntil = undefined
    generation += 1
  }
  const open = (now: number, retryAfter: Duration.Duration) => {
    openUntil = now + Duration.toMillis(Duration.max(openDuration, Duration.min(retryAfter, maxRetryAfter)))
    generation += 1
  }
  const settle = (outcome: Outcome, now: number) => {
    switch (outcome._tag) {
      case "healthy":
        return close()
      case "failed":
        failedInARow += 1
        if (openUntil !== undefined || failedInARow >= failures) open(now, outcome.retryAfter)
    }
  }

  return (send) => (call) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.clockWith((clock) => {
        const isProbe = openUntil !== undefined
        const startedIn = generation
        if (openUntil !== undefined) {
          const wait = openUntil - elapsedUnsafe(clock)
          if (wait > 0 || isProbing) return Effect.fail(notSent(call, failedInARow, wait))
          isProbing = true
        }
        return Effect.onExit(restore(send(call)), (exit) =>
          Effect.sync(() => {
            if (isProbe) isProbing = false
            if (startedIn === generation) settle(outcomeOf(exit), elapsedUnsafe(clock))
          })
        )
      })
    )
}
