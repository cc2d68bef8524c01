import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { eventLoopTurn } from "../src/http/eventLoopTurn.ts"

it.live("large work leaves turns of the event loop to others, however much of it waits", () =>
  Effect.gen(function* () {
    let turn = 0
    const count = () => {
      turn++
      if (turns.length < 10) setImmediate(count)
    }
    const turns: Array<number> = []
    const work = Effect.map(eventLoopTurn, () => void turns.push(turn))
    const abandoned = yield* Effect.forkChild(Effect.forEach([1, 2, 3], () => work, { concurrency: "unbounded" }))
    yield* Effect.yieldNow
    yield* Fiber.interrupt(abandoned)
    count()
    yield* Effect.forEach(Array.from({ length: 10 }), () => work, { concurrency: "unbounded" })
    assert.strictEqual(turns.length, 10)
    for (const [index, at] of turns.entries()) assert.isAtLeast(at, index * 8)
  })
)
