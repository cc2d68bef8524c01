import { assert, describe, it } from "@effect/vitest"
import { Faulty } from "@headgate/memory-adapter"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Ledger, LedgerChanged, movePipe, Source, SourceError, Warehouse, WarehouseError } from "../src/index.ts"
import { makePipe, numbered, textsOf } from "./pipes.ts"

const down = new WarehouseError({ message: "the warehouse is down" })

/** A clock that is ahead of the one of the test by what `ahead` says. */
const clockAhead = (clock: Clock.Clock, ahead: () => Duration.Duration): Clock.Clock => ({
  sleep: (duration) => clock.sleep(duration),
  currentTimeMillis: clock.currentTimeMillis,
  currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
  currentTimeNanos: clock.currentTimeNanos,
  currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
  monotonicTimeNanos: Effect.map(clock.monotonicTimeNanos, (now) => now + Duration.toNanosUnsafe(ahead())),
  monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe() + Duration.toNanosUnsafe(ahead())
})

describe("giving up", () => {
  it.effect("is Failed after 15 minutes of trying, with the reason", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      const unreachable = new SourceError({ message: "the broker does not answer" })
      const layer = Faulty.layer(Source, [{ method: "partitions", fail: unreachable }]).pipe(
        Layer.provideMerge(pipe.layer)
      )
      const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), layer))
      yield* TestClock.adjust("14 minutes")
      assert.strictEqual(pipe.reports.at(-1)?.state, "Degraded")
      yield* TestClock.adjust("2 minutes")
      const end = yield* Fiber.join(fiber)
      assert.strictEqual(end._tag, "Failed")
      assert.match(end.message ?? "", /^tried for 15m( \d+s)? and gave up: the broker does not answer$/)
      assert.strictEqual(pipe.reports.at(-1)?.state, "Failed")
    })
  )

  it.effect("counts the time of earlier movers, and not the time without one", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      const layer = Faulty.layer(Warehouse, [{ method: "open", fail: down }]).pipe(Layer.provideMerge(pipe.layer))
      const first = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), layer))
      yield* TestClock.adjust("10 minutes")
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust("3 hours")
      const second = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), layer))
      yield* TestClock.adjust("4 minutes")
      assert.strictEqual(pipe.reports.at(-1)?.state, "Degraded")
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual((yield* Fiber.join(second))._tag, "Failed")
    })
  )

  it.effect("does not count the time in which the process was stopped", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      const layer = Faulty.layer(Warehouse, [{ method: "open", fail: down }]).pipe(Layer.provideMerge(pipe.layer))
      let stopped = Duration.zero
      const clock = yield* Clock.Clock
      const fiber = yield* movePipe(pipe.move).pipe(
        Effect.provide(layer),
        Effect.provideService(
          Clock.Clock,
          clockAhead(clock, () => stopped)
        ),
        Effect.forkChild
      )
      // Each time that it is stopped may count as 5 seconds, and 10 times as less than a minute.
      for (let stops = 1; stops <= 10; stops += 1) {
        yield* TestClock.adjust("1 minute")
        stopped = Duration.hours(stops)
      }
      yield* TestClock.adjust("4 minutes")
      assert.strictEqual(pipe.reports.at(-1)?.state, "Degraded")
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Failed")
    })
  )

  it.effect("does not begin anew because another partition works", () =>
    Effect.gen(function* () {
      const pipe = makePipe({ partitions: ["good", "bad"] })
      yield* pipe.source.append("good", ...numbered(10_000))
      const unreadable = new SourceError({ message: "the leader of partition bad does not answer" })
      const layer = Layer.effect(
        Source,
        Source.useSync((source) => ({
          ...source,
          plan: (partition, from, limits) =>
            partition === "bad"
              ? Effect.andThen(Effect.sleep("3 seconds"), Effect.fail(unreadable))
              : source.plan(partition, from, { ...limits, rows: 1 })
        }))
      ).pipe(Layer.provideMerge(pipe.layer))
      const slow = Faulty.layer(Warehouse, [{ method: "insert", delay: "1 second" }])
      const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), slow.pipe(Layer.provideMerge(layer))))
      yield* TestClock.adjust("14 minutes")
      const moved = textsOf(yield* pipe.warehouse.rows)
      assert.isAbove(moved.length, 50)
      assert.deepStrictEqual(moved, numbered(moved.length))
      assert.isFalse(pipe.reports.some(({ state }) => state === "Running"))
      yield* TestClock.adjust("2 minutes")
      const end = yield* Fiber.join(fiber)
      assert.include(end.message ?? "", "gave up: the leader of partition bad does not answer")
    })
  )

  it.effect("begins anew after the mover itself has worked, with the first delay", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      let isDown = true
      const unreachable = new SourceError({ message: "the broker does not answer" })
      const layer = Layer.effect(
        Source,
        Source.useSync((source) => ({
          ...source,
          plan: (partition, from, limits) => (isDown ? Effect.fail(unreachable) : source.plan(partition, from, limits))
        }))
      ).pipe(Layer.provideMerge(pipe.layer))
      const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), layer))
      for (let outages = 0; outages < 3; outages += 1) {
        isDown = true
        const reports = pipe.reports.length
        yield* TestClock.adjust("4 seconds")
        // The delays of the first attempts are at most 0.5, 1 and 2 seconds; those of later ones are 30 on the average.
        assert.isAtLeast(pipe.reports.slice(reports).filter(({ state }) => state === "Degraded").length, 3)
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual(pipe.reports.at(-1)?.state, "Degraded")
        isDown = false
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(pipe.reports.at(-1)?.state, "Running")
      }
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("counts each minute once when the ledger is found changed again and again", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      yield* pipe.source.append("0", ...numbered(5))
      const changed = new LedgerChanged({ message: "a backup was restored" })
      const layer = Faulty.layer(Ledger, [{ method: "record", fail: changed }]).pipe(Layer.provideMerge(pipe.layer))
      const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), layer))
      yield* TestClock.adjust("14 minutes")
      assert.strictEqual(pipe.reports.at(-1)?.state, "Degraded")
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Failed")
    })
  )

  it.effect("begins anew after another mover has worked", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      for (let lives = 0; lives < 3; lives += 1) {
        const layer = Faulty.layer(Warehouse, [{ method: "open", fail: down }]).pipe(Layer.provideMerge(pipe.layer))
        const fails = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), layer))
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual(pipe.reports.at(-1)?.state, "Degraded")
        yield* Fiber.interrupt(fails)
        const works = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), pipe.layer))
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual(pipe.reports.at(-1)?.state, "Running")
        yield* Fiber.interrupt(works)
      }
    })
  )
})
