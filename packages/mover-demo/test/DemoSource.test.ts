import { assert, describe, it } from "@effect/vitest"
import { type MoveError, noPipe, Source } from "@headgate/mover"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { demoConnector } from "../src/index.ts"
import { configOf } from "./support/configOf.ts"

const now = Date.UTC(2026, 10, 27, 6)

/** The source of a pipe from a topic, at a time when the topic has long been there. */
const openTopic = Effect.fnUntraced(function* (topics: string, offset: object = {}) {
  const limits = { rows: 100_000, bytes: 16 * 1024 * 1024, wait: Duration.seconds(5) }
  yield* TestClock.setTime(now)
  const reader = yield* demoConnector.configure(configOf({ topics, offset }))
  const source = Context.get(yield* Layer.build(reader.layer), Source)
  const identity = yield* source.identity
  const [found] = yield* source.partitions
  if (found === undefined) return assert.fail("the topic has no partition")
  const { partition, start } = found
  const planAt = Effect.fnUntraced(function* (from: string) {
    const planning = yield* Effect.forkChild(source.plan(partition, from, limits), { startImmediately: true })
    if (planning.pollUnsafe() === undefined) yield* TestClock.adjust(limits.wait)
    const plan = yield* Fiber.join(planning)
    return plan._tag === "Planned" ? plan : assert.fail(`nothing was planned: ${plan._tag}`)
  })
  const rowsOf = (from: string, { detail, to }: { readonly to: string; readonly detail?: string }) =>
    Stream.runCollect(
      source.read({
        pipeId: noPipe,
        generation: 1,
        source: identity,
        partition,
        from,
        to,
        ...(detail === undefined ? {} : { detail })
      })
    )
  return { source, start, planAt, rowsOf }
})

describe("topics of the demo", () => {
  it.effect("hold the rows of a quarter of an hour, and 200 more each second", () =>
    Effect.gen(function* () {
      const { planAt, rowsOf, source, start } = yield* openTopic("clicks")
      let [next, held, last] = [start, 0, yield* planAt(start)]
      while (last.rows === 20_000) {
        held += last.rows
        next = last.to
        last = yield* planAt(next)
      }
      // The last range has those that have come meanwhile, too.
      assert.approximately(held + last.rows, 15 * 60 * 200, 1500)
      assert.lengthOf(yield* rowsOf(next, last), last.rows)
      const second = yield* planAt(last.to)
      assert.strictEqual(second.rows, 1000)
      assert.isAtMost((yield* source.lag!) ?? Infinity, 1000)
    })
  )

  it.effect("pass what is older when a pipe comes to it, and read a range of before as it was", () =>
    Effect.gen(function* () {
      const { planAt, rowsOf, start } = yield* openTopic("clicks", { strategy: "from_latest" })
      const before = yield* planAt(start)
      const rows = yield* rowsOf(start, before)
      assert.lengthOf(rows, 1000)
      yield* TestClock.adjust("10 hours")
      assert.deepStrictEqual(yield* rowsOf(start, before), rows)
      const skipped = yield* planAt(before.to)
      assert.strictEqual(skipped.rows, 0)
      assert.deepStrictEqual(yield* rowsOf(before.to, skipped), [])
      const after = yield* planAt(skipped.to)
      const [row] = yield* rowsOf(skipped.to, after)
      assert.include(new TextDecoder().decode(row), `"time":"2026-11-27 15:45:`)
      // However late it is read.
      yield* TestClock.adjust("10 hours")
      assert.deepStrictEqual(yield* rowsOf(before.to, skipped), [])
      assert.lengthOf(yield* rowsOf(skipped.to, after), after.rows)
    })
  )

  it.effect("lose what is older than some seconds in the topic logs, of which a pipe hears", () =>
    Effect.gen(function* () {
      const { planAt, rowsOf, start } = yield* openTopic("logs")
      const planned = yield* planAt(start)
      yield* TestClock.adjust("31 seconds")
      const calls: ReadonlyArray<Effect.Effect<unknown, MoveError>> = [planAt(planned.to), rowsOf(start, planned)]
      for (const call of calls) {
        const error = yield* Effect.flip(call)
        assert.strictEqual(error._tag, "PositionLost")
        assert.include(error.message, "partition logs/0: the source no longer holds")
      }
    })
  )

  it.effect("begin at a time, and are several", () =>
    Effect.gen(function* () {
      const timed = yield* openTopic("clicks", { strategy: "from_timestamp", timestamp: "2026-11-27T05:59" })
      const [row] = yield* timed.rowsOf(timed.start, yield* timed.planAt(timed.start))
      assert.include(new TextDecoder().decode(row), `"time":"2026-11-27 05:59:00.000"`)
      const { source } = yield* openTopic("clicks, orders,clicks")
      const partitions = (yield* source.partitions).map(({ partition }) => partition)
      assert.deepStrictEqual(partitions, ["clicks/0", "orders/0"])
    })
  )
})
