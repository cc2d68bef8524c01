import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { LedgerError, type MoveOptions, movePipe, OwnershipLost, Warehouse, WarehouseError } from "../src/index.ts"
import { makePipe, numbered, type Pipe, textsOf } from "./pipes.ts"

const down = new WarehouseError({ message: "the warehouse is down" })

/** Moves until nothing is left to move, and returns the reports of this mover. */
const moveSome = Effect.fnUntraced(function* (
  pipe: Pipe,
  options: Partial<MoveOptions> = {},
  layer: Pipe["layer"] = pipe.layer
): Effect.fn.Return<Pipe["reports"], never, Scope.Scope> {
  const before = pipe.reports.length
  const fiber = yield* Effect.forkChild(Effect.provide(movePipe({ ...pipe.move, ...options }), layer))
  yield* TestClock.adjust("1 minute")
  yield* Fiber.interrupt(fiber)
  return pipe.reports.slice(before)
})

const failureOf = (reports: Pipe["reports"]): string => {
  const last = reports.at(-1)
  assert.strictEqual(last?.state, "Failed")
  return last?.message ?? ""
}

describe("accepted tables", () => {
  for (const decision of [{ acceptTable: true }, { from: "start" }] as const) {
    it.effect(
      `after another one has its name (${Object.keys(decision)}) are kept, and nothing is inserted before`,
      () =>
        Effect.gen(function* () {
          const pipe = makePipe()
          yield* pipe.source.append("0", ...numbered(10))
          yield* moveSome(pipe)
          yield* pipe.warehouse.replaceTable
          yield* pipe.source.append("0", ...numbered(10, 10))
          assert.include(failureOf(yield* moveSome(pipe)), "--accept-table")
          assert.include(failureOf(yield* moveSome(pipe)), "--accept-table")
          assert.lengthOf(yield* pipe.warehouse.rows, 0)
          yield* moveSome(pipe, { decision })
          const rows = "from" in decision ? numbered(20) : numbered(10, 10)
          assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), rows)
          // It was recorded: later movers know the table.
          yield* pipe.source.append("0", ...numbered(5, 20))
          yield* moveSome(pipe)
          assert.lengthOf(yield* pipe.warehouse.rows, rows.length + 5)
          yield* pipe.warehouse.replaceTable
          assert.include(failureOf(yield* moveSome(pipe)), "--accept-table")
        })
    )
  }

  it.effect("begin no generation, and are forgotten before rows are moved, once", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      yield* pipe.source.append("0", ...numbered(10))
      yield* moveSome(pipe)
      yield* pipe.source.append("0", ...numbered(10, 10))
      const moved: Array<number> = []
      const decided = Effect.map(pipe.warehouse.rows, (rows) => void moved.push(rows.length))
      yield* moveSome(pipe, { decision: { acceptTable: true }, decided })
      assert.deepStrictEqual(moved, [10])
      assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(20))
      assert.strictEqual((yield* pipe.ledger.ledger.state(pipe.move.pipeId)).current?.generation, 1)
    })
  )
})

describe("a decision to restart", () => {
  /** A pipe whose ledger was restored from a backup that 10 of its 20 rows are behind. */
  const restored = Effect.gen(function* () {
    const pipe = makePipe()
    yield* pipe.source.append("0", ...numbered(10))
    yield* moveSome(pipe)
    const restore = yield* pipe.ledger.backup
    yield* pipe.source.append("0", ...numbered(10, 10))
    yield* moveSome(pipe)
    yield* restore
    failureOf(yield* moveSome(pipe))
    return pipe
  })

  it.effect("is carried out before rows are moved, and forgotten before that, once", () =>
    Effect.gen(function* () {
      const pipe = yield* restored
      const moved: Array<number> = []
      const decided = Effect.map(pipe.warehouse.rows, (rows) => void moved.push(rows.length))
      yield* pipe.source.append("0", ...numbered(5, 20))
      yield* moveSome(pipe, { decision: { from: "warehouse" }, decided })
      assert.deepStrictEqual(moved, [20])
      assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(25))
    })
  )

  for (const from of ["start", "ledger", "warehouse"] as const) {
    it.effect(`from the ${from} is carried out twice where a mover ended before it was forgotten`, () =>
      Effect.gen(function* () {
        const pipe = yield* restored
        const before = (yield* pipe.warehouse.rows).length
        const killed = yield* moveSome(pipe, { decision: { from }, decided: Effect.never })
        assert.notInclude(
          killed.map(({ state }) => state),
          "Running"
        )
        assert.lengthOf(yield* pipe.warehouse.rows, before)
        yield* moveSome(pipe, { decision: { from } })
        const again = { start: numbered(20), ledger: numbered(10, 10), warehouse: [] }[from]
        assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), [...numbered(20), ...again])
      })
    )
  }

  it.effect("is tried again while it cannot be forgotten, and left to another mover once the pipe has changed", () =>
    Effect.gen(function* () {
      const pipe = yield* restored
      let tries = 0
      const decided = Effect.suspend(() => {
        tries += 1
        return tries < 3 ? Effect.fail(new LedgerError({ message: "the store is away" })) : Effect.void
      })
      const reports = yield* moveSome(pipe, { decision: { from: "warehouse" }, decided })
      assert.deepStrictEqual([tries, reports.at(-1)?.state], [3, "Running"])
      assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(20))

      const changed = new OwnershipLost({ message: "a caller has changed the pipe" })
      const fiber = yield* Effect.forkChild(
        Effect.provide(
          movePipe({ ...pipe.move, decision: { from: "start" }, decided: Effect.fail(changed) }),
          pipe.layer
        )
      )
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Superseded")
      assert.lengthOf(yield* pipe.warehouse.rows, 20)
    })
  )

  it.effect("reads another source from its start alone", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      yield* pipe.source.append("0", ...numbered(10))
      yield* moveSome(pipe)
      yield* pipe.source.replace("another topic")
      yield* pipe.source.append("0", ...numbered(20, 100))
      const remedy = "headgate pipe resume NAME --from start"
      assert.include(failureOf(yield* moveSome(pipe)), remedy)
      for (const from of ["ledger", "warehouse"] as const) {
        assert.include(failureOf(yield* moveSome(pipe, { decision: { from } })), remedy)
      }
      yield* moveSome(pipe, { decision: { from: "start" } })
      assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), [...numbered(10), ...numbered(20, 100)])
    })
  )
})

describe("a decision to skip", () => {
  it.effect("leaves out what the source has lost, and moves no other row twice", () =>
    Effect.gen(function* () {
      const pipe = makePipe({ partitions: ["a", "b"] })
      yield* pipe.source.append("a", ...numbered(5))
      yield* moveSome(pipe)
      yield* pipe.source.append("a", ...numbered(5, 5))
      yield* pipe.source.append("b", ...numbered(5, 10))
      yield* pipe.source.loseBefore("a", 8)
      assert.include(failureOf(yield* moveSome(pipe)), "no longer holds 5, its first position is 8")
      assert.include(failureOf(yield* moveSome(pipe, { decision: { pending: "replay" } })), "resume NAME --skip")
      const killed = { decision: { pending: "skip" }, decided: Effect.never } as const
      yield* moveSome(pipe, killed)
      yield* moveSome(pipe, { decision: { pending: "skip" } })
      const texts = textsOf(yield* pipe.warehouse.rows).toSorted()
      assert.deepStrictEqual(texts, [...numbered(5), ...numbered(2, 8), ...numbered(5, 10)].toSorted())
    })
  )

  /** A pipe with a pending range of 5 rows in each partition, into a table that remembers tokens for an hour. */
  const withPending = Effect.fnUntraced(function* (...partitions: ReadonlyArray<string>) {
    const destination = { guarantee: "exactly once", remembersFor: Duration.hours(1) } as const
    const pipe = makePipe({ warehouse: { destination }, partitions })
    const { warehouse } = pipe.warehouse
    const state = { isDown: true }
    const layer = Layer.merge(
      pipe.layer,
      Layer.succeed(Warehouse, {
        ...warehouse,
        // Every partition has recorded its range by then.
        insert: (...parameters) =>
          state.isDown ? Effect.andThen(Effect.sleep("1 second"), Effect.fail(down)) : warehouse.insert(...parameters)
      })
    )
    for (const [index, partition] of partitions.entries()) {
      yield* pipe.source.append(partition, ...numbered(5, 5 * index))
    }
    yield* moveSome(pipe, {}, layer)
    state.isDown = false
    return { pipe, layer, state }
  })

  it.effect("leaves out a pending range that the source has lost", () =>
    Effect.gen(function* () {
      const { pipe } = yield* withPending("0")
      yield* pipe.source.loseBefore("0", 3)
      assert.include(failureOf(yield* moveSome(pipe)), "no longer holds 0")
      yield* pipe.source.append("0", ...numbered(5, 5))
      yield* moveSome(pipe, { decision: { pending: "skip" } })
      assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(5, 5))
    })
  )

  it.effect("leaves out no pending range of another partition, which was decided to be replayed", () =>
    Effect.gen(function* () {
      const { pipe } = yield* withPending("a", "b")
      yield* TestClock.adjust("1 hour")
      assert.include(failureOf(yield* moveSome(pipe)), "--replay")
      yield* pipe.source.loseBefore("a", 3)
      assert.include(failureOf(yield* moveSome(pipe, { decision: { pending: "replay" } })), "--skip")
      yield* moveSome(pipe, { decision: { pending: "skip" } })
      assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(5, 5))
    })
  )

  for (const pending of ["replay", "skip"] as const) {
    it.effect(`(${pending}) says nothing of ranges that are forgotten later, by the same mover`, () =>
      Effect.gen(function* () {
        const { layer, pipe, state } = yield* withPending("0")
        yield* TestClock.adjust("1 hour")
        const options = { ...pipe.move, decision: { pending }, retryTimeout: Duration.hours(9) }
        const fiber = yield* Effect.forkChild(Effect.provide(movePipe(options), layer))
        yield* TestClock.adjust("1 minute")
        const rows = pending === "replay" ? 5 : 0
        assert.lengthOf(yield* pipe.warehouse.rows, rows)
        state.isDown = true
        yield* pipe.source.append("0", ...numbered(5, 5))
        yield* TestClock.adjust("3 hours")
        state.isDown = false
        yield* TestClock.adjust("3 hours")
        const end = yield* Fiber.join(fiber)
        assert.strictEqual(end._tag, "Failed")
        for (const flag of ["--replay", "--skip"]) assert.include(end.message ?? "", flag)
        assert.lengthOf(yield* pipe.warehouse.rows, rows)
      })
    )
  }
})
