import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { start } from "./support/started.ts"

describe("interruption", () => {
  it.effect("aborts the request", () =>
    Effect.gen(function* () {
      const { fiber, seen } = yield* start("pipe.get", {}, "silence")
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
      const { fiber, seen } = yield* start("pipe.get", {}, { status: 500 })
      yield* TestClock.adjust("1 millis")
      yield* Fiber.interrupt(fiber)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(seen.length, 1)
    })
  )
})
