import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { movePipe, type RangeLimits, restartPipe, Source, Warehouse } from "../src/index.ts"
import { makePipe, numbered, type Pipe, pipeId, textsOf } from "./pipes.ts"

/** The warehouse of a pipe, whose inserts take a time that depends on their partition. */
const slowed = (pipe: Pipe, around: <A, E>(partition: string, insert: Effect.Effect<A, E>) => Effect.Effect<A, E>) =>
  Layer.effect(
    Warehouse,
    Warehouse.useSync((warehouse) => ({
      ...warehouse,
      insert: (owner, range, token, rows, record) =>
        around(range.partition, warehouse.insert(owner, range, token, rows, record))
    }))
  ).pipe(Layer.provideMerge(pipe.layer))

describe("partitions", () => {
  it.effect("are not held up by one whose inserts are slow", () =>
    Effect.gen(function* () {
      const pipe = makePipe({ partitions: ["slow", "quick"] })
      yield* pipe.source.append("slow", ...numbered(10))
      yield* pipe.source.append("quick", ...numbered(100, 10))
      const layer = slowed(pipe, (partition, insert) =>
        partition === "slow" ? Effect.andThen(Effect.sleep("1 hour"), insert) : insert
      )
      const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), layer))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(100, 10))
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("are not held up by idle ones, which wait for rows without a place of their own", () =>
    Effect.gen(function* () {
      const idle = Array.from({ length: 50 }, (_, index) => `idle ${index}`)
      const pipe = makePipe({ partitions: [...idle, "busy"], move: { inFlight: 1 } })
      yield* pipe.source.append("busy", ...numbered(100))
      const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), pipe.layer))
      yield* TestClock.adjust("1 second")
      assert.lengthOf(yield* pipe.warehouse.rows, 100)
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("may be waited for longer once they have shown that they work", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      const planned: Array<RangeLimits> = []
      const layer = Layer.effect(
        Source,
        Source.useSync((source) => ({
          ...source,
          plan: (partition, from, limits) =>
            Effect.suspend(() => {
              planned.push(limits)
              return source.plan(partition, from, limits)
            })
        }))
      ).pipe(Layer.provideMerge(pipe.layer))
      const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), layer))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(pipe.reports.at(-1)?.state, "Running")
      const [first, ...more] = planned.map(({ idleTimeout }) => idleTimeout)
      assert.isUndefined(first)
      assert.isNotEmpty(more)
      assert.notInclude(more, undefined)
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("are inserted and pending at most so many at a time as `inFlight` says", () =>
    Effect.gen(function* () {
      const partitions = ["a", "b", "c", "d", "e"]
      const pipe = makePipe({ partitions, move: { inFlight: 2 } })
      for (const partition of partitions) yield* pipe.source.append(partition, ...numbered(30))
      let inFlight = 0
      const most: Array<number> = []
      const layer = slowed(pipe, (_, insert) =>
        Effect.gen(function* () {
          inFlight += 1
          const { pending } = yield* Effect.orDie(pipe.ledger.ledger.state(pipe.move.pipeId))
          most.push(inFlight, pending.length)
          yield* Effect.sleep("1 second")
          inFlight -= 1
          return yield* insert
        })
      )
      const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), layer))
      yield* TestClock.adjust("1 minute")
      assert.lengthOf(yield* pipe.warehouse.rows, 150)
      assert.strictEqual(Math.max(...most), 2)
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("that are new are moved while the mover runs", () =>
    Effect.gen(function* () {
      const pipe = makePipe({ partitions: [] })
      const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), pipe.layer))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(pipe.reports.at(-1)?.state, "Running")
      for (const partition of ["first", "second"]) {
        yield* pipe.source.append(partition, ...numbered(5))
        yield* TestClock.adjust("35 seconds")
      }
      assert.deepStrictEqual(
        (yield* pipe.warehouse.rows).map(({ partition }) => partition),
        ["first", "second"].flatMap((partition) => Array.from({ length: 5 }, () => partition))
      )
      yield* pipe.source.end
      yield* TestClock.adjust("35 seconds")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Completed")
    })
  )

  it.effect("that are added while no mover runs are moved from their first row, whatever the start is", () =>
    Effect.gen(function* () {
      const pipe = makePipe({ start: "latest" })
      const moveSome = Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), pipe.layer))
        yield* TestClock.adjust("1 minute")
        yield* Fiber.interrupt(fiber)
      })
      yield* pipe.source.append("0", ...numbered(5))
      yield* moveSome
      yield* pipe.source.append("0", ...numbered(5, 5))
      yield* pipe.source.append("added", ...numbered(5, 10))
      yield* moveSome
      assert.sameMembers([...textsOf(yield* pipe.warehouse.rows)], [...numbered(10, 5)])
    })
  )

  it.effect("begin where the source says after a resync, except those that are added after it", () =>
    Effect.gen(function* () {
      const pipe = makePipe({ start: "latest" })
      const moveSome = Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), pipe.layer))
        yield* TestClock.adjust("1 minute")
        yield* Fiber.interrupt(fiber)
      })
      yield* pipe.source.append("0", ...numbered(5))
      yield* moveSome
      yield* Effect.provide(restartPipe(pipeId, "start"), pipe.layer)
      yield* pipe.source.append("0", ...numbered(5, 5))
      yield* pipe.source.append("added", ...numbered(5, 10))
      yield* moveSome
      assert.sameMembers([...textsOf(yield* pipe.warehouse.rows)], [...numbered(10, 5)])
    })
  )

  for (const from of ["ledger", "warehouse"] as const) {
    it.effect(`begin where the source says when a pipe that never moved is restarted from the ${from}`, () =>
      Effect.gen(function* () {
        const pipe = makePipe({ start: "latest" })
        yield* pipe.source.append("0", ...numbered(5))
        yield* Effect.provide(restartPipe(pipeId, from), pipe.layer)
        yield* pipe.source.append("0", ...numbered(5, 5))
        const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), pipe.layer))
        yield* TestClock.adjust("1 minute")
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(5, 5))
      })
    )
  }
})
