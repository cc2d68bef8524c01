import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { movePipe, restartPipe } from "../src/index.ts"
import { makePipe, moveAll, numbered, pipeId, textsOf } from "./pipes.ts"

describe("a restored backup", () => {
  for (const restored of ["ledger", "warehouse"] as const) {
    it.effect(`is Failed with both positions when the ${restored} was restored, and goes on from the warehouse`, () =>
      Effect.gen(function* () {
        const pipe = makePipe()
        const moveSome = Effect.fnUntraced(function* (count: number, first: number) {
          yield* pipe.source.append("0", ...numbered(count, first))
          const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), pipe.layer))
          yield* TestClock.adjust("1 minute")
          yield* Fiber.interrupt(fiber)
        })
        yield* moveSome(10, 0)
        const restore = yield* pipe[restored].backup
        yield* moveSome(10, 10)
        yield* restore
        const end = yield* moveAll(pipe)
        assert.strictEqual(end._tag, "Failed")
        const [ledger, warehouse] = restored === "ledger" ? [10, 20] : [20, 10]
        assert.include(end.message ?? "", `is at ${ledger} in the ledger and at ${warehouse} in the warehouse`)
        for (const from of ["ledger", "warehouse"]) {
          assert.include(
            end.message ?? "",
            `headgate pipe resume NAME --from ${from} (POST .../resume {"from":"${from}"})`
          )
        }
        yield* Effect.provide(restartPipe(pipeId, "warehouse"), pipe.layer)
        assert.strictEqual((yield* moveAll(pipe))._tag, "Completed")
        assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(20))
      })
    )
  }

  for (const taken of ["before", "after"] as const) {
    it.effect(`of the ledger is found by the mover that runs, which took the pipe ${taken} the backup`, () =>
      Effect.gen(function* () {
        const pipe = makePipe()
        const move = Effect.provide(movePipe(pipe.move), pipe.layer)
        yield* pipe.source.append("0", ...numbered(10))
        const first = yield* Effect.forkChild(move)
        yield* TestClock.adjust("1 minute")
        const restore = yield* pipe.ledger.backup
        if (taken === "after") yield* Fiber.interrupt(first)
        const fiber = taken === "after" ? yield* Effect.forkChild(move) : first
        yield* pipe.source.append("0", ...numbered(10, 10))
        yield* TestClock.adjust("1 minute")
        yield* restore
        yield* pipe.source.append("0", ...numbered(10, 20))
        yield* TestClock.adjust("1 minute")
        const end = yield* Fiber.join(fiber)
        assert.strictEqual(end._tag, "Failed")
        assert.include(end.message ?? "", "is at 10 in the ledger and at 20 in the warehouse")
        assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(20))
      })
    )
  }

  it.effect("of the warehouse is found by the mover that runs, before it inserts more", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      yield* pipe.source.append("0", ...numbered(10))
      const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), pipe.layer))
      yield* TestClock.adjust("1 minute")
      const restore = yield* pipe.warehouse.backup
      yield* pipe.source.append("0", ...numbered(10, 10))
      yield* TestClock.adjust("1 minute")
      yield* restore
      yield* pipe.source.append("0", ...numbered(10, 20))
      yield* TestClock.adjust("1 minute")
      const end = yield* Fiber.join(fiber)
      assert.strictEqual(end._tag, "Failed")
      assert.include(end.message ?? "", "is at 20 in the ledger and at 10 in the warehouse")
      // Nothing was inserted that a mover that goes on from the warehouse inserts again.
      yield* pipe.source.end
      yield* Effect.provide(restartPipe(pipeId, "warehouse"), pipe.layer)
      assert.strictEqual((yield* moveAll(pipe))._tag, "Completed")
      assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(30))
    })
  )

  it.effect("of the warehouse is found by the mover that runs, whichever partition the next rows are of", () =>
    Effect.gen(function* () {
      const pipe = makePipe({ partitions: ["a", "b"] })
      for (const [partition, first] of [
        ["a", 0],
        ["b", 5]
      ] as const) {
        yield* pipe.source.append(partition, ...numbered(5, first))
      }
      const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), pipe.layer))
      yield* TestClock.adjust("1 minute")
      const restore = yield* pipe.warehouse.backup
      yield* pipe.source.append("a", ...numbered(5, 10))
      yield* TestClock.adjust("1 minute")
      yield* restore
      yield* pipe.source.append("b", ...numbered(5, 15))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(pipe.reports.at(-1)?.state, "Failed")
      const end = yield* Fiber.join(fiber)
      assert.include(end.message ?? "", "partition a is at 10 in the ledger and at 5 in the warehouse")
      yield* pipe.source.end
      yield* Effect.provide(restartPipe(pipeId, "warehouse"), pipe.layer)
      assert.strictEqual((yield* moveAll(pipe))._tag, "Completed")
      assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows).toSorted(), numbered(20).toSorted())
    })
  )

  it.effect("of a ledger that differs in its owner alone stops nothing", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      const restore = yield* pipe.ledger.backup
      const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), pipe.layer))
      yield* TestClock.adjust("10 seconds")
      yield* restore
      yield* pipe.source.append("0", ...numbered(5))
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(5))
      assert.strictEqual(pipe.reports.at(-1)?.state, "Running")
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("of a ledger does not lead to a generation whose tokens are used", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      yield* pipe.source.append("0", ...numbered(15))
      yield* moveAll(pipe)
      const restore = yield* pipe.ledger.backup
      yield* Effect.provide(restartPipe(pipeId, "start"), pipe.layer)
      yield* moveAll(pipe)
      yield* restore
      assert.strictEqual((yield* moveAll(pipe))._tag, "Failed")
      yield* pipe.warehouse.empty
      yield* Effect.provide(restartPipe(pipeId, "start"), pipe.layer)
      yield* moveAll(pipe)
      assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(15))
    })
  )

  it.effect("of a warehouse from before a resync is gone on with where it stands", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      const moveSome = Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), pipe.layer))
        yield* TestClock.adjust("1 minute")
        yield* Fiber.interrupt(fiber)
      })
      yield* pipe.source.append("0", ...numbered(10))
      yield* moveSome
      const restore = yield* pipe.warehouse.backup
      yield* pipe.warehouse.empty
      yield* Effect.provide(restartPipe(pipeId, "start"), pipe.layer)
      yield* pipe.source.append("0", ...numbered(5, 10))
      yield* moveSome
      yield* restore
      assert.strictEqual((yield* moveAll(pipe))._tag, "Failed")
      yield* Effect.provide(restartPipe(pipeId, "warehouse"), pipe.layer)
      yield* moveAll(pipe)
      assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(15))
    })
  )
})

describe("restartPipe", () => {
  for (const from of ["ledger", "warehouse"] as const) {
    it.effect(`from the ${from} keeps the positions of partitions that have not moved since, however often`, () =>
      Effect.gen(function* () {
        const pipe = makePipe({ partitions: ["a", "b"] })
        const moveMore = Effect.fnUntraced(function* (partition: string, first: number) {
          yield* pipe.source.append(partition, ...numbered(5, first))
          const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), pipe.layer))
          yield* TestClock.adjust("1 minute")
          yield* Fiber.interrupt(fiber)
        })
        const restart = Effect.provide(restartPipe(pipeId, from), pipe.layer)
        yield* moveMore("a", 0)
        yield* moveMore("b", 5)
        yield* restart
        yield* restart
        yield* moveMore("a", 10)
        yield* restart
        yield* restart
        yield* moveMore("b", 15)
        assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(20))
      })
    )
  }
})
