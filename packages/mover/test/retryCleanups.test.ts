import { assert, describe, it } from "@effect/vitest"
import { PipeId } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { Cleanups, retryCleanups, SourceError } from "../src/index.ts"
import { MemoryCleanups } from "../src/memory/index.ts"

const cleanup = (last: string) => ({
  pipeId: PipeId.make(`b1be0000-0000-4000-8000-00000000000${last}`),
  kind: "postgres",
  remains: `slot ${last}`,
  source: Redacted.make("secret")
})

describe("cleanups", () => {
  it.effect("are tried with growing pauses until they work, each by itself", () =>
    Effect.gen(function* () {
      const cleanups = MemoryCleanups.make()
      yield* cleanups.add(cleanup("1"))
      yield* cleanups.add(cleanup("2"))
      const tried: Array<string> = []
      let works = false
      const fiber = yield* retryCleanups(({ remains }) =>
        Effect.suspend(() => {
          tried.push(remains)
          return remains === "slot 2" || works ? Effect.void : Effect.fail(new SourceError({ message: "no answer" }))
        })
      ).pipe(Effect.provideService(Cleanups, cleanups), Effect.forkChild)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(tried, ["slot 1", "slot 2"])
      const [pending, ...others] = yield* cleanups.list
      assert.deepStrictEqual(others, [])
      assert.deepInclude(pending, { remains: "slot 1", attempts: 1, lastError: "no answer" })
      yield* TestClock.adjust("90 seconds")
      assert.strictEqual(tried.length, 2)
      yield* TestClock.adjust("10 minutes")
      // After 2 and 6 minutes.
      assert.strictEqual(tried.length, 4)
      yield* TestClock.adjust("6 hours")
      assert.isBelow(tried.length, 15)
      works = true
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* cleanups.list, [])
      yield* Fiber.interrupt(fiber)
    })
  )
})
