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

/** A batch of `count` rows, of which the ones at these places are rejected. */
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

describe("rejected rows", () => {
  it.effect("10 of 50,000 go to the error table with their reasons, and the others into the table", () =>
    Effect.gen(function* () {
      const places = [0, 1, 2, 500, 7000, 7001, 20_000, 30_000, 49_998, 49_999]
      const pipe = pipeOf()
      yield* pipe.source.append("0", ...batchOf(places))
      yield* moveAll(pipe)
      const rows = yield* pipe.warehouse.rows
      assert.lengthOf(rows, 49_990)
      assert.isFalse(rows.some(({ text }) => text.startsWith("bad")))
      const bad = yield* pipe.warehouse.rejectedRows
      assert.deepStrictEqual(
        bad.map(({ reason, row }) => [row, reason]),
        places.map((row) => [row, "cannot parse input"])
      )
      assert.strictEqual(new TextDecoder().decode(bad[3]?.content), "bad row 500")
      assert.strictEqual(pipe.reports.at(-1)?.rejectedRows, 10)
    })
  )

  it.effect("take no good row with them, however many they are and however long the warehouse takes", () =>
    Effect.gen(function* () {
      const every = (each: number) => numbered(5000).flatMap((_, row) => (row % each === 0 ? [row] : []))
      for (const places of [every(1), every(2), every(80), [4999]]) {
        const pipe = pipeOf()
        yield* pipe.source.append("0", ...batchOf(places, 5000))
        const slow = Faulty.layer(Warehouse, [{ method: "insert", delay: "1 minute" }])
        yield* moveAll(pipe, slow.pipe(Layer.provideMerge(pipe.layer)))
        assert.lengthOf(yield* pipe.warehouse.rows, 5000 - places.length)
        assert.lengthOf(yield* pipe.warehouse.rejectedRows, places.length)
        assert.isAtMost(yield* pipe.warehouse.statements, 2)
      }
    })
  )

  it.effect("are the same ones after a kill, whatever was lost", () =>
    Effect.gen(function* () {
      for (const method of ["insert", "insertRejected", "log"] as const) {
        for (const isDelivered of [true, false]) {
          const pipe = pipeOf()
          const batch = batchOf([0, 10, 20, 99], 100)
          yield* pipe.source.append("0", ...batch)
          yield* pipe.source.end
          // The mover waits for an answer that is lost, or sends nothing, and is killed.
          const faulty = Faulty.layer(Warehouse, [
            isDelivered ? { method, call: 1, loseAnswer: reset } : { method, call: 1, delay: "Infinity" },
            { method: "open", call: 2, delay: "Infinity" }
          ])
          const fiber = yield* Effect.forkChild(
            Effect.provide(movePipe(pipe.move), faulty.pipe(Layer.provideMerge(pipe.layer)))
          )
          yield* TestClock.adjust("20 seconds")
          yield* Fiber.interrupt(fiber)
          yield* moveAll(pipe)
          const inTable = textsOf(yield* pipe.warehouse.rows)
          const inErrors = (yield* pipe.warehouse.rejectedRows).map(({ content }) => new TextDecoder().decode(content))
          assert.deepStrictEqual([inTable.length, inErrors.length], [96, 4], `${method} ${isDelivered}`)
          assert.strictEqual(new Set([...inTable, ...inErrors]).size, batch.length)
        }
      }
    })
  )

  it.effect("that the table took before it was altered need a decision, and nothing is in both tables or in none", () =>
    Effect.gen(function* () {
      for (const isInserted of [true, false]) {
        for (const pending of ["replay", "skip"] as const) {
          const altered = { is: false }
          const pipe = makePipe({
            warehouse: {
              rejects: (text) =>
                text === "bad row 1" || (altered.is && text === "row 5") ? "cannot parse" : undefined,
              checkedBy: () => (altered.is ? "the columns now" : "the columns before")
            }
          })
          const batch = batchOf([1], 10)
          yield* pipe.source.append("0", ...batch)
          yield* pipe.source.end
          const method = isInserted ? "insertRejected" : "insert"
          // The rejected rows are recorded, and then the mover is killed.
          const faulty = isInserted
            ? Faulty.layer(Warehouse, [{ method, call: 1, delay: "Infinity" }])
            : Layer.effect(
                Warehouse,
                Warehouse.useSync((warehouse) => ({
                  ...warehouse,
                  insert: (owner, range, token, rows, { record }) =>
                    warehouse.insert(owner, range, token, rows, {
                      record: (rejected) => Effect.andThen(record(rejected), Effect.never)
                    })
                }))
              )
          const fiber = yield* Effect.forkChild(
            Effect.provide(movePipe(pipe.move), faulty.pipe(Layer.provideMerge(pipe.layer)))
          )
          yield* TestClock.adjust("20 seconds")
          yield* Fiber.interrupt(fiber)
          altered.is = true
          const failed = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), pipe.layer))
          yield* TestClock.adjust("10 seconds")
          const end = yield* Fiber.join(failed)
          if (end._tag !== "Failed") return assert.fail(`expected Failed, and it was ${end._tag}`)
          assert.include(end.message, "--replay")
          assert.include(end.message, "--skip")
          // Who looks finds the rows in the table or not, and decides.
          if ((pending === "skip") !== isInserted) continue
          const decided = { ...pipe, move: { ...pipe.move, decision: { pending } } }
          yield* moveAll(decided)
          const inTable = textsOf(yield* pipe.warehouse.rows)
          const inErrors = (yield* pipe.warehouse.rejectedRows).map(({ content }) => new TextDecoder().decode(content))
          assert.deepStrictEqual([...inTable, ...inErrors].toSorted(), batch.toSorted())
          assert.deepStrictEqual(inErrors, isInserted ? ["bad row 1"] : ["bad row 1", "row 5"])
        }
      }
    })
  )

  it.effect("an error that names no row is no rejected row: the pipe is Degraded", () =>
    Effect.gen(function* () {
      const pipe = pipeOf()
      yield* pipe.source.append("0", ...numbered(5))
      const layer = Faulty.layer(Warehouse, [{ method: "insert", call: 1, loseAnswer: reset }]).pipe(
        Layer.provideMerge(pipe.layer)
      )
      yield* moveAll(pipe, layer)
      const told = pipe.reports.find(({ state }) => state !== "Setup")
      assert.deepInclude(told, { state: "Degraded", message: "the connection was reset" })
      assert.lengthOf(yield* pipe.warehouse.rejectedRows, 0)
      assert.lengthOf(yield* pipe.warehouse.rows, 5)
    })
  )
})
