import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import type { Step } from "./support/ScriptedClient.ts"
import { start } from "./support/started.ts"

describe("deadline", () => {
  it.effect("ends a call in the middle of an attempt", () =>
    Effect.gen(function* () {
      const { fiber, seen } = yield* start(
        "pipe.get",
        { deadline: "5 seconds", attemptTimeout: "3 seconds" },
        "silence"
      )
      yield* TestClock.adjust("5 seconds")
      const error = yield* Fiber.join(fiber)
      assert.strictEqual(error._tag, "TimeoutError")
      assert.strictEqual(error.message, "no answer within the deadline of 5s")
      assert.strictEqual(error.attempts, 2)
      assert.isTrue(seen[1]?.signal.aborted)
    })
  )

  it.effect("does not wait for an attempt that comes too late: the last error is the answer, at once", () =>
    Effect.gen(function* () {
      const limited: Step = { status: 429, headers: { "retry-after": "30" } }
      const { fiber } = yield* start("pipe.get", { deadline: "20 seconds" }, limited)
      yield* TestClock.adjust("1 millis")
      const error = yield* Fiber.join(fiber)
      assert.strictEqual(error._tag, "RateLimited")
      assert.strictEqual(error.attempts, 1)
    })
  )

  it.effect("leaves a retry alone that is in time", () =>
    Effect.gen(function* () {
      const limited: Step = { status: 429, headers: { "retry-after": "15" } }
      const { fiber, seen } = yield* start("pipe.get", { deadline: "20 seconds" }, limited, { status: 401 })
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Unauthorized")
      assert.strictEqual(seen.length, 2)
    })
  )

  it.effect("says of a create that it may have taken effect", () =>
    Effect.gen(function* () {
      const { fiber, seen } = yield* start("key.create", { deadline: "1 second" }, "silence")
      yield* TestClock.adjust("1 second")
      assert.include((yield* Fiber.join(fiber)).message, "it may have taken effect")
      assert.strictEqual(seen.length, 1)
    })
  )
})
