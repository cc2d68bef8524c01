import { assert, describe, it } from "@effect/vitest"
import { Pipes } from "@headgate/core"
import { sampleCallOf, samples } from "@headgate/samples"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { type CircuitBreakerOptions, type ConnectionOptions, HttpAdapter } from "../src/index.ts"
import { answering, scripted, type Step } from "./support/ScriptedClient.ts"
import { management } from "./support/ports.ts"
import { baseUrl, setBackByAnHour } from "./support/timeline.ts"

const address = samples.pipe.get.params

const read = Pipes.use((pipes) => pipes.get(address))
const good: Step = { status: 200, body: sampleCallOf("pipe.get").responseBody }

const over = (
  service: ReturnType<typeof scripted>,
  circuitBreaker: CircuitBreakerOptions | undefined,
  options: Partial<ConnectionOptions> = {}
) =>
  HttpAdapter.layerManagement({ baseUrl, maxRetries: 0, circuitBreaker, ...options, ...management }).pipe(
    Layer.provide(service.layer)
  )

/** How a call ends: as a tag, or `"success"`. */
const ending = Effect.match(read, { onFailure: ({ _tag }) => _tag, onSuccess: () => "success" as const })
const endings = (times: number) => Effect.forEach(Array.from({ length: times }), () => ending)

describe("circuitBreaker", () => {
  it.effect("is off by default", () =>
    Effect.gen(function* () {
      const service = scripted({ status: 500 })
      yield* endings(50).pipe(Effect.provide(over(service, undefined)))
      assert.strictEqual(service.seen.length, 50)
    })
  )

  it.effect("leaves a service alone after 5 failed calls in a row, and says so with 0 attempts", () =>
    Effect.gen(function* () {
      const service = scripted({ status: 500 })
      yield* Effect.gen(function* () {
        yield* endings(5)
        yield* TestClock.adjust("7 seconds")
        const error = yield* Effect.flip(read)
        assert.strictEqual(error._tag, "ConnectionError")
        assert.strictEqual(
          error.message,
          "not sent: the service failed 5 times in a row and is left alone; try again in 23s"
        )
        assert.deepStrictEqual([error.attempts, error.status, error.method], [0, undefined, "GET"])
        if (error._tag !== "ConnectionError" || error.retryAfter === undefined) return assert.fail("no retryAfter")
        assert.strictEqual(Duration.toSeconds(error.retryAfter), 23)
      }).pipe(Effect.provide(over(service, {})))
      assert.strictEqual(service.seen.length, 5)
    })
  )

  it.effect("lets one call try after openDuration, and the others once that one succeeds", () =>
    Effect.gen(function* () {
      const service = scripted({ status: 500 }, { status: 500 }, "silence", good)
      yield* Effect.gen(function* () {
        yield* endings(2)
        yield* TestClock.adjust("10 seconds")
        const probe = yield* Effect.forkChild(ending)
        yield* TestClock.adjust("1 millis")
        const error = yield* Effect.flip(read)
        assert.deepStrictEqual([error._tag, error.attempts], ["ConnectionError", 0])
        assert.include(error.message, "another call is trying it")
        // The probe fails: once more from the beginning.
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(yield* Fiber.join(probe), "TimeoutError")
        assert.strictEqual(yield* ending, "ConnectionError")
        yield* TestClock.adjust("10 seconds")
        assert.deepStrictEqual(yield* endings(3), ["success", "success", "success"])
      }).pipe(
        Effect.provide(over(service, { failures: 2, openDuration: "10 seconds" }, { attemptTimeout: "5 seconds" }))
      )
      assert.strictEqual(service.seen.length, 2 + 1 + 3)
    })
  )

  it.effect("counts calls, not attempts: what a retry rescues is a success", () =>
    Effect.gen(function* () {
      const fault: Step = { status: 500 }
      const service = scripted(fault, good, fault, good, fault, good, fault, fault, fault)
      const fiber = yield* endings(5).pipe(
        Effect.provide(over(service, { failures: 1 }, { maxRetries: 1 })),
        Effect.forkChild
      )
      yield* TestClock.adjust("20 seconds")
      const [first, second, third, fourth, fifth] = yield* Fiber.join(fiber)
      assert.deepStrictEqual([first, second, third], ["success", "success", "success"])
      assert.deepStrictEqual([fourth, fifth], ["ServerError", "ConnectionError"])
      assert.strictEqual(service.seen.length, 8)
    })
  )

  const counted: ReadonlyArray<readonly [string, Step, boolean]> = [
    ["a lost connection", "reset", true],
    ["silence", "silence", true],
    ["408", { status: 408 }, true],
    ["500", { status: 500 }, true],
    ["503", { status: 503 }, true],
    ["429", { status: 429 }, false],
    ["400", { status: 400 }, false],
    ["401", { status: 401 }, false],
    ["404", { status: 404 }, false]
  ]
  for (const [title, step, counts] of counted) {
    it.effect(`${counts ? "counts" : "does not count"} ${title}`, () =>
      Effect.gen(function* () {
        const service = scripted(step)
        const fiber = yield* endings(4).pipe(
          Effect.provide(over(service, { failures: 2 }, { attemptTimeout: "1 second" })),
          Effect.forkChild
        )
        yield* TestClock.adjust("10 seconds")
        yield* Fiber.join(fiber)
        assert.strictEqual(service.seen.length, counts ? 2 : 4)
      })
    )
  }

  it.effect("counts a call that its deadline ends, unless it never was sent", () =>
    Effect.gen(function* () {
      const service = scripted("silence")
      const run = (options: Partial<ConnectionOptions>) =>
        Effect.gen(function* () {
          const fiber = yield* endings(4).pipe(
            Effect.provide(over(service, { failures: 2 }, { deadline: "1 second", ...options })),
            Effect.forkChild
          )
          yield* TestClock.adjust("10 seconds")
          return yield* Fiber.join(fiber)
        })
      assert.deepStrictEqual(yield* run({}), ["TimeoutError", "TimeoutError", "ConnectionError", "ConnectionError"])
      // One was sent and failed; the others found the rate limit spent, which says nothing of the service.
      const limited = yield* run({ rateLimit: { limit: 1, window: "1 hour" } })
      assert.deepStrictEqual(limited, ["TimeoutError", "RateLimited", "RateLimited", "RateLimited"])
    })
  )

  it.effect("does not count a call that is interrupted", () =>
    Effect.gen(function* () {
      const service = scripted("silence")
      yield* Effect.gen(function* () {
        for (let i = 0; i < 5; i++) {
          const fiber = yield* Effect.forkChild(read)
          yield* TestClock.adjust("1 millis")
          yield* Fiber.interrupt(fiber)
        }
      }).pipe(Effect.provide(over(service, { failures: 1 })))
      assert.strictEqual(service.seen.length, 5)
    })
  )

  it.effect("lets another call try when the one that tried is interrupted", () =>
    Effect.gen(function* () {
      const service = scripted({ status: 500 }, "silence", good)
      yield* Effect.gen(function* () {
        yield* ending
        yield* TestClock.adjust("30 seconds")
        const probe = yield* Effect.forkChild(read)
        yield* TestClock.adjust("1 millis")
        yield* Fiber.interrupt(probe)
        assert.deepStrictEqual(yield* endings(2), ["success", "success"])
      }).pipe(Effect.provide(over(service, { failures: 1 })))
      assert.strictEqual(service.seen.length, 4)
    })
  )

  it.effect("is not changed by calls that were under way when it opened", () =>
    Effect.gen(function* () {
      // Of three that begin together the first is never answered, the others fail at once.
      const service = answering((_, nth) => (nth === 0 ? "silence" : nth < 3 ? { status: 500 } : good))
      yield* Effect.gen(function* () {
        const all = yield* Effect.forkChild(Effect.all([ending, ending, ending], { concurrency: "unbounded" }))
        yield* TestClock.adjust("1 millis")
        yield* TestClock.adjust("20 seconds")
        yield* Fiber.join(all)
        // The late failure has not made it longer.
        yield* TestClock.adjust("9999 millis")
        assert.strictEqual(yield* ending, "success")
      }).pipe(Effect.provide(over(service, { failures: 2 }, { attemptTimeout: "20 seconds" })))
      assert.strictEqual(service.seen.length, 4)
    })
  )

  it.effect("stays open as long as the service's Retry-After asks, up to a minute", () =>
    Effect.gen(function* () {
      for (const [retryAfter, opensAfter] of [
        ["45", 45],
        ["3600", 60],
        ["1", 10]
      ] as const) {
        const service = scripted({ status: 503, headers: { "retry-after": retryAfter } })
        yield* Effect.gen(function* () {
          yield* ending
          yield* TestClock.adjust(Duration.millis(opensAfter * 1000 - 1))
          yield* ending
          assert.strictEqual(service.seen.length, 1, retryAfter)
          yield* TestClock.adjust("1 millis")
          yield* ending
          assert.strictEqual(service.seen.length, 2, retryAfter)
        }).pipe(Effect.provide(over(service, { failures: 1, openDuration: "10 seconds" })))
      }
    })
  )

  it.effect("is open no longer because the time of day is set back", () =>
    Effect.gen(function* () {
      const service = scripted({ status: 500 }, good)
      yield* Effect.gen(function* () {
        yield* ending
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual(yield* setBackByAnHour(ending), "success")
      }).pipe(Effect.provide(over(service, { failures: 1 })))
    })
  )

  it.effect("an invalid option is rejected by its name", () =>
    Effect.gen(function* () {
      const bad: ReadonlyArray<readonly [CircuitBreakerOptions, string]> = [
        [{ failures: 0 }, "circuitBreaker.failures"],
        [{ failures: 1.5 }, "circuitBreaker.failures"],
        [{ openDuration: "Infinity" }, "circuitBreaker.openDuration"],
        [{ openDuration: 0 }, "circuitBreaker.openDuration"]
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
