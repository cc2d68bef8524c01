import { assert, describe, it } from "@effect/vitest"
import { Faulty } from "@headgate/memory-adapter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { movePipe, Warehouse, WarehouseError } from "../src/index.ts"
import { makePipe, numbered, textsOf } from "./pipes.ts"

const isBad = (text: string) => (text.startsWith("bad") ? "cannot parse input" : undefined)

/** A batch of `count` rows, of which the ones at these places are bad. */
const batchOf = (places: ReadonlyArray<number>, count = 50_000) =>
  numbered(count).map((row, index) => (places.includes(index) ? `bad ${row}` : row))

const pipeOf = () =>
  makePipe({
    warehouse: { rejects: isBad },
    move: { limits: { rows: 50_000, bytes: 10_000_000, wait: Duration.seconds(1) } }
  })

type Pipe = ReturnType<typeof makePipe>

const moveAll = Effect.fnUntraced(function* (pipe: Pipe, layer: Pipe["layer"] = pipe.layer) {
  yield* pipe.source.end
  const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), layer))
  yield* TestClock.adjust("10 minutes")
  assert.strictEqual((yield* Fiber.join(fiber))._tag, "Completed")
})

const reset = new WarehouseError({ message: "the connection was reset" })

describe("bad rows", () => {
  it.effect("10 of 50,000 go to the error table with their reasons, and the others into the table", () =>
    Effect.gen(function* () {
      const places = [0, 1, 2, 500, 7000, 7001, 20_000, 30_000, 49_998, 49_999]
      const pipe = pipeOf()
      yield* pipe.source.append("0", ...batchOf(places))
      yield* moveAll(pipe)
      const rows = yield* pipe.warehouse.rows
      assert.lengthOf(rows, 49_990)
      assert.isFalse(rows.some(({ text }) => text.startsWith("bad")))
      const bad = yield* pipe.warehouse.badRows
      assert.deepStrictEqual(
        bad.map(({ reason, row }) => [row, reason]),
        places.map((row) => [row, "cannot parse input"])
      )
      assert.strictEqual(new TextDecoder().decode(bad[3]?.content), "bad row 500")
      assert.strictEqual(pipe.reports.at(-1)?.badRows, 10)
    })
  )

  it.effect("50,000 of 50,000 cost at most 20 statements, and none is lost", () =>
    Effect.gen(function* () {
      const pipe = pipeOf()
      yield* pipe.source.append("0", ...numbered(50_000).map((row) => `bad ${row}`))
      yield* moveAll(pipe)
      assert.lengthOf(yield* pipe.warehouse.rows, 0)
      assert.lengthOf(yield* pipe.warehouse.badRows, 50_000)
      assert.isAtMost(yield* pipe.warehouse.statements, 20)
    })
  )

  it.effect("the search ends after 5 seconds", () =>
    Effect.gen(function* () {
      const pipe = pipeOf()
      yield* pipe.source.append("0", ...batchOf([10, 20, 30, 40, 50, 60]))
      const layer = Faulty.layer(Warehouse, [{ method: "insert", delay: "2 seconds" }]).pipe(
        Layer.provideMerge(pipe.layer)
      )
      yield* moveAll(pipe, layer)
      // Four searches, the error table and the rows before the fourth bad one.
      assert.strictEqual(yield* pipe.warehouse.statements, 6)
      assert.deepStrictEqual(
        textsOf(yield* pipe.warehouse.rows),
        numbered(40).filter((_, row) => ![10, 20, 30].includes(row))
      )
      assert.lengthOf(yield* pipe.warehouse.badRows, 50_000 - 37)
    })
  )

  it.effect("one bad row costs that row alone, however long the warehouse takes for the batch", () =>
    Effect.gen(function* () {
      const pipe = pipeOf()
      yield* pipe.source.append("0", ...batchOf([10], 100))
      const slow = Faulty.layer(Warehouse, [{ method: "insert", delay: "1 minute" }])
      yield* moveAll(pipe, slow.pipe(Layer.provideMerge(pipe.layer)))
      assert.lengthOf(yield* pipe.warehouse.rows, 99)
      assert.lengthOf(yield* pipe.warehouse.badRows, 1)
    })
  )

  it.effect("each row is in one of the tables when a replay finds another number of bad rows in its time", () =>
    Effect.gen(function* () {
      for (const slow of ["before", "after", "both"]) {
        for (const lost of ["insert", "insertBad"] as const) {
          const pipe = pipeOf()
          const batch = batchOf([10, 20, 30, 40], 100)
          yield* pipe.source.append("0", ...batch)
          yield* pipe.source.end
          const slowed = Faulty.layer(Warehouse, [{ method: "insert", delay: "3 seconds" }])
          // The last answer of the first delivery is lost, and then the mover is killed.
          const call = lost === "insertBad" ? 1 : slow === "after" ? 5 : 4
          const faulty = Faulty.layer(Warehouse, [
            { method: lost, call, loseAnswer: reset },
            { method: "log", delay: "Infinity" }
          ])
          const plain = pipe.layer
          const first = slow !== "after" ? faulty.pipe(Layer.provideMerge(slowed)) : faulty
          const fiber = yield* Effect.forkChild(
            Effect.provide(movePipe(pipe.move), first.pipe(Layer.provideMerge(plain)))
          )
          yield* TestClock.adjust("20 seconds")
          yield* Fiber.interrupt(fiber)
          // Slower still: it finds fewer bad rows than the first one, which wrote them to the error table.
          const slower = Faulty.layer(Warehouse, [{ method: "insert", delay: "6 seconds" }])
          yield* moveAll(pipe, slow !== "before" ? slower.pipe(Layer.provideMerge(plain)) : plain)
          const inTable = textsOf(yield* pipe.warehouse.rows)
          const inErrors = (yield* pipe.warehouse.badRows).map(({ content }) => new TextDecoder().decode(content))
          assert.strictEqual(new Set(inTable).size, inTable.length)
          assert.strictEqual(new Set([...inTable, ...inErrors]).size, batch.length)
        }
      }
    })
  )

  it.effect("an error that names no row is no bad row: the pipe is Degraded", () =>
    Effect.gen(function* () {
      const pipe = pipeOf()
      yield* pipe.source.append("0", ...numbered(5))
      const layer = Faulty.layer(Warehouse, [{ method: "insert", call: 1, loseAnswer: reset }]).pipe(
        Layer.provideMerge(pipe.layer)
      )
      yield* moveAll(pipe, layer)
      const told = pipe.reports.find(({ state }) => state !== "Setup")
      assert.deepInclude(told, { state: "Degraded", message: "the connection was reset" })
      assert.lengthOf(yield* pipe.warehouse.badRows, 0)
      assert.lengthOf(yield* pipe.warehouse.rows, 5)
    })
  )
})
