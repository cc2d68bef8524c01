import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Sink from "effect/Sink"
import * as TestClock from "effect/testing/TestClock"
import { withStatus } from "../src/output/statusLine.ts"

const written = (isTerminal: boolean, width = 80) => {
  const chunks: Array<string> = []
  return {
    stream: {
      isTerminal,
      width,
      sink: () => Sink.forEach((chunk: string | Uint8Array) => Effect.sync(() => void chunks.push(String(chunk))))
    },
    text: () => chunks.join("")
  }
}

const clear = "\r\u001b[2K"

// Two states, of 2 and 61 seconds.
const work = (show: (text: string, since: number) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    yield* show("Setup", 0)
    yield* Effect.sleep("2500 millis")
    yield* show("Running", 2000)
    yield* Effect.sleep("61 seconds")
  })

describe("withStatus", () => {
  it.effect("writes a line for each status without a terminal", () =>
    Effect.gen(function* () {
      const out = written(false)
      const fiber = yield* Effect.forkChild(withStatus(out.stream, work))
      yield* TestClock.adjust("2 minutes")
      yield* Fiber.join(fiber)
      assert.strictEqual(out.text(), "Setup (0s)\nRunning (0s)\n")
    })
  )

  it.effect("updates the line at a terminal each second, and ends it", () =>
    Effect.gen(function* () {
      const out = written(true)
      const fiber = yield* Effect.forkChild(withStatus(out.stream, work))
      yield* TestClock.adjust("2200 millis")
      assert.include(out.text(), `${clear}Setup (1s)${clear}Setup (2s)`)
      assert.notInclude(out.text(), "\n")
      yield* TestClock.adjust("2 minutes")
      yield* Fiber.join(fiber)
      assert.include(out.text(), `Setup (2s)\n${clear}Running (0s)`)
      assert.match(out.text(), /Running \(1m 1s\)\n$/)
    })
  )

  it.effect("cuts the line to the width of the terminal, and not elsewhere", () =>
    Effect.gen(function* () {
      for (const [isTerminal, expected] of [
        [true, `${clear}Set… (0s)\n${clear}Run… (0s)\n`],
        [false, "Setup (0s)\nRunning (0s)\n"]
      ] as const) {
        const out = written(isTerminal, 9)
        const both = (show: (text: string, since: number) => Effect.Effect<void>) =>
          Effect.andThen(show("Setup", 0), show("Running", 0))
        yield* withStatus(out.stream, both)
        assert.strictEqual(out.text(), expected)
      }
    })
  )

  it.effect("ends the line of an effect that is interrupted", () =>
    Effect.gen(function* () {
      const out = written(true)
      const fiber = yield* Effect.forkChild(withStatus(out.stream, work))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(fiber)
      assert.match(out.text(), /Setup \(1s\)\n$/)
    })
  )
})
