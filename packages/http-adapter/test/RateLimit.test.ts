import { assert, describe, it } from "@effect/vitest"
import { Pipes } from "@headgate/core"
import { sampleCallOf, samples } from "@headgate/samples"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { CallOptions, type ConnectionOptions, HttpAdapter, type RateLimitOptions } from "../src/index.ts"
import { scripted, type Step } from "./support/ScriptedClient.ts"
import { management } from "./support/ports.ts"
import { baseUrl, drawing, setBackByAnHour } from "./support/timeline.ts"

const address = samples.pipe.get.params

const read = Pipes.use((pipes) => pipes.get(address))
const good: Step = { status: 200, body: sampleCallOf("pipe.get").responseBody }
const tenIn10: RateLimitOptions = { limit: 10, window: "10 seconds" }

const over = (
  service: ReturnType<typeof scripted>,
  rateLimit: RateLimitOptions | undefined,
  options: Partial<ConnectionOptions> = {}
) => HttpAdapter.layerManagement({ baseUrl, rateLimit, ...options, ...management }).pipe(Layer.provide(service.layer))

const times = (service: ReturnType<typeof scripted>) => service.seen.map(({ at }) => at)
const atOnce = (count: number) =>
  Effect.all(
    Array.from({ length: count }, () => read),
    { concurrency: "unbounded" }
  )

describe("rateLimit", () => {
  it.effect("is off by default", () =>
    Effect.gen(function* () {
      const service = scripted(good)
      yield* atOnce(100).pipe(Effect.provide(over(service, undefined)))
      assert.isTrue(times(service).every((at) => at === 0))
    })
  )

  it.effect("lets `limit` requests start in a window, the others in order", () =>
    Effect.gen(function* () {
      const service = scripted(good)
      const fiber = yield* atOnce(25).pipe(Effect.provide(over(service, tenIn10)), Effect.forkChild)
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
      const expected = [...Array(10).fill(0), ...Array(10).fill(10_000), ...Array(5).fill(20_000)]
      assert.deepStrictEqual(times(service), expected)
    })
  )

  it.effect("holds for any window, wherever it begins", () =>
    Effect.gen(function* () {
      const service = scripted(good)
      const fiber = yield* Effect.forEach(
        Array.from({ length: 60 }, (_, i) => (i * 7919) % 23_000),
        (at) => Effect.delay(read, Duration.millis(at)),
        { concurrency: "unbounded" }
      ).pipe(Effect.provide(over(service, tenIn10)), Effect.forkChild)
      yield* TestClock.adjust("5 minutes")
      yield* Fiber.join(fiber)
      const sent = times(service)
      assert.strictEqual(sent.length, 60)
      for (const [i, at] of sent.entries()) {
        const tenth = sent[i - 10]
        if (tenth !== undefined) assert.isAtLeast(at - tenth, 10_000, `request ${i}`)
      }
    })
  )

  it.effect("counts retries: the service does", () =>
    Effect.gen(function* () {
      const service = scripted({ status: 500 })
      const fiber = yield* Effect.flip(read).pipe(
        Effect.provide(over(service, { limit: 1, window: "10 seconds" })),
        drawing(0),
        Effect.forkChild
      )
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(times(service), [0, 10_000, 20_000])
    })
  )

  it.effect("fails at once what could not start before its deadline: RateLimited, 0 attempts, and when", () =>
    Effect.gen(function* () {
      const service = scripted(good)
      yield* Effect.gen(function* () {
        yield* read
        yield* TestClock.adjust("3 seconds")
        const error = yield* Effect.flip(read).pipe(Effect.provideService(CallOptions, { deadline: "5 seconds" }))
        assert.strictEqual(error._tag, "RateLimited")
        assert.include(error.message, "not sent: the rate limit of this client")
        assert.include(error.message, "try again in 7s")
        assert.deepStrictEqual([error.attempts, error.status], [0, undefined])
        if (error._tag !== "RateLimited" || error.retryAfter === undefined) return assert.fail("no retryAfter")
        assert.strictEqual(Duration.toSeconds(error.retryAfter), 7)
      }).pipe(Effect.provide(over(service, { limit: 1, window: "10 seconds" })))
      assert.strictEqual(service.seen.length, 1)
    })
  )

  it.effect("counts the requests that wait: one that would start after its deadline fails at once", () =>
    Effect.gen(function* () {
      const service = scripted(good)
      yield* Effect.gen(function* () {
        const line = yield* Effect.forkChild(atOnce(4))
        yield* TestClock.adjust("1 millis")
        const error = yield* Effect.flip(read).pipe(Effect.provideService(CallOptions, { deadline: "35 seconds" }))
        assert.strictEqual(error._tag, "RateLimited")
        const inTime = yield* Effect.forkChild(
          read.pipe(Effect.provideService(CallOptions, { deadline: "45 seconds" }))
        )
        yield* TestClock.adjust("1 minute")
        yield* Fiber.join(line)
        yield* Fiber.join(inTime)
      }).pipe(Effect.provide(over(service, { limit: 1, window: "10 seconds" })))
      assert.deepStrictEqual(times(service), [0, 10_000, 20_000, 30_000, 40_000])
    })
  )

  it.effect("loses no place to a call that is interrupted in the line", () =>
    Effect.gen(function* () {
      const service = scripted(good)
      yield* Effect.gen(function* () {
        yield* read
        const impatient = yield* Effect.forEach(Array.from({ length: 50 }), () => Effect.forkChild(read))
        yield* TestClock.adjust("1 second")
        yield* Fiber.interruptAll(impatient)
        const fiber = yield* Effect.forkChild(read)
        yield* TestClock.adjust("9 seconds")
        yield* Fiber.join(fiber)
      }).pipe(Effect.provide(over(service, { limit: 1, window: "10 seconds" })))
      assert.deepStrictEqual(times(service), [0, 10_000])
    })
  )

  it.effect("waits no longer because the time of day is set back", () =>
    Effect.gen(function* () {
      const service = scripted(good)
      yield* Effect.gen(function* () {
        yield* read
        yield* TestClock.adjust("4 seconds")
        const fiber = yield* Effect.forkChild(setBackByAnHour(read))
        yield* TestClock.adjust("6 seconds")
        assert.strictEqual(service.seen.length, 2)
        yield* Fiber.join(fiber)
      }).pipe(Effect.provide(over(service, { limit: 1, window: "10 seconds" })))
    })
  )

  it.effect("is one for all calls of a connection, and each connection has its own", () =>
    Effect.gen(function* () {
      const service = scripted(good)
      const limit: RateLimitOptions = { limit: 1, window: "10 seconds" }
      const fiber = yield* Effect.all(
        [read.pipe(Effect.provide(over(service, limit))), read.pipe(Effect.provide(over(service, limit)))],
        { concurrency: "unbounded" }
      ).pipe(Effect.forkChild)
      yield* TestClock.adjust("1 millis")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(times(service), [0, 0])
    })
  )

  it.effect("an invalid option is rejected by its name", () =>
    Effect.gen(function* () {
      const bad: ReadonlyArray<readonly [RateLimitOptions, string]> = [
        [{ limit: 0, window: "1 second" }, "rateLimit.limit"],
        [{ limit: Number.NaN, window: "1 second" }, "rateLimit.limit"],
        [{ limit: 1, window: 0 }, "rateLimit.window"],
        [{ limit: 1, window: "Infinity" }, "rateLimit.window"]
      ]
      for (const [options, path] of bad) {
        const error = yield* Effect.flip(Layer.build(over(scripted("silence"), options))).pipe(Effect.scoped)
        assert.deepStrictEqual(
          error.issues.map((issue) => issue.path),
          [path]
        )
      }
    })
  )
})
