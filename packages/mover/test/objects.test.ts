import { assert, describe, it } from "@effect/vitest"
import { Faulty } from "@headgate/memory-adapter"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { createHash } from "node:crypto"
import { env } from "node:process"
import {
  Ledger,
  LedgerError,
  type MoveOptions,
  movePipe,
  type MoverStatus,
  ObjectRejected,
  restartPipe,
  Source,
  Warehouse,
  WarehouseError
} from "../src/index.ts"
import { MemoryLedger, MemoryObjects, MemoryWarehouse } from "../src/memory/index.ts"
import { numbered, pipeId, textsOf } from "./pipes.ts"

/** A pipe over objects in memory, with two partitions of the table. */
const makeObjectPipe = (refuses: (key: string) => string | undefined = () => undefined, together = 1) => {
  const source = MemoryObjects.make({ refuses, together })
  const warehouse = MemoryWarehouse.make({
    objects: source.objects,
    partOf: (text) => (Number(text.slice(-1)) % 2 === 0 ? "even" : "odd"),
    rejects: (text) => (text.startsWith("bad") ? "cannot parse" : undefined)
  })
  const ledger = MemoryLedger.make()
  const reports: Array<MoverStatus> = []
  const move: MoveOptions = {
    pipeId,
    limits: { rows: 10, bytes: 1000, wait: Duration.seconds(1) },
    inFlight: 4,
    partsPerInsert: 1,
    pipesOnTable: 1,
    report: (status) =>
      Effect.sync(() => {
        reports.push(status)
      })
  }
  const layer = Layer.mergeAll(
    Layer.succeed(Source, source.source),
    Layer.succeed(Warehouse, warehouse.warehouse),
    Layer.succeed(Ledger, ledger.ledger)
  )
  return { source, warehouse, ledger, reports, move, layer, rows: Effect.map(warehouse.rows, textsOf) }
}

const rejectedRowsOf = ({ warehouse }: ReturnType<typeof makeObjectPipe>) =>
  Effect.map(warehouse.rejectedRows, (rows) =>
    rows.map(({ content, reason, row }) => [row, new TextDecoder().decode(content), reason])
  )

/** Moves a pipe to its end, with these methods in place of its ports' own. */
const moveFor = Effect.fnUntraced(function* (
  pipe: ReturnType<typeof makeObjectPipe>,
  methods: {
    readonly warehouse?: Partial<Warehouse["Service"]>
    readonly ledger?: Partial<Ledger["Service"]>
  } = {}
) {
  const moving = movePipe(pipe.move).pipe(
    Effect.provideService(Warehouse, { ...pipe.warehouse.warehouse, ...methods.warehouse }),
    Effect.provideService(Ledger, { ...pipe.ledger.ledger, ...methods.ledger }),
    Effect.provide(pipe.layer)
  )
  const fiber = yield* Effect.forkChild(moving)
  yield* TestClock.adjust("1 hour")
  return yield* Fiber.join(fiber)
})

describe("a pipe of objects", () => {
  it.effect("moves each object by its parts, and leaves no staging and nothing pending", () =>
    Effect.gen(function* () {
      const pipe = makeObjectPipe()
      yield* pipe.source.put("b", ...numbered(5))
      yield* pipe.source.put("a", ...numbered(5, 5))
      yield* pipe.source.end
      assert.strictEqual((yield* moveFor(pipe))._tag, "Completed")
      assert.deepStrictEqual((yield* pipe.rows).toSorted(), numbered(10))
      assert.deepInclude(pipe.reports.at(-1), { ranges: 2, rows: 10, rejectedRows: 0 })
      assert.deepStrictEqual(yield* pipe.warehouse.stagings, [])
      const { delivered, done, pending } = yield* pipe.ledger.ledger.state(pipeId)
      assert.deepStrictEqual([Array.from(done.values()), pending], [["2"], []])
      // Rows of "row N" in two objects, with a line break between each two.
      assert.deepStrictEqual(delivered, { rows: 10, rejected: 0, bytes: 2 * (5 * 5 + 4) })
    })
  )

  it.effect("reads the next two objects, and no further one, while the rows of one are moved", () =>
    Effect.gen(function* () {
      const pipe = makeObjectPipe()
      for (const [index, key] of ["a", "b", "c", "d"].entries()) yield* pipe.source.put(key, ...numbered(2, index * 2))
      yield* pipe.source.end
      const steps: Array<string> = []
      const { ledger } = pipe.ledger
      const { warehouse } = pipe.warehouse
      const end = yield* moveFor(pipe, {
        warehouse: {
          stage: (owner, range, object) => {
            steps.push(`read ${range.to}`)
            return warehouse.stage(owner, range, object)
          },
          movePart: (staging, part) => Effect.andThen(Effect.sleep("1 second"), warehouse.movePart(staging, part))
        },
        ledger: {
          markDone: (owner, range, delivered) => {
            steps.push(`done ${range.to}`)
            return ledger.markDone(owner, range, delivered)
          }
        }
      })
      assert.strictEqual(end._tag, "Completed")
      assert.deepStrictEqual(steps, ["read 1", "read 2", "read 3", "done 1", "read 4", "done 2", "done 3", "done 4"])
      assert.deepStrictEqual((yield* pipe.rows).toSorted(), numbered(8))
    })
  )

  it.effect(
    "that cannot move what it reads is not Running for that, and is Failed when it was tried for too long",
    () =>
      Effect.gen(function* () {
        const pipe = makeObjectPipe()
        for (const key of ["a", "b", "c"]) yield* pipe.source.put(key, ...numbered(2))
        yield* pipe.source.end
        const methods: Partial<Warehouse["Service"]> = {
          movePart: () => Effect.fail(new WarehouseError({ message: "the disk is full" }))
        }
        const end = yield* moveFor(pipe, { warehouse: methods })
        assert.strictEqual(end._tag, "Failed")
        assert.include(end.message ?? "", "gave up: the disk is full")
        assert.isFalse(pipe.reports.some(({ state }) => state === "Running"))
      })
  )

  it.effect("sends an object that is refused, or whose rows cannot be told apart, to the error table, whole", () =>
    Effect.gen(function* () {
      const pipe = makeObjectPipe((key) => (key === "a" ? "it has more than 10 GB" : undefined))
      yield* pipe.source.put("a", ...numbered(5))
      yield* pipe.source.put("b", "row 5", "bad", "row 6")
      yield* pipe.source.put("c", ...numbered(2, 7))
      yield* pipe.source.end
      const methods: Partial<Warehouse["Service"]> = {
        stageRows: () => Effect.fail(new ObjectRejected({ reason: "rows of this format cannot be told apart" }))
      }
      assert.strictEqual((yield* moveFor(pipe, { warehouse: methods }))._tag, "Completed")
      assert.deepStrictEqual((yield* pipe.rows).toSorted(), numbered(2, 7))
      assert.deepStrictEqual(yield* rejectedRowsOf(pipe), [
        [0, "a", "it has more than 10 GB"],
        [0, "b", "cannot parse"]
      ])
      assert.deepInclude(pipe.reports.at(-1), { rows: 2, rejectedRows: 2 })
    })
  )

  it.effect("sends the rejected rows of an object to the error table, with their lines, and moves the others", () =>
    Effect.gen(function* () {
      const pipe = makeObjectPipe()
      const rows = numbered(40).flatMap((row, index) => (index % 15 === 14 ? [`bad ${index}`, row] : [row]))
      yield* pipe.source.put("a", ...rows)
      yield* pipe.source.put("b", "bad 40", "bad 41")
      yield* pipe.source.put("c", ...numbered(2, 40))
      yield* pipe.source.end
      assert.strictEqual((yield* moveFor(pipe))._tag, "Completed")
      assert.deepStrictEqual((yield* pipe.rows).toSorted(), numbered(42).toSorted())
      assert.deepStrictEqual(yield* rejectedRowsOf(pipe), [
        [14, "bad 14", "cannot parse"],
        [30, "bad 29", "cannot parse"],
        [0, "bad 40", "cannot parse"],
        [1, "bad 41", "cannot parse"]
      ])
      assert.deepInclude(pipe.reports.at(-1), { ranges: 3, rows: 42, rejectedRows: 4 })
      assert.deepStrictEqual(yield* pipe.warehouse.stagings, [])
    })
  )

  it.effect("writes the rejected rows of the version that it moves, and of no other one", () =>
    Effect.gen(function* () {
      const pipe = makeObjectPipe()
      yield* pipe.source.put("a", "bad 1", ...numbered(2))
      yield* pipe.source.end
      let copies = 0
      const { warehouse } = pipe.warehouse
      const methods: Partial<Warehouse["Service"]> = {
        stageRows: (owner, range, object) =>
          Effect.tap(warehouse.stageRows(owner, range, object), () =>
            (copies += 1) > 1 ? Effect.void : pipe.source.put("a", ...numbered(3, 100), "bad 2")
          )
      }
      assert.strictEqual((yield* moveFor(pipe, { warehouse: methods }))._tag, "Completed")
      assert.deepStrictEqual((yield* pipe.rows).toSorted(), numbered(3, 100))
      assert.deepStrictEqual(yield* rejectedRowsOf(pipe), [[3, "bad 2", "cannot parse"]])
      assert.strictEqual(copies, 2)
    })
  )

  it.effect("writes no rejected rows of a version that it has not recorded as staged", () =>
    Effect.gen(function* () {
      const pipe = makeObjectPipe()
      yield* pipe.source.put("a", "bad 1", ...numbered(2))
      yield* pipe.source.end
      let records = 0
      const { ledger } = pipe.ledger
      const methods: Partial<Ledger["Service"]> = {
        recordStaged: (owner, range, staged) =>
          (records += 1) > 1
            ? ledger.recordStaged(owner, range, staged)
            : Effect.andThen(
                pipe.source.put("a", "bad 2", ...numbered(3, 100)),
                Effect.fail(new LedgerError({ message: "the ledger does not answer" }))
              )
      }
      assert.strictEqual((yield* moveFor(pipe, { ledger: methods }))._tag, "Completed")
      assert.deepStrictEqual((yield* pipe.rows).toSorted(), numbered(3, 100))
      assert.deepStrictEqual(yield* rejectedRowsOf(pipe), [[0, "bad 2", "cannot parse"]])
    })
  )

  it.effect("plans an object anew that changes while it is read, and moves nothing of what it was", () =>
    Effect.gen(function* () {
      const pipe = makeObjectPipe()
      yield* pipe.source.put("a", ...numbered(5))
      yield* pipe.source.end
      let changes = 0
      const { warehouse } = pipe.warehouse
      const methods: Partial<Warehouse["Service"]> = {
        stage: (owner, range, object) =>
          Effect.tap(warehouse.stage(owner, range, object), () =>
            (changes += 1) > 1 ? Effect.void : pipe.source.put("a", ...numbered(3, 100))
          )
      }
      assert.strictEqual((yield* moveFor(pipe, { warehouse: methods }))._tag, "Completed")
      assert.deepStrictEqual((yield* pipe.rows).toSorted(), numbered(3, 100))
      assert.strictEqual(changes, 2)
      assert.isFalse(pipe.reports.some(({ state }) => state === "Degraded"))
      assert.deepStrictEqual(yield* pipe.warehouse.stagings, [])
    })
  )

  it.effect("skips an object that is removed after it was planned", () =>
    Effect.gen(function* () {
      const pipe = makeObjectPipe()
      yield* pipe.source.put("a", ...numbered(5))
      yield* pipe.source.put("b", ...numbered(5, 5))
      yield* pipe.source.end
      const { ledger } = pipe.ledger
      const methods: Partial<Ledger["Service"]> = {
        record: (owner, range) => Effect.andThen(pipe.source.remove("a"), ledger.record(owner, range))
      }
      assert.strictEqual((yield* moveFor(pipe, { ledger: methods }))._tag, "Completed")
      assert.deepStrictEqual((yield* pipe.rows).toSorted(), numbered(5, 5))
    })
  )

  it.effect("is Failed if nothing proves whether a part was moved, and moves nothing more", () =>
    Effect.gen(function* () {
      const pipe = makeObjectPipe()
      yield* pipe.source.put("a", ...numbered(5))
      yield* pipe.source.end
      const { warehouse } = pipe.warehouse
      const methods: Partial<Warehouse["Service"]> = {
        movePart: (staging, part) => Effect.andThen(warehouse.discard(staging), warehouse.movePart(staging, part))
      }
      for (const changed of [{ warehouse: methods }, {}]) {
        const end = yield* moveFor(pipe, changed)
        assert.strictEqual(end._tag, "Failed")
        assert.include(end.message ?? "", "nothing proves whether part")
      }
      assert.deepStrictEqual(yield* pipe.rows, [])
      yield* Effect.provide(restartPipe(pipeId, "ledger"), pipe.layer)
      assert.strictEqual((yield* moveFor(pipe))._tag, "Completed")
      assert.deepStrictEqual((yield* pipe.rows).toSorted(), numbered(5))
    })
  )

  it.effect("does not move a part again that may have arrived before the mover was killed, and names the object", () =>
    Effect.gen(function* () {
      const pipe = makeObjectPipe()
      for (const key of ["a", "b"]) yield* pipe.source.put(key, ...numbered(5, key === "a" ? 0 : 5))
      yield* pipe.source.end
      const killed = yield* Deferred.make<void>()
      const layer = Layer.effect(
        Warehouse,
        Warehouse.useSync((warehouse) => ({
          ...warehouse,
          movePart: (staging) =>
            pipe.warehouse
              .interruptMove(staging)
              .pipe(Effect.andThen(Deferred.succeed(killed, undefined)), Effect.andThen(Effect.never))
        }))
      ).pipe(Layer.provideMerge(pipe.layer))
      yield* Effect.raceFirst(Effect.provide(movePipe(pipe.move), layer), Deferred.await(killed))
      for (const start of ["the first", "the second"]) {
        const end = yield* moveFor(pipe)
        assert.strictEqual(end._tag, "Failed", start)
        assert.include(end.message ?? "", "object a: nothing proves whether part")
        assert.deepStrictEqual((yield* pipe.rows).toSorted(), numbered(5))
      }
      yield* pipe.warehouse.empty
      yield* Effect.provide(restartPipe(pipeId, "ledger"), pipe.layer)
      assert.strictEqual((yield* moveFor(pipe))._tag, "Completed")
      assert.deepStrictEqual((yield* pipe.rows).toSorted(), numbered(10))
    })
  )

  it.effect("makes a move again of which nothing arrived, without a decision", () =>
    Effect.gen(function* () {
      const pipe = makeObjectPipe()
      yield* pipe.source.put("a", ...numbered(5))
      yield* pipe.source.end
      const killed = yield* Deferred.make<void>()
      const layer = Layer.effect(
        Warehouse,
        Warehouse.useSync((warehouse) => ({
          ...warehouse,
          movePart: () => Effect.andThen(Deferred.succeed(killed, undefined), Effect.never)
        }))
      ).pipe(Layer.provideMerge(pipe.layer))
      yield* Effect.raceFirst(Effect.provide(movePipe(pipe.move), layer), Deferred.await(killed))
      assert.strictEqual((yield* moveFor(pipe))._tag, "Completed")
      assert.deepStrictEqual((yield* pipe.rows).toSorted(), numbered(5))
    })
  )
})

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const warehouseMethods = [
  "takeOver",
  "stage",
  "stageRows",
  "copyRejected",
  "insertRejected",
  "beforeMove",
  "movePart",
  "discard",
  "log"
] as const
const ledgerMethods = [
  "record",
  "recordNarrowed",
  "beginList",
  "doneObjects",
  "endList",
  "recordStaged",
  "markMoving",
  "markMoved",
  "markDone",
  "take"
] as const

/** Keys in no order, as those with a random part. */
const keyOf = (number: number): string => createHash("sha256").update(String(number)).digest("hex")

/** One mover's life: which objects arrive before it, what goes wrong in it, and how long it lives. */
const Life = Schema.Struct({
  objects: between(0, 3),
  rows: between(0, 6),
  /** In each of its objects. */
  rejectedRows: between(0, 2),
  faults: Schema.Array(
    Schema.Struct({
      method: Schema.Literals([...warehouseMethods, ...ledgerMethods]),
      call: between(1, 4),
      takesEffect: Schema.Boolean
    })
  ).check(Schema.isMaxLength(4)),
  seconds: between(0, 5),
  resync: Schema.Boolean,
  /** This mover is not killed but goes on beside the next one, which takes the pipe. */
  survives: Schema.Boolean
})

const faultsOf = <const Method extends string, E>(
  { faults }: typeof Life.Type,
  methods: ReadonlyArray<Method>,
  error: E
) =>
  faults.flatMap(({ call, method, takesEffect }) => {
    const found = methods.find((one) => one === method)
    if (found === undefined) return []
    return [takesEffect ? { method: found, call, loseAnswer: error } : { method: found, call, fail: error }]
  })

describe("any sequence of faults, kills, owners and resyncs of a pipe of objects", () => {
  it.effect.prop(
    "ends with each row once in each generation that ended",
    [Schema.Array(Life).check(Schema.isMaxLength(5)), between(1, 3)],
    ([lives, together]) =>
      Effect.scoped(
        Effect.gen(function* () {
          const pipe = makeObjectPipe(() => undefined, together)
          let [keys, produced] = [0, 0]
          const producedBad: Array<string> = []
          for (const life of lives) {
            for (let count = 0; count < life.objects; count += 1) {
              const bad = Array.from({ length: life.rejectedRows }, (_, index) => `bad ${keys} ${index}`)
              yield* pipe.source.put(keyOf(keys), ...bad, ...numbered(life.rows, produced))
              produced += life.rows
              producedBad.push(...bad)
              keys += 1
            }
            const down = new WarehouseError({ message: "the warehouse does not answer" })
            const lost = new LedgerError({ message: "the ledger does not answer" })
            const layer = Layer.mergeAll(
              Faulty.layer(Warehouse, faultsOf(life, warehouseMethods, down)),
              Faulty.layer(Ledger, faultsOf(life, ledgerMethods, lost))
            ).pipe(Layer.provideMerge(pipe.layer))
            if (life.resync) yield* Effect.provide(restartPipe(pipeId, "start"), pipe.layer)
            const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), layer))
            yield* TestClock.adjust(`${life.seconds} seconds`)
            if (life.survives) yield* Effect.addFinalizer(() => Fiber.interrupt(fiber))
            else yield* Fiber.interrupt(fiber)
          }
          yield* pipe.source.end
          const end = yield* moveFor(pipe)
          const { current } = yield* pipe.ledger.ledger.state(pipeId)
          const rows = yield* pipe.warehouse.rows
          assert.strictEqual(end._tag, "Completed", end.message)
          for (let generation = 1; generation <= (current?.generation ?? 0); generation += 1) {
            const texts = textsOf(rows.filter((row) => row.generation === generation))
            assert.lengthOf(texts, new Set(texts).size)
            if (generation === current?.generation) assert.lengthOf(texts, produced)
          }
          const bad = (yield* rejectedRowsOf(pipe)).map(([, text]) => text)
          // Another generation has its own.
          assert.deepStrictEqual(
            current?.generation === 1 ? bad.toSorted() : Array.from(new Set(bad)).toSorted(),
            producedBad.toSorted()
          )
        })
      ),
    { arbitrary: { runs: env["HEADGATE_LONG_TESTS"] === "1" ? 1000 : 100 } }
  )
})
