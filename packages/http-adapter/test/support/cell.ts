import type { SampleCall } from "@headgate/samples"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { HttpClient } from "effect/http/HttpClient"
import * as TestClock from "effect/testing/TestClock"
import type { ConnectionOptions } from "../../src/index.ts"
import { type Observed, serve } from "./FaultServer.ts"
import { badAnswers, type FaultContext, faults, maxResponseBytes } from "./badAnswers.ts"
import { badPlaces } from "./badPlaces.ts"
import { withoutPauses } from "./clients.ts"
import { layerPorts } from "./ports.ts"

export type FaultName = keyof typeof faults | keyof typeof badPlaces

// The keys of both tables and no others.
export const faultNames = [...Object.keys(faults), ...Object.keys(badPlaces)] as ReadonlyArray<FaultName>

/** Whether it is a fault, and not an unusual form of a good answer. */
export const isFault = (fault: FaultName): boolean => fault in badAnswers || fault in badPlaces

/** The result of a call that met a fault, and what the server saw. */
export interface Cell {
  /** `undefined`: it hangs. */
  readonly exit: Exit.Exit<unknown, Effect.Error<SampleCall["call"]>> | undefined
  readonly seen: Observed
}

const isPlace = (fault: FaultName): fault is keyof typeof badPlaces => fault in badPlaces

const placeOf = (fault: FaultName, context: Omit<FaultContext, "nth">) =>
  isPlace(fault) ? badPlaces[fault](context) : serve((_, response, nth) => faults[fault](response, { ...context, nth }))

/**
 * Runs an operation against a fault on real sockets. Its timeouts run on a test clock that stands still, and that passes
 * all of them when the fault falls silent: nothing waits, and only silence times out. A call that has not ended after
 * `timeout`, in real time, hangs.
 */
export const meet = Effect.fnUntraced(function* (
  client: Layer.Layer<HttpClient>,
  sample: SampleCall,
  fault: FaultName,
  options: Partial<ConnectionOptions> = {},
  timeout: Duration.Input = "30 seconds"
) {
  const clock = yield* TestClock.make({ warningDelay: "1 hour" })
  const silent = () => void Effect.runFork(clock.adjust("1 minute"))
  const seen = yield* placeOf(fault, { good: sample.responseBody, silent })
  const exit = yield* sample.call.pipe(
    Effect.provide(layerPorts({ baseUrl: seen.baseUrl, maxResponseBytes, ...options })),
    Effect.provide(client),
    Effect.provideService(Clock.Clock, clock),
    withoutPauses,
    Effect.exit,
    Effect.timeoutOption(timeout)
  )
  return { exit: Option.getOrUndefined(exit), seen } satisfies Cell
})
