import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { start } from "./support/started.ts"

describe("attemptTimeout", () => {
  it.effect("aborts the attempt and says how long it waited", () =>
    Effect.gen(function* () {
      const { fiber, seen } = yield* start("pipe.get", { attemptTimeout: "2 seconds", maxRetries: 0 }, "silence")
      yield* TestClock.adjust("1999 millis")
      assert.isFalse(seen[0]?.signal.aborted)
      yield* TestClock.adjust("1 millis")
      const error = yield* Fiber.join(fiber)
      assert.isTrue(seen[0]?.signal.aborted)
      assert.strictEqual(error._tag, "TimeoutError")
      assert.strictEqual(error.message, "no answer within 2s")
      assert.deepStrictEqual([error.attempts, error.status], [1, undefined])
    })
  )

  it.effect("is an attempt's own: the next one has all of it", () =>
    Effect.gen(function* () {
      const { fiber, seen } = yield* start("pipe.get", { attemptTimeout: "2 seconds" }, "silence")
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
      const { fiber, seen } = yield* start("pipe.get", { attemptTimeout: "Infinity" }, "silence")
      yield* TestClock.adjust("1 day")
      assert.strictEqual(seen.length, 1)
      assert.isFalse(seen[0]?.signal.aborted)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(seen[0]?.signal.aborted)
    })
  )
})
