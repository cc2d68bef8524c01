import { assert, describe, it } from "@effect/vitest"
import { Faulty } from "@headgate/memory-adapter"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as Schema from "effect/Schema"
import { env } from "node:process"
import { Ledger, LedgerError, movePipe, restartPipe, Warehouse, WarehouseError } from "../src/index.ts"
import type { MemoryWarehouseOptions } from "../src/memory/index.ts"
import { makePipe, numbered, pipeId } from "./pipes.ts"

const warehouseFails = new WarehouseError({ message: "the warehouse does not answer" })
const ledgerFails = new LedgerError({ message: "the ledger does not answer" })

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** One mover's life: what is produced before it, what goes wrong in it, how long it lives, how the next one begins. */
const Life = Schema.Struct({
  produced: Schema.Tuple([between(0, 25), between(0, 25)]),
  /** Which call of which method goes wrong, and whether it takes effect. */
  faults: Schema.Array(
    Schema.Struct({
      method: Schema.Literals(["insert", "log", "record", "markDone", "begin", "take"]),
      call: between(1, 6),
      takesEffect: Schema.Boolean
    })
  ).check(Schema.isMaxLength(4)),
  breaksAfter: Schema.UndefinedOr(between(0, 10)),
  seconds: between(0, 20),
  resync: Schema.Boolean,
  /** This mover is not killed but goes on beside the next one, which takes the pipe. */
  survives: Schema.Boolean
})
type Life = typeof Life.Type

const runLives = Effect.fn("runLives")(function* (lives: ReadonlyArray<Life>, warehouse: MemoryWarehouseOptions = {}) {
  const partitions = ["a", "b"]
  const pipe = makePipe({ partitions, warehouse })
  let produced = 0
  let bytes = 0
  for (const one of lives) {
    for (const [index, partition] of partitions.entries()) {
      const count = one.produced[index] ?? 0
      const rows = numbered(count, produced)
      yield* pipe.source.append(partition, ...rows)
      produced += count
      bytes += rows.join("").length
    }
    if (one.breaksAfter !== undefined) yield* pipe.warehouse.breakNextInsert(one.breaksAfter)
    const outcome = <E>(takesEffect: boolean, error: E) => (takesEffect ? { loseAnswer: error } : { fail: error })
    const layer = Layer.mergeAll(
      Faulty.layer(
        Warehouse,
        one.faults.flatMap(({ call, method, takesEffect }) =>
          method === "insert" || method === "log" ? [{ method, call, ...outcome(takesEffect, warehouseFails) }] : []
        )
      ),
      Faulty.layer(
        Ledger,
        one.faults.flatMap(({ call, method, takesEffect }) =>
          method === "insert" || method === "log" ? [] : [{ method, call, ...outcome(takesEffect, ledgerFails) }]
        )
      )
    ).pipe(Layer.provideMerge(pipe.layer))
    if (one.resync) yield* Effect.provide(restartPipe(pipeId, "start"), pipe.layer)
    const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), layer))
    yield* TestClock.adjust(`${one.seconds} seconds`)
    if (one.survives) yield* Effect.addFinalizer(() => Fiber.interrupt(fiber))
    else yield* Fiber.interrupt(fiber)
  }
  yield* pipe.source.end
  const finish = Effect.gen(function* () {
    const last = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), pipe.layer))
    yield* TestClock.adjust("10 minutes")
    return yield* Fiber.join(last)
  })
  const first = yield* finish
  // A mover that survives and whose `take` failed tries it again, and takes the pipe from the last one.
  const end = first._tag === "Superseded" ? yield* finish : first
  const { current, delivered } = yield* pipe.ledger.ledger.state(pipeId)
  const rows = yield* pipe.warehouse.rows
  const countsOf = (generation: number) => {
    const texts = rows.filter((row) => row.generation === generation).map(({ text }) => text)
    return { count: texts.length, uniqExact: new Set(texts).size }
  }
  const generations = Array.from({ length: current?.generation ?? 0 }, (_, index) => index + 1)
  const reported = pipe.reports.at(-1)?.delivered
  return {
    end,
    produced,
    bytes,
    delivered,
    reported,
    last: countsOf(current?.generation ?? 0),
    all: generations.map(countsOf)
  }
})

const isExact = ({
  all,
  bytes,
  delivered,
  end,
  last,
  produced,
  reported
}: Effect.Success<ReturnType<typeof runLives>>): boolean =>
  end._tag === "Completed" &&
  last.count === produced &&
  // Counted once, whatever was repeated.
  delivered.rows === produced &&
  reported?.rows === produced &&
  delivered.bytes === bytes &&
  reported.bytes === bytes &&
  // An earlier generation may have ended before its rows did, but holds none twice.
  all.every(({ count, uniqExact }) => count === uniqExact)

describe("any sequence of faults, kills, pauses, owners and resyncs", () => {
  it.effect.prop(
    "ends with count = uniqExact = produced",
    [Schema.Array(Life).check(Schema.isMaxLength(5))],
    ([lives]) =>
      Effect.gen(function* () {
        const result = yield* Effect.scoped(runLives(lives))
        assert.isTrue(isExact(result), JSON.stringify(result))
      }),
    { arbitrary: { runs: env["HEADGATE_LONG_TESTS"] === "1" ? 1000 : 100 } }
  )

  it.effect("ends when a mover that survives takes the pipe from the last one", () =>
    Effect.gen(function* () {
      const result = yield* Effect.scoped(
        runLives([
          {
            produced: [0, 2],
            faults: [{ method: "take", call: 1, takesEffect: false }],
            breaksAfter: 0,
            seconds: 0,
            resync: false,
            survives: true
          }
        ])
      )
      assert.isTrue(isExact(result), JSON.stringify(result))
    })
  )

  it.effect("loses rows over a warehouse that cuts an insert into several blocks", () =>
    Effect.gen(function* () {
      const life: Life = {
        produced: [10, 0],
        faults: [],
        breaksAfter: 5,
        seconds: 1,
        resync: false,
        survives: false
      }
      assert.isTrue(isExact(yield* Effect.scoped(runLives([life]))))
      // The first block of 4 rows is committed. The replay is one block, under the token of that first one.
      const cut = yield* Effect.scoped(runLives([life], { blockRows: [4] }))
      assert.deepStrictEqual(cut.last, { count: 4, uniqExact: 4 })
      assert.isFalse(isExact(cut))
    })
  )
})
