import { type Ports, type SampleCall, sampleCallOf } from "@headgate/samples"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as TestClock from "effect/testing/TestClock"
import { CallOptions, type ConnectionOptions } from "../../src/index.ts"
import { scripted, type Step } from "./ScriptedClient.ts"
import { layerPorts } from "./ports.ts"

/** Where the scripted service is. */
export const baseUrl = "https://api.test"

/** A random source that always gives the same number. */
export const drawing = (draw: number) =>
  Effect.provideService(Random.Random, { nextDoubleUnsafe: () => draw, nextIntUnsafe: () => 0 })

/** Runs an effect with the time of day an hour back; the monotonic clock stays as it is. */
export const setBackByAnHour = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.clockWith((clock) => {
    const behind = () => clock.currentTimeMillisUnsafe() - 60 * 60 * 1000
    return Effect.provideService(effect, Clock.Clock, {
      ...clock,
      currentTimeMillisUnsafe: behind,
      currentTimeMillis: Effect.sync(behind)
    })
  })

/** Runs a call against a service for an hour of the test's clock. */
export const runForAnHour = Effect.fnUntraced(function* <A, E>(
  call: Effect.Effect<A, E, Ports>,
  service: ReturnType<typeof scripted>,
  options?: Partial<ConnectionOptions>
) {
  const fiber = yield* call.pipe(
    Effect.provide(layerPorts({ baseUrl, ...options })),
    Effect.provide(service.layer),
    Effect.exit,
    Effect.forkChild
  )
  yield* TestClock.adjust("1 hour")
  return yield* Fiber.join(fiber)
})

/** The answers of a service, and the options of the call. */
export interface Run {
  readonly steps: ReadonlyArray<Step>
  readonly options?: Partial<ConnectionOptions>
  readonly call?: CallOptions
  /** The number that the random source gives. */
  readonly draw?: number
}

/** Runs an operation against a script for an hour; returns its result and when each request was sent. */
export const run = Effect.fnUntraced(function* (sample: SampleCall, { call = {}, draw = 0.5, options, steps }: Run) {
  const service = scripted(...steps)
  const started = (yield* DateTime.now).epochMilliseconds
  const called = Effect.provideService(sample.call, CallOptions, call)
  const exit = yield* runForAnHour(called, service, options).pipe(drawing(draw))
  const error = Exit.isFailure(exit) ? yield* Effect.flip(exit) : undefined
  // A HEAD asks whether the service honours the key of a creation whose answer was lost.
  const seen = service.seen.filter(({ method }) => method !== "HEAD")
  return { exit, error, sentAt: seen.map(({ at }) => at - started), seen }
})

export const get = sampleCallOf("pipe.get")
export const create = sampleCallOf("key.create")

/** The good answer. */
export const ok = ({ responseBody }: SampleCall): Step => ({ status: 200, body: responseBody })
