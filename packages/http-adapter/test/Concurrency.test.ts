import { assert, describe, it } from "@effect/vitest"
import { Pipes } from "@headgate/core"
import { sampleCallOf, samples } from "@headgate/samples"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { CallOptions, type ConnectionOptions, HttpAdapter } from "../src/index.ts"
import { answering, scripted, type Step } from "./support/ScriptedClient.ts"
import { management } from "./support/ports.ts"
import { baseUrl, drawing } from "./support/timeline.ts"

const address = samples.pipe.get.params

const read = Pipes.use((pipes) => pipes.get(address))
const good: Step = { status: 200, body: sampleCallOf("pipe.get").responseBody }

const over = (service: ReturnType<typeof scripted>, options: Partial<ConnectionOptions>) =>
  HttpAdapter.layerManagement({ baseUrl, ...options, ...management }).pipe(Layer.provide(service.layer))

const atOnce = (count: number) =>
  Effect.all(
    Array.from({ length: count }, () => Effect.exit(read)),
    { concurrency: "unbounded" }
  )

describe("maxConcurrency", () => {
  it.effect("is off by default", () =>
    Effect.gen(function* () {
      const service = scripted("silence")
      const fiber = yield* atOnce(50).pipe(Effect.provide(over(service, {})), Effect.forkChild)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(service.seen.length, 50)
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("has so many requests under way, the others when one is over", () =>
    Effect.gen(function* () {
      const service = scripted("silence")
      const fiber = yield* atOnce(5).pipe(
        Effect.provide(over(service, { maxConcurrency: 2, maxRetries: 0, attemptTimeout: "10 seconds" })),
        Effect.forkChild
      )
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(
        service.seen.map(({ at }) => at),
        [0, 0, 10_000, 10_000, 20_000]
      )
    })
  )

  it.effect("keeps no place in the pause before a retry", () =>
    Effect.gen(function* () {
      const service = answering((_, nth) => (nth === 0 ? { status: 500 } : good))
      const fiber = yield* atOnce(3).pipe(
        Effect.provide(over(service, { maxConcurrency: 1 })),
        drawing(1),
        Effect.forkChild
      )
      // The others are done before the pause is over.
      while (service.seen.length < 3) yield* Effect.yieldNow
      yield* TestClock.adjust("500 millis")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(
        service.seen.map(({ at }) => at),
        [0, 0, 0, 500]
      )
    })
  )

  it.effect("gives a place back when a call is interrupted", () =>
    Effect.gen(function* () {
      const service = scripted("silence", good)
      yield* Effect.gen(function* () {
        const first = yield* Effect.forkChild(read)
        yield* TestClock.adjust("1 millis")
        const second = yield* Effect.forkChild(read)
        yield* TestClock.adjust("1 millis")
        assert.strictEqual(service.seen.length, 1)
        yield* Fiber.interrupt(first)
        yield* Fiber.join(second)
      }).pipe(Effect.provide(over(service, { maxConcurrency: 1 })))
      assert.strictEqual(service.seen.length, 2)
    })
  )

  it.effect("lets the deadline end who waits for a place, unsent", () =>
    Effect.gen(function* () {
      const service = scripted("silence")
      yield* Effect.gen(function* () {
        const first = yield* Effect.forkChild(read)
        yield* TestClock.adjust("1 millis")
        const second = yield* Effect.flip(read).pipe(
          Effect.provideService(CallOptions, { deadline: "3 seconds" }),
          Effect.forkChild
        )
        yield* TestClock.adjust("3 seconds")
        const error = yield* Fiber.join(second)
        assert.deepStrictEqual([error._tag, error.attempts], ["TimeoutError", 0])
        assert.strictEqual(error.message, "not sent within the deadline of 3s")
        yield* Fiber.interrupt(first)
      }).pipe(Effect.provide(over(service, { maxConcurrency: 1 })))
      assert.strictEqual(service.seen.length, 1)
    })
  )

  it.effect("an invalid option is rejected by its name", () =>
    Effect.gen(function* () {
      for (const maxConcurrency of [0, -1, 1.5, Number.NaN]) {
        const build = Layer.build(over(scripted("silence"), { maxConcurrency }))
        const error = yield* Effect.flip(build).pipe(Effect.scoped)
        assert.deepStrictEqual(
          error.issues.map(({ path }) => path),
          ["maxConcurrency"]
        )
      }
    })
  )
})
