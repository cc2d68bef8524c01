import { assert, describe, it } from "@effect/vitest"
import { CallOptions } from "../src/index.ts"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as TestClock from "effect/testing/TestClock"
import { layerPorts, operations } from "./support/operations.ts"
import { scripted, type Step } from "./support/ScriptedClient.ts"

const half = Effect.provideService(Random.Random, { nextDoubleUnsafe: () => 0.5, nextIntUnsafe: () => 0 })

const start = Effect.fnUntraced(function* (index: number, call: CallOptions, ...steps: ReadonlyArray<Step>) {
  const operation = operations[index]
  if (operation === undefined) throw new Error(`no operation ${index}`)
  const service = scripted(...steps)
  const fiber = yield* operation.run.pipe(
    Effect.provideService(CallOptions, call),
    Effect.provide(layerPorts({ baseUrl: "https://api.test" })),
    Effect.provide(service.layer),
    half,
    Effect.flip,
    Effect.forkChild
  )
  return { fiber, seen: service.seen }
})

describe("attemptTimeout", () => {
  it.effect("aborts the attempt and says how long it waited", () =>
    Effect.gen(function* () {
      const { fiber, seen } = yield* start(0, { attemptTimeout: "2 seconds", maxRetries: 0 }, "silence")
      yield* TestClock.adjust("1999 millis")
      assert.isFalse(seen[0]?.signal.aborted)
      yield* TestClock.adjust("1 millis")
      const error = yield* Fiber.join(fiber)
      assert.isTrue(seen[0]?.signal.aborted)
      assert.strictEqual(error._tag, "TimedOut")
      assert.strictEqual(error.message, "no answer within 2s")
      assert.deepStrictEqual([error.attempts, error.status], [1, undefined])
    })
  )

  it.effect("is an attempt's own: the next one has all of it", () =>
    Effect.gen(function* () {
      const { fiber, seen } = yield* start(0, { attemptTimeout: "2 seconds" }, "silence")
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(
        seen.map(({ at }) => at),
        [0, 2250, 4750]
      )
    })
  )

  it.effect("may be infinite", () =>
    Effect.gen(function* () {
      const { fiber, seen } = yield* start(0, { attemptTimeout: "Infinity" }, "silence")
      yield* TestClock.adjust("1 day")
      assert.strictEqual(seen.length, 1)
      assert.isFalse(seen[0]?.signal.aborted)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(seen[0]?.signal.aborted)
    })
  )
})

describe("deadline", () => {
  it.effect("ends a call in the middle of an attempt", () =>
    Effect.gen(function* () {
      const { fiber, seen } = yield* start(0, { deadline: "5 seconds", attemptTimeout: "3 seconds" }, "silence")
      yield* TestClock.adjust("5 seconds")
      const error = yield* Fiber.join(fiber)
      assert.strictEqual(error._tag, "TimedOut")
      assert.strictEqual(error.message, "no answer within the deadline of 5s")
      assert.strictEqual(error.attempts, 2)
      assert.isTrue(seen[1]?.signal.aborted)
    })
  )

  it.effect("does not wait for an attempt that comes too late: the last error is the answer, at once", () =>
    Effect.gen(function* () {
      const limited: Step = { status: 429, headers: { "retry-after": "30" } }
      const { fiber } = yield* start(0, { deadline: "20 seconds" }, limited)
      yield* TestClock.adjust("1 millis")
      const error = yield* Fiber.join(fiber)
      assert.strictEqual(error._tag, "RateLimited")
      assert.strictEqual(error.attempts, 1)
    })
  )

  it.effect("leaves a retry alone that is in time", () =>
    Effect.gen(function* () {
      const limited: Step = { status: 429, headers: { "retry-after": "15" } }
      const { fiber, seen } = yield* start(0, { deadline: "20 seconds" }, limited, { status: 401 })
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Unauthorized")
      assert.strictEqual(seen.length, 2)
    })
  )

  it.effect("says of a create that it may have taken effect", () =>
    Effect.gen(function* () {
      const { fiber, seen } = yield* start(2, { deadline: "1 second" }, "silence")
      yield* TestClock.adjust("1 second")
      assert.include((yield* Fiber.join(fiber)).message, "it may have taken effect")
      assert.strictEqual(seen.length, 1)
    })
  )
})

describe("interruption", () => {
  it.effect("aborts the request", () =>
    Effect.gen(function* () {
      const { fiber, seen } = yield* start(0, {}, "silence")
      yield* TestClock.adjust("1 millis")
      assert.isFalse(seen[0]?.signal.aborted)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(seen[0]?.signal.aborted)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(seen.length, 1)
    })
  )

  it.effect("ends a pause: nothing more is sent", () =>
    Effect.gen(function* () {
      const { fiber, seen } = yield* start(0, {}, { status: 500 })
      yield* TestClock.adjust("1 millis")
      yield* Fiber.interrupt(fiber)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(seen.length, 1)
    })
  )
})
