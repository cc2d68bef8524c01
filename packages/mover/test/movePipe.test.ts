import { assert, describe, it } from "@effect/vitest"
import { Faulty } from "@headgate/memory-adapter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Ledger, LedgerError, movePipe, restartPipe, Source, Warehouse, WarehouseError } from "../src/index.ts"
import { makePipe, moveAll, numbered, pipeId, textsOf } from "./pipes.ts"

const down = new WarehouseError({ message: "the warehouse is down" })

describe("movePipe", () => {
  it.effect("moves every row of every partition once, in ranges within the limits", () =>
    Effect.gen(function* () {
      const pipe = makePipe({ partitions: ["a", "b", "c"] })
      yield* pipe.source.append("a", ...numbered(25))
      yield* pipe.source.append("c", ...numbered(10, 25))
      assert.strictEqual((yield* moveAll(pipe))._tag, "Completed")
      assert.sameMembers([...textsOf(yield* pipe.warehouse.rows)], [...numbered(35)])
      const last = pipe.reports.at(-1)
      assert.deepInclude(last, { state: "Completed", guarantee: "exactly once", ranges: 4, rows: 35, rejectedRows: 0 })
    })
  )

  it.effect("moves what is there without waiting for more, and is Running", () =>
    Effect.gen(function* () {
      const pipe = makePipe({ partitions: ["0", "1"] })
      yield* pipe.source.append("0", ...numbered(5))
      yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), pipe.layer))
      yield* TestClock.adjust("100 millis")
      assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(5))
      assert.deepInclude(pipe.reports.at(-1), { state: "Running", rows: 5 })
      // What follows is collected for as long as the limits say.
      yield* pipe.source.append("0", ...numbered(5, 5))
      yield* TestClock.adjust("100 millis")
      assert.lengthOf(yield* pipe.warehouse.rows, 5)
    })
  )

  it.effect("keeps where it began, so that a start at the end of the source passes over nothing that came since", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      yield* pipe.source.append("0", ...numbered(5))
      // A source that begins at its end: what a new process finds there has moved on.
      const starting = (start: string) =>
        Layer.succeed(Source, {
          ...pipe.source.source,
          partitions: Effect.succeed([{ partition: "0", first: "0", start }])
        })
      const waiting = Layer.succeed(Source, {
        ...pipe.source.source,
        partitions: Effect.succeed([{ partition: "0", first: "0", start: "2" }]),
        plan: () => Effect.never
      })
      const first = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), Layer.merge(pipe.layer, waiting)))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(first)
      yield* moveAll(pipe, Layer.merge(pipe.layer, starting("5")))
      assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(3, 2))
    })
  )

  it.effect("reads on past offsets that the source lacks", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      yield* pipe.source.append("0", ...numbered(40))
      yield* pipe.source.compact("0", (offset) => offset % 3 === 0)
      yield* moveAll(pipe)
      assert.deepStrictEqual(
        textsOf(yield* pipe.warehouse.rows),
        numbered(40).filter((_, offset) => offset % 3 === 0)
      )
    })
  )

  it.effect("is Degraded while the warehouse fails, goes on when it works, and says so", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      yield* pipe.source.append("0", ...numbered(5))
      const layer = Faulty.layer(Warehouse, [
        { method: "insert", call: 1, fail: down },
        { method: "insert", call: 2, loseAnswer: down },
        { method: "log", call: 1, loseAnswer: down }
      ]).pipe(Layer.provideMerge(pipe.layer))
      assert.strictEqual((yield* moveAll(pipe, layer))._tag, "Completed")
      assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(5))
      const told = pipe.reports.filter(({ state }) => state !== "Setup")
      assert.deepInclude(told[0], { state: "Degraded", message: "the warehouse is down" })
      assert.deepStrictEqual(
        told.map(({ state }) => state),
        // The fourth one has the count of what the third attempt found in the log.
        ["Degraded", "Degraded", "Degraded", "Degraded", "Running", "Completed"]
      )
      assert.isUndefined(pipe.reports.at(-1)?.message)
    })
  )

  it.effect("leaves the pipe to a mover that took it, and inserts nothing more", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      yield* pipe.source.append("0", ...numbered(5))
      const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), pipe.layer))
      yield* TestClock.adjust("1 second")
      assert.lengthOf(yield* pipe.warehouse.rows, 5)
      yield* pipe.ledger.ledger.take(pipeId)
      yield* pipe.source.append("0", ...numbered(5, 5))
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Superseded")
      assert.lengthOf(yield* pipe.warehouse.rows, 5)
    })
  )

  it.effect("checks its epoch before it replays a pending range", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      yield* pipe.source.append("0", ...numbered(5))
      yield* pipe.source.end
      const hangs = Faulty.layer(Warehouse, [{ method: "insert", delay: "Infinity" }])
      const killed = yield* Effect.forkChild(
        Effect.provide(movePipe(pipe.move), hangs.pipe(Layer.provideMerge(pipe.layer)))
      )
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(killed)
      // Slow before it replays, and shorter than a pause that makes it check between rows.
      const slow = Faulty.layer(Warehouse, [{ method: "logged", delay: "2 seconds" }])
      const fiber = yield* Effect.forkChild(
        Effect.provide(movePipe(pipe.move), slow.pipe(Layer.provideMerge(pipe.layer)))
      )
      yield* TestClock.adjust("1 second")
      yield* pipe.ledger.ledger.take(pipeId)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Superseded")
      assert.lengthOf(yield* pipe.warehouse.rows, 0)
    })
  )

  it.effect("checks its epoch after a pause of more than 5 seconds while it sends a range", () =>
    Effect.gen(function* () {
      for (const [pause, tag] of [
        ["4 seconds", "Completed"],
        ["6 seconds", "Superseded"]
      ] as const) {
        const pipe = makePipe()
        yield* pipe.source.append("0", ...numbered(5))
        yield* pipe.source.end
        // Frozen between its check and the rows; another mover takes the pipe meanwhile.
        const layer = Faulty.layer(Warehouse, [{ method: "insert", delay: pause }]).pipe(Layer.provideMerge(pipe.layer))
        const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), layer))
        yield* TestClock.adjust("1 second")
        if (tag === "Superseded") yield* pipe.ledger.ledger.take(pipeId)
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual((yield* Fiber.join(fiber))._tag, tag)
        assert.lengthOf(yield* pipe.warehouse.rows, tag === "Completed" ? 5 : 0)
      }
    })
  )

  it.effect(
    "checks its epoch before it sends a range if it was frozen for more than 5 seconds when that was recorded",
    () =>
      Effect.gen(function* () {
        for (const [pause, tag] of [
          ["4 seconds", "Completed"],
          ["6 seconds", "Superseded"]
        ] as const) {
          const pipe = makePipe()
          yield* pipe.source.append("0", ...numbered(5))
          yield* pipe.source.end
          const { ledger } = pipe.ledger
          const frozen = Layer.succeed(Ledger, {
            ...ledger,
            record: (owner, range) => Effect.andThen(ledger.record(owner, range), Effect.sleep(pause))
          })
          const fiber = yield* Effect.forkChild(
            Effect.provide(movePipe(pipe.move), frozen.pipe(Layer.provideMerge(pipe.layer)))
          )
          yield* TestClock.adjust("1 second")
          if (tag === "Superseded") yield* ledger.take(pipeId)
          yield* TestClock.adjust("10 seconds")
          assert.strictEqual((yield* Fiber.join(fiber))._tag, tag)
          assert.lengthOf(yield* pipe.warehouse.rows, tag === "Completed" ? 5 : 0)
        }
      })
  )

  it.effect("is Failed with the lost offsets when the source no longer holds the next one", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      yield* pipe.source.append("0", ...numbered(30))
      const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), pipe.layer))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.interrupt(fiber)
      yield* pipe.source.append("0", ...numbered(30, 30))
      yield* pipe.source.loseBefore("0", 42)
      const end = yield* moveAll(pipe)
      assert.strictEqual(end._tag, "Failed")
      assert.include(end.message ?? "", "no longer holds 30, its first position is 42")
      assert.lengthOf(yield* pipe.warehouse.rows, 30)
    })
  )

  it.effect("is Failed when the source is another one, until a resync reads that from its start", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      yield* pipe.source.append("0", ...numbered(5))
      yield* moveAll(pipe)
      yield* pipe.source.replace("another topic")
      yield* pipe.source.append("0", ...numbered(7, 100))
      const end = yield* moveAll(pipe)
      assert.include(end.message ?? "", "it was memory and is another topic")
      yield* Effect.provide(restartPipe(pipeId, "start"), pipe.layer)
      assert.strictEqual((yield* moveAll(pipe))._tag, "Completed")
      assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), [...numbered(5), ...numbered(7, 100)])
    })
  )

  it.effect("fills an emptied table again after a resync", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      yield* pipe.source.append("0", ...numbered(15))
      yield* moveAll(pipe)
      yield* pipe.warehouse.empty
      yield* Effect.provide(restartPipe(pipeId, "start"), pipe.layer)
      yield* moveAll(pipe)
      assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(15))
    })
  )

  for (const [pending, rows] of [
    [undefined, 0],
    ["replay", 5],
    ["skip", 0]
  ] as const) {
    it.effect(`does not replay blindly what the warehouse may have forgotten: ${pending ?? "by default"}`, () =>
      Effect.gen(function* () {
        const destination = { guarantee: "exactly once", remembersFor: Duration.hours(1) } as const
        const pipe = makePipe({
          warehouse: { destination },
          move: pending === undefined ? {} : { decision: { pending } }
        })
        yield* pipe.source.append("0", ...numbered(5))
        const layer = Faulty.layer(Warehouse, [{ method: "insert", fail: down }]).pipe(Layer.provideMerge(pipe.layer))
        const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), layer))
        yield* TestClock.adjust("2 seconds")
        yield* Fiber.interrupt(fiber)
        yield* TestClock.adjust("1 hour")
        const end = yield* moveAll(pipe)
        assert.strictEqual(end._tag, pending === undefined ? "Failed" : "Completed")
        if (pending === undefined) assert.include(end.message ?? "", "partition 0, from 0 to 5 (generation 1)")
        assert.lengthOf(yield* pipe.warehouse.rows, rows)
        if (pending !== undefined) assert.strictEqual((yield* moveAll(pipe))._tag, "Completed")
      })
    )
  }

  /** How a mover ends that finds a pending range of five rows in the table, so many inserts of other pipes later. */
  const moveLater = Effect.fnUntraced(function* (others: number, isLogged: boolean) {
    const pipe = makePipe()
    const { warehouse } = pipe.warehouse
    yield* pipe.source.append("0", ...numbered(5))
    const ledgerDown = new LedgerError({ message: "the ledger is down" })
    const layer = isLogged
      ? Layer.provideMerge(Faulty.layer(Ledger, [{ method: "markDone", fail: ledgerDown }]), pipe.layer)
      : Layer.provideMerge(Faulty.layer(Warehouse, [{ method: "log", fail: down }]), pipe.layer)
    const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), layer))
    yield* TestClock.adjust("2 seconds")
    yield* Fiber.interrupt(fiber)
    const counting: Warehouse["Service"] = {
      ...warehouse,
      logged: (id) =>
        Effect.map(warehouse.logged(id), ({ inserts = 0, ...rest }) => ({ ...rest, inserts: inserts + others }))
    }
    const { _tag, message = "" } = yield* moveAll(pipe, Layer.merge(pipe.layer, Layer.succeed(Warehouse, counting)))
    assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(5))
    return { _tag, message }
  })

  it.effect("repeats a range as long as the table has its token: not thousands of inserts later", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* moveLater(8998, false))._tag, "Completed")
      const end = yield* moveLater(9000, false)
      assert.strictEqual(end._tag, "Failed")
      for (const flag of ["--replay", "--skip"]) assert.include(end.message, flag)
    })
  )

  it.effect("inserts nothing again that the log has, however many inserts came since", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* moveLater(9000, true))._tag, "Completed")
    })
  )

  it.effect("records what the source says of a range, and reads the range with it", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      yield* pipe.source.append("0", ...numbered(5))
      const details: Array<string | undefined> = []
      const layer = Layer.effect(
        Source,
        Source.useSync((source) => ({
          ...source,
          plan: (partition, from, limits) =>
            Effect.map(source.plan(partition, from, limits), (plan) =>
              plan._tag === "Planned" ? { ...plan, detail: `{"etag":"a"}` } : plan
            ),
          read: (range) => {
            details.push(range.detail)
            return source.read(range)
          }
        }))
      ).pipe(Layer.provideMerge(pipe.layer))
      const failing = Faulty.layer(Warehouse, [{ method: "insert", call: 1, fail: down }])
      assert.strictEqual((yield* moveAll(pipe, failing.pipe(Layer.provideMerge(layer))))._tag, "Completed")
      // The second time from the ledger.
      assert.deepStrictEqual(details, [`{"etag":"a"}`, `{"etag":"a"}`])
    })
  )

  it.effect("is Completed as soon as all partitions have ended", () =>
    Effect.gen(function* () {
      const pipe = makePipe({ partitions: ["a", "b"] })
      yield* pipe.source.append("a", ...numbered(5))
      yield* pipe.source.end
      const slow = Faulty.layer(Warehouse, [{ method: "insert", delay: "1 second" }])
      const fiber = yield* Effect.forkChild(
        Effect.provide(movePipe(pipe.move), slow.pipe(Layer.provideMerge(pipe.layer)))
      )
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(fiber.pollUnsafe()?._tag, "Success")
    })
  )

  it.effect("is Failed when the destination remembers too few inserts, with the statement to run", () =>
    Effect.gen(function* () {
      const end = yield* moveAll(makePipe({ warehouse: { window: 100 } }))
      assert.strictEqual(end._tag, "Failed")
      assert.include(end.message ?? "", "ALTER TABLE")
    })
  )

  it.effect("goes on when the ledger fails, whether what it was told arrived or not", () =>
    Effect.gen(function* () {
      const pipe = makePipe()
      yield* pipe.source.append("0", ...numbered(25))
      const gone = new LedgerError({ message: "the ledger is gone" })
      const layer = Faulty.layer(Ledger, [
        { method: "take", call: 1, loseAnswer: gone },
        { method: "begin", call: 1, loseAnswer: gone },
        { method: "record", call: 1, loseAnswer: gone },
        { method: "record", call: 2, fail: gone },
        { method: "markDone", call: 1, loseAnswer: gone },
        { method: "markDone", call: 2, fail: gone }
      ]).pipe(Layer.provideMerge(pipe.layer))
      assert.strictEqual((yield* moveAll(pipe, layer))._tag, "Completed")
      assert.deepStrictEqual(textsOf(yield* pipe.warehouse.rows), numbered(25))
    })
  )

  it.effect("reports at least once for a destination that ignores tokens", () =>
    Effect.gen(function* () {
      const pipe = makePipe({ warehouse: { destination: { guarantee: "at least once" } } })
      yield* moveAll(pipe)
      assert.strictEqual(pipe.reports.at(-1)?.guarantee, "at least once")
    })
  )
})
