import type { CallError } from "@headgate/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type { Attempt, AttemptFailure, Call, Send } from "../Attempt.ts"
import { elapsedUnsafe } from "./Timeouts.ts"

interface Attributes {
  readonly method: string
  readonly route: string
  readonly outcome: string
}

/** Keeps one metric for each set of attributes. There are few: operations times error tags. */
const metricsOf = <M>(make: (attributes: Attributes) => M) => {
  // By outcome, method and route: three lookups take less time than joining the three into one key.
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

const attempts = metricsOf((attributes) =>
  Metric.counter("headgate.client.attempts", {
    description: "Requests sent",
    incremental: true,
    attributes: { ...attributes }
  })
)

const retries = metricsOf((attributes) =>
  Metric.counter("headgate.client.retries", {
    description: "Attempts repeated, by the error of the attempt before",
    incremental: true,
    attributes: { ...attributes }
  })
)

const durations = metricsOf((attributes) =>
  Metric.histogram("headgate.client.duration", {
    description: "How long calls took, retries included, in seconds",
    // From an answer of the same host to a call whose attempts all timed out.
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

/** Counts a retry, by the error of the attempt before it. */
export const countRetry = (call: Call, error: CallError): Effect.Effect<void> =>
  Effect.suspend(() => Metric.update(retries(call, error._tag), 1))

/** Counts attempts by outcome. */
export const countAttempts =
  (attempt: Attempt): Attempt =>
  (call) =>
    Effect.onExit(attempt(call), (exit) => Metric.update(attempts(call, outcomeOf(exit, tagOfFailure)), 1))

/** Measures the duration of calls by outcome. */
export const measureCalls =
  (send: Send): Send =>
  (call) =>
    Effect.clockWith((clock) => {
      const startedAt = elapsedUnsafe(clock)
      return Effect.onExit(send(call), (exit) => {
        const seconds = (elapsedUnsafe(clock) - startedAt) / 1000
        return Metric.update(durations(call, outcomeOf(exit, tagOfError)), seconds)
      })
    })
