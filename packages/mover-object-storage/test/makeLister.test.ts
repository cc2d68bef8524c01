import { assert, it } from "@effect/vitest"
import type { ObjectRecord } from "@headgate/mover"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { makeLister } from "../src/source/makeLister.ts"

const record: ObjectRecord = { begin: Effect.void, find: () => Effect.succeed(new Map()), end: Effect.void }

/** How long the pause is after a list whose pages take so many seconds. */
const pauseAfter = Effect.fnUntraced(function* (...pages: ReadonlyArray<number>) {
  const [...left] = pages
  const lister = makeLister({
    storage: {
      list: () =>
        Effect.suspend(() =>
          Effect.delay(
            Effect.succeed({ isTruncated: left.length > 0, objects: [] }),
            Duration.seconds(left.shift() ?? 0)
          )
        )
    },
    prefix: "",
    startAfter: "",
    isRead: () => true,
    pause: Duration.seconds(30)
  })
  const reading = yield* Effect.forkChild(lister.read(record))
  yield* TestClock.adjust(Duration.seconds(pages.reduce((sum, page) => sum + page, 0)))
  yield* Fiber.join(reading)
  const pause = (lister.next() ?? 0n) - (yield* Clock.monotonicTimeNanos)
  const { duration } = lister.takeListing() ?? {}
  return { pause: Number(pause) / 1e9, seconds: duration === undefined ? undefined : Duration.toSeconds(duration) }
})

it.effect("a list is followed by a pause of ten times its duration, and of 30 seconds at least", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* pauseAfter(1, 1), { pause: 30, seconds: 2 })
    assert.deepStrictEqual(yield* pauseAfter(3, 4), { pause: 70, seconds: 7 })
  })
)

it.effect("a process that was stopped in the middle of a list does not wait ten times as long", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* pauseAfter(1, 3600, 1), { pause: 70, seconds: 3602 })
  })
)
