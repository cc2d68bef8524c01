import type { CallError } from "@headgate/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type { Attempt, AttemptFailure, Call, Exchange } from "./Call.ts"
import { elapsedUnsafe } from "./Elapsed.ts"

interface Attributes {
  readonly method: string
  readonly route: string
  readonly outcome: string
}

/** One metric for each set of attributes. They are few: operations times the tags of errors. */
const family = <M>(make: (attributes: Attributes) => M) => {
  // By outcome, method and route: to join these into one key would cost more than to look them up one by one.
  const members = new Map<string, Map<string, Map<string, M>>>()
  return ({ request: { method }, route }: Call, outcome: string): M => {
    const known = members.get(outcome)?.get(method)?.get(route)
    if (known !== undefined) return known
    const member = make({ method, route, outcome })
    const ofOutcome = members.get(outcome) ?? new Map<string, Map<string, M>>()
    const ofMethod = ofOutcome.get(method) ?? new Map<string, M>()
    members.set(outcome, ofOutcome.set(method, ofMethod.set(route, member)))
    return member
  }
}

const attempts = family((attributes) =>
  Metric.counter("headgate.client.attempts", {
    description: "Requests sent",
    incremental: true,
    attributes: { ...attributes }
  })
)

const retries = family((attributes) =>
  Metric.counter("headgate.client.retries", {
    description: "Attempts repeated, by what the one before failed with",
    incremental: true,
    attributes: { ...attributes }
  })
)

const durations = family((attributes) =>
  Metric.histogram("headgate.client.duration", {
    description: "How long calls took, retries included, in seconds",
    // From a neighbour's answer to a call that used up every timeout.
    boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
    attributes: { ...attributes }
  })
)

const outcomeOf = <E>(exit: Exit.Exit<unknown, E>, tagOf: (error: E) => string): string =>
  Exit.isSuccess(exit)
    ? "success"
    : Cause.hasInterruptsOnly(exit.cause)
      ? "interrupted"
      : Option.match(Cause.findErrorOption(exit.cause), { onNone: () => "defect", onSome: tagOf })

const tagOfFailure = ({ error }: AttemptFailure): string => error._tag
const tagOfError = (error: CallError): string => error._tag

/** Counts a repeat, by the error of the attempt before it. */
export const countRetry = (call: Call, error: CallError): Effect.Effect<void> =>
  Effect.suspend(() => Metric.update(retries(call, error._tag), 1))

/** Counts the attempts, by how they ended. */
export const countAttempts =
  (attempt: Attempt): Attempt =>
  (call) =>
    Effect.onExit(attempt(call), (exit) => Metric.update(attempts(call, outcomeOf(exit, tagOfFailure)), 1))

/** Measures how long calls take, by how they end. */
export const measureCalls =
  (exchange: Exchange): Exchange =>
  (call) =>
    Effect.clockWith((clock) => {
      const startedAt = elapsedUnsafe(clock)
      return Effect.onExit(exchange(call), (exit) => {
        const seconds = (elapsedUnsafe(clock) - startedAt) / 1000
        return Metric.update(durations(call, outcomeOf(exit, tagOfError)), seconds)
      })
    })
