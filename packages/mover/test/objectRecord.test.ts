import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Ledger, type MoveOptions, movePipe, type MoverStatus, Source, Warehouse } from "../src/index.ts"
import { MemoryLedger, MemoryObjects, MemoryWarehouse } from "../src/memory/index.ts"
import { pipeId, textsOf } from "./pipes.ts"

/** A pipe of objects, each of which has its key as its row. Two are read together. */
const makePipe = (refuses: (key: string) => string | undefined = () => undefined) => {
  const source = MemoryObjects.make({ refuses, together: 10 })
  const warehouse = MemoryWarehouse.make({
    objects: source.objects,
    rejects: (text) => (text.startsWith("bad") ? "cannot parse" : undefined)
  })
  const ledger = MemoryLedger.make()
  const reports: Array<MoverStatus> = []
  const ranges: Array<string> = []
  const options: MoveOptions = {
    pipeId,
    limits: { rows: 10, bytes: 1000, wait: Duration.seconds(1) },
    inFlight: 4,
    partsPerInsert: 1,
    pipesOnTable: 1,
    report: (status) => Effect.sync(() => void reports.push(status))
  }
  /** Moves for a minute. */
  const move = Effect.fnUntraced(function* (
    change: Partial<MoveOptions> = {},
    methods: Partial<Warehouse["Service"]> = {}
  ) {
    const layer = Layer.mergeAll(
      Layer.succeed(Source, source.source),
      Layer.succeed(Warehouse, { ...warehouse.warehouse, ...methods }),
      Layer.succeed(Ledger, {
        ...ledger.ledger,
        markDone: (owner, range, delivered) =>
          Effect.tap(ledger.ledger.markDone(owner, range, delivered), () =>
            Effect.sync(() => ranges.push((delivered.objects ?? []).map(({ key }) => key).join(" ")))
          )
      })
    )
    const fiber = yield* Effect.forkChild(Effect.provide(movePipe({ ...options, ...change }), layer))
    yield* TestClock.adjust("1 minute")
    yield* Fiber.interrupt(fiber)
    return reports.at(-1)
  })
  const put = (...keys: ReadonlyArray<string>) => Effect.forEach(keys, (key) => source.put(key, key), { discard: true })
  const holds = (...expected: ReadonlyArray<string>) =>
    Effect.map(warehouse.rows, (rows) => assert.deepStrictEqual(textsOf(rows).toSorted(), expected.toSorted()))
  return { source, warehouse, ledger, move, put, holds, ranges }
}

describe("the record of objects", () => {
  it.effect("has any new key read, whatever its name is, also by a mover that starts later", () =>
    Effect.gen(function* () {
      const { holds, move, put } = makePipe()
      yield* put("m")
      yield* move()
      yield* put("z", "a")
      yield* move()
      yield* put("b")
      yield* move()
      yield* holds("m", "z", "a", "b")
    })
  )

  it.effect("counts an object that has changed since it was read, with a warning, and reads it no more", () =>
    Effect.gen(function* () {
      const { holds, move, put, source } = makePipe()
      yield* put("a", "b", "c")
      yield* move()
      yield* source.put("b", "another b")
      yield* source.remove("c")
      yield* source.put("c", "another c")
      const status = yield* move()
      assert.strictEqual(status?.listing?.changed, 2)
      assert.include(status?.warnings.join("\n"), "2 objects have changed since they were read")
      yield* holds("a", "b", "c")
    })
  )

  it.effect("lets an object leave its group that changes each time that it is read, and holds up no other", () =>
    Effect.gen(function* () {
      const { holds, move, put, ranges, source, warehouse } = makePipe()
      yield* put("a", "b", "c", "d")
      let versions = 0
      const changing: Partial<Warehouse["Service"]> = {
        stage: (owner, range, objects) =>
          warehouse.warehouse.stage(owner, range, objects).pipe(
            Effect.tap(() => {
              versions += 1
              return objects.some(({ key }) => key === "b") ? source.put("b", `b ${versions}`) : Effect.void
            })
          )
      }
      const status = yield* move({}, changing)
      assert.strictEqual(status?.state, "Running")
      yield* holds("a", "c", "d")
      assert.strictEqual(ranges[0], "a c d")
      yield* put("e")
      yield* move({}, changing)
      yield* holds("a", "c", "d", "e")
      // It stands still, and is read once.
      yield* move()
      yield* move()
      yield* holds("a", "c", "d", "e", `b ${String(versions)}`)
    })
  )

  it.effect(
    "lets objects leave their group that have rejected rows or are refused, and nothing of the others is rejected",
    () =>
      Effect.gen(function* () {
        const { holds, move, put, source, warehouse } = makePipe((key) => (key === "large" ? "too large" : undefined))
        yield* put("a", "b", "c", "d", "e", "large")
        yield* source.put("half", "good", "bad 1")
        yield* source.put("f bad", "bad 2")
        yield* move()
        yield* move()
        yield* holds("a", "b", "c", "d", "e", "good")
        const bad = (yield* warehouse.rejectedRows).map(({ content, reason }) => [
          new TextDecoder().decode(content),
          reason
        ])
        assert.deepStrictEqual(bad.toSorted(), [
          ["bad 1", "cannot parse"],
          ["bad 2", "cannot parse"],
          ["large", "too large"]
        ])
        assert.deepStrictEqual(yield* warehouse.stagings, [])
      })
  )

  it.effect(
    "has what was not read in the status: objects that went to the error table whole, and those without a row",
    () =>
      Effect.gen(function* () {
        const refuses = (key: string) => (key.startsWith("large") ? "too large" : undefined)
        const { holds, move, put, source } = makePipe(refuses)
        yield* put("a", "b")
        yield* source.put("blank", " ")
        yield* source.put("nothing")
        const first = yield* move()
        assert.deepStrictEqual(first?.emptyObjects, { count: 1, newest: ["blank"] })
        assert.deepStrictEqual(first?.rejectedObjects, { count: 0, newest: [] })
        yield* put("large 1", "large 2", "large 3", "large 4", "large 5", `large ${"6".repeat(1000)}`)
        yield* source.put("z blank", " ", " ")
        const second = yield* move()
        assert.deepStrictEqual(second?.emptyObjects, { count: 1, newest: ["z blank"] })
        assert.strictEqual(second?.rejectedObjects.count, 6)
        assert.deepStrictEqual(second?.rejectedObjects.newest, [
          `large ${"6".repeat(194)}`,
          "large 5",
          "large 4",
          "large 3",
          "large 2"
        ])
        yield* holds("a", "b")
      })
  )

  it.effect("is restored from the warehouse after the ledger was, and loses and doubles nothing", () =>
    Effect.gen(function* () {
      const { holds, ledger, move, put } = makePipe()
      yield* put("m")
      yield* move()
      const restore = yield* ledger.backup
      yield* put("z", "a", "b", "c", "d")
      yield* move()
      yield* restore
      yield* put("e")
      assert.strictEqual((yield* move())?.state, "Failed")
      yield* move({ decision: { from: "warehouse" } })
      yield* holds("m", "z", "a", "b", "c", "d", "e")
      yield* put("f")
      yield* move()
      yield* holds("m", "z", "a", "b", "c", "d", "e", "f")
    })
  )

  it.effect("is that of the warehouse after it was restored, and what it has lost is read again", () =>
    Effect.gen(function* () {
      const { holds, move, put, warehouse } = makePipe()
      yield* put("m")
      yield* move()
      const restore = yield* warehouse.backup
      yield* put("z", "a")
      yield* move()
      yield* restore
      assert.strictEqual((yield* move())?.state, "Failed")
      yield* move({ decision: { from: "warehouse" } })
      yield* holds("m", "z", "a")
    })
  )

  it.effect(
    "is that of the ledger if it is trusted: what the warehouse has lost stays out, what it has more is doubled",
    () =>
      Effect.gen(function* () {
        const [ahead, behind] = [makePipe(), makePipe()]
        for (const { move, put } of [ahead, behind]) {
          yield* put("m")
          yield* move()
        }
        const [restoreWarehouse, restoreLedger] = [yield* ahead.warehouse.backup, yield* behind.ledger.backup]
        for (const { move, put } of [ahead, behind]) {
          yield* put("a")
          yield* move()
        }
        yield* restoreWarehouse
        yield* restoreLedger
        for (const { move, put } of [ahead, behind]) {
          yield* put("b")
          yield* move({ decision: { from: "ledger" } })
        }
        yield* ahead.holds("m", "b")
        yield* behind.holds("m", "a", "a", "b")
      })
  )

  it.effect("is empty after a start, also in the warehouse", () =>
    Effect.gen(function* () {
      const { holds, ledger, move, put, warehouse } = makePipe()
      yield* put("a", "b")
      yield* move()
      yield* warehouse.empty
      const restore = yield* ledger.backup
      yield* move({ decision: { from: "start" } })
      yield* holds("a", "b")
      yield* restore
      assert.strictEqual((yield* move())?.state, "Failed")
      yield* move({ decision: { from: "warehouse" } })
      yield* holds("a", "b")
    })
  )

  it.effect("is missing for a pipe of an earlier version, which is Failed and says what to do", () =>
    Effect.gen(function* () {
      const { holds, ledger, move, put } = makePipe()
      const owner = yield* ledger.ledger.take(pipeId)
      yield* ledger.ledger.begin(owner, { generation: 1, source: "memory", starts: new Map([["objects", ""]]) })
      yield* put("a")
      const status = yield* move()
      assert.strictEqual(status?.state, "Failed")
      assert.include(status?.message ?? "", "Empty the table, then: headgate pipe resume NAME --from start")
      yield* move({ decision: { from: "ledger" } })
      yield* holds()
      yield* move({ decision: { from: "start" } })
      yield* holds("a")
    })
  )
})
