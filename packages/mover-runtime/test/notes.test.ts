import { assert, describe, it } from "@effect/vitest"
import { MemoryLeases } from "@headgate/mover/memory"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { hasChanged } from "../src/pipe/hasChanged.ts"
import { averageLoad, type PipeLoad, weightOf } from "../src/pipe/pipeLoad.ts"
import { watchPipesWithoutMover } from "../src/index.ts"
import { makeShared, seconds, startProcess, withStore } from "./support/processes.ts"

describe("what is kept of a pipe", () => {
  const text = (fields: object) =>
    JSON.stringify({ rows: 1000, lag: 10, mover: "a", warnings: ["w"], nextList: null, ...fields })

  it("is written anew for a figure that has changed by more than 1 %, and for anything else that has changed", () => {
    assert.isTrue(hasChanged(undefined, text({})))
    assert.isFalse(hasChanged(text({}), text({})))
    assert.isFalse(hasChanged(text({}), text({ rows: 1010 })))
    assert.isTrue(hasChanged(text({}), text({ rows: 1011 })))
    assert.isTrue(hasChanged(text({}), text({ rows: 989 })))
    assert.isTrue(hasChanged(text({ lag: 0 }), text({ lag: 1 })))
    assert.isTrue(hasChanged(text({}), text({ lag: null })))
    assert.isTrue(hasChanged(text({}), text({ warnings: ["x"] })))
    assert.isTrue(hasChanged(text({}), text({ warnings: [] })))
    assert.isTrue(hasChanged(text({}), text({ mover: "b" })))
    assert.isTrue(hasChanged(text({}), text({ nextList: "2026-01-01T00:00:00Z" })))
    assert.isTrue(hasChanged(text({}), text({ listSeconds: 1 })))
  })

  it.effect("is written every ten seconds at most, and not while nothing changes", () =>
    Effect.gen(function* () {
      const leases = MemoryLeases.make()
      const writes: Array<number> = []
      const counting = {
        ...leases,
        saveMetrics: (...given: Parameters<typeof leases.saveMetrics>) =>
          Effect.andThen(
            Effect.sync(() => writes.push(given[1].size)),
            leases.saveMetrics(...given)
          )
      }
      const { context, source } = yield* makeShared(counting)
      const { create } = yield* startProcess(context)
      yield* create
      yield* seconds(30)
      const before = writes.length
      yield* seconds(60)
      assert.strictEqual(writes.length, before)
      for (let second = 0; second < 40; second += 1) {
        yield* source.append("0", ...Array.from({ length: 50 }, (_, row) => `${second} ${row}`))
        yield* seconds(1)
      }
      assert.isAtLeast(writes.length - before, 3)
      assert.isAtMost(writes.length - before, 5)
    }).pipe(Effect.scoped, withStore)
  )

  it.effect("counts no fewer rows and bytes than the ledger when a mover begins", () =>
    Effect.gen(function* () {
      const leases = MemoryLeases.make()
      const { context, source } = yield* makeShared(leases)
      const one = yield* startProcess(context)
      const pipe = yield* one.create
      yield* source.append("0", "one", "two", "three")
      yield* seconds(15)
      // As a mover leaves it that was killed before it wrote the last figures.
      const [live] = Array.from(one.running.values())
      yield* leases.saveMetrics(
        live?.session ?? "",
        new Map([[pipe.pipeId, JSON.stringify({ rows: 1, errors: 0, bytes: 5 })]])
      )
      const { bytes, rows } = yield* one.status(pipe)
      assert.deepStrictEqual([rows, bytes], [3, 11])
      yield* source.down("no broker answers")
      yield* one.settings(pipe, { streaming_max_insert_wait_ms: 700 })
      yield* seconds(3)
      assert.notStrictEqual(Array.from(one.running.values())[0], live)
      const after = yield* one.status(pipe)
      assert.deepStrictEqual([after.rows, after.bytes], [3, 11])
    }).pipe(Effect.scoped, withStore)
  )
})

describe("the load of a pipe", () => {
  it("is a power of two, which stays as long as it is nearly right", () => {
    assert.deepStrictEqual(
      [0, 1000, 3000, 60_000].map((rate) => weightOf(rate)),
      [1, 2, 4, 64]
    )
    assert.strictEqual(weightOf(40_000, 64), 64)
    assert.strictEqual(weightOf(90_000, 64), 64)
    assert.strictEqual(weightOf(20_000, 64), 16)
  })

  it("is an average over a minute, and is not known before", () => {
    const moved = (seconds: number, rate: (second: number) => number) => {
      let load: PipeLoad | undefined
      const samples: Array<{ readonly at: number; readonly rows: number; readonly bytes: number }> = []
      let rows = 0
      for (let second = 0; second <= seconds; second += 1) {
        rows += rate(second)
        samples.push({ at: second * 1000, rows, bytes: 0 })
        load = averageLoad(load, samples.slice(-10), second * 1000)
      }
      return load
    }
    assert.isUndefined(moved(50, () => 60_000)?.weight)
    assert.strictEqual(moved(400, () => 60_000)?.weight, 64)
    // A burst of a second in ten weighs a tenth.
    assert.strictEqual(moved(400, (second) => (second % 10 === 0 ? 70_000 : 0))?.weight, 8)
  })
})

it.effect(
  "the pipes without a mover are counted, logged once after the time of a lease, and said to be over once",
  () =>
    Effect.gen(function* () {
      const leases = MemoryLeases.make()
      const { context } = yield* makeShared(leases)
      let held = 2
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => {
        logged.push(String(message))
      })
      const store = { ...context.store, leases: { ...leases, held: Effect.sync(() => held) } }
      const asked: Array<string> = []
      const moved = {
        ...context.moved,
        changes: (after?: string) =>
          Effect.tap(context.moved.changes(after), () =>
            Effect.sync(() => asked.push(after === undefined ? "all" : "new"))
          )
      }
      const gaugeIs = (count: number) => `\nheadgate_pipes_without_mover ${count}\n`
      const { create } = yield* startProcess(context)
      const { text } = yield* Effect.provide(
        watchPipesWithoutMover({ ...context, moved, store }, false),
        Logger.layer([logger])
      )
      assert.strictEqual(yield* text, "")
      yield* create
      yield* create
      yield* seconds(6)
      assert.include(yield* text, gaugeIs(0))
      held = 0
      yield* seconds(6)
      assert.include(yield* text, gaugeIs(2))
      // It asks for all pipes at first, and for those that have changed then.
      assert.deepStrictEqual(asked, ["all", "new"])
      // It may be a server that has just ended.
      assert.deepStrictEqual(logged, [])
      yield* seconds(30)
      assert.deepStrictEqual(
        logged.map((line) => line.replace(/\d+ seconds/u, "n seconds")),
        ["2 pipes that are to move have had no mover for n seconds"]
      )
      held = 1
      yield* seconds(6)
      assert.include(yield* text, gaugeIs(1))
      held = 2
      yield* seconds(20)
      assert.include(yield* text, gaugeIs(0))
      assert.deepStrictEqual(logged.slice(1), ["every pipe that is to move has a mover again"])
    }).pipe(Effect.scoped, withStore)
)
