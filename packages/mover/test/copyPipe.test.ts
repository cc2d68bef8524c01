import { assert, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import {
  ChangeSource,
  copyPipe,
  type CopyOptions,
  Ledger,
  type MoverStatus,
  restartCopy,
  VersionedTables
} from "../src/index.ts"
import { MemoryChangeSource, MemoryLedger, MemoryVersionedTables } from "../src/memory/index.ts"
import { pipeId } from "./pipes.ts"

const table = "users"
const columns = [
  { name: "id", type: "Int32" },
  { name: "name", type: "String" }
]

/** A pipe over memory that copies a table of three rows, in parts of two. */
const makePipe = Effect.gen(function* () {
  const source = MemoryChangeSource.make({
    tables: [{ name: table, target: table, columns, key: ["id"] }],
    rowsPerPart: 2
  })
  yield* source.commit({ table, put: "1\tAda" }, { table, put: "2\tGrace" }, { table, put: "3\tEdsger" })
  const warehouse = MemoryVersionedTables.make()
  const reports: Array<MoverStatus> = []
  const { ledger } = MemoryLedger.make()
  const layerOf = (kept: Ledger["Service"]) =>
    Layer.mergeAll(
      Layer.succeed(ChangeSource, source.source),
      Layer.succeed(VersionedTables, warehouse.tables),
      Layer.succeed(Ledger, kept)
    )
  const layer = layerOf(ledger)
  // As a version of before definitions were recorded leaves it.
  const earlier: Ledger["Service"] = {
    ...ledger,
    state: (id) => Effect.map(ledger.state(id), (state) => ({ ...state, doneDetail: new Map() }))
  }
  const options: CopyOptions = {
    pipeId,
    limits: { rows: 1, bytes: 1000, wait: Duration.seconds(1) },
    inFlight: 2,
    report: (status) => Effect.sync(() => void reports.push(status))
  }
  // Killed when rows are in a table and in its error table, and counted in neither.
  const killed: Ledger["Service"] = {
    ...ledger,
    markDone: (owner, range, delivered) =>
      delivered.rejected > 0 ? Effect.never : ledger.markDone(owner, range, delivered)
  }
  return {
    source,
    warehouse,
    reports,
    copy: Effect.provide(copyPipe(options), layer),
    copyKilled: Effect.provide(copyPipe(options), layerOf(killed)),
    copyEarlier: Effect.provide(copyPipe(options), layerOf(earlier)),
    acceptEarlier: Effect.provide(copyPipe({ ...options, decision: { acceptTable: true } }), layerOf(earlier)),
    state: ledger.state(pipeId),
    resync: Effect.provide(restartCopy(pipeId), layer),
    /** Waits until the target has these rows. The test's timeout ends what never does. */
    has: (...rows: ReadonlyArray<string>) =>
      Effect.repeat(Effect.andThen(Effect.sleep("1 millis"), warehouse.rows(table)), {
        until: (found) => found.join() === rows.join()
      })
  }
})

it.live("a pipe copies a table, follows its changes, and goes on where it was stopped", () =>
  Effect.gen(function* () {
    const { copy, has, reports, source } = yield* makePipe
    const first = yield* Effect.forkChild(copy)
    yield* has("1\tAda", "2\tGrace", "3\tEdsger")
    yield* source.commit({ table, put: "4\tBarbara" }, { table, remove: "2" })
    yield* has("1\tAda", "3\tEdsger", "4\tBarbara")
    yield* Fiber.interrupt(first)
    yield* source.commit({ table, truncate: true }, { table, put: "1\tAda Lovelace" })
    yield* source.commit({ table, rejected: "5", row: { content: new Uint8Array([1]), reason: "too large" } })
    const second = yield* Effect.forkChild(copy)
    yield* has("1\tAda Lovelace")
    yield* Effect.repeat(Effect.sleep("1 millis"), { until: () => reports.at(-1)?.rejectedRows === 1 })
    yield* Fiber.interrupt(second)
    assert.strictEqual(reports.at(-1)?.state, "Running")
  })
)

it.live("rows, their bytes and rejected rows are counted once, whatever a kill leaves to the next mover", () =>
  Effect.gen(function* () {
    const { copy, copyKilled, has, source, state } = yield* makePipe
    const first = yield* Effect.forkChild(copyKilled)
    yield* has("1\tAda", "2\tGrace", "3\tEdsger")
    const row = { content: new Uint8Array([1]), reason: "too large" }
    yield* source.commit({ table, put: "4\tBarbara" }, { table, rejected: "5", row }, { table, rejected: "6", row })
    const pending = Effect.map(state, (found) => found.pending.some(({ range }) => range.partition === "changes"))
    yield* Effect.repeat(Effect.andThen(Effect.sleep("1 millis"), pending), { until: (is) => is })
    const { delivered } = yield* state
    yield* Fiber.interrupt(first)
    const second = yield* Effect.forkChild(copy)
    const counted = Effect.map(state, (found) => found.delivered.rows)
    yield* source.commit({ table, put: "7\tAlan" })
    yield* Effect.repeat(Effect.andThen(Effect.sleep("1 millis"), counted), { until: (found) => found >= 7 })
    yield* Fiber.interrupt(second)
    // Three rows of the snapshot, two that were put, and a removal of what each rejected one replaces.
    const snapshot = ["1\tAda\t0\t0\n", "2\tGrace\t0\t0\n", "3\tEdsger\t0\t0\n"]
    const changes = ["4\tBarbara\t0\t3", "5\t\\N\t1\t4", "6\t\\N\t1\t5", "7\tAlan\t0\t6", "\u0001", "\u0001"]
    const bytes = [...snapshot, ...changes].join("").length
    assert.deepStrictEqual([delivered.rejected, (yield* state).delivered], [0, { rows: 7, rejected: 2, bytes }])
  })
)

it.live("a pipe whose source forgot changes is Failed, until a resync copies its tables again", () =>
  Effect.gen(function* () {
    const { copy, has, resync, source } = yield* makePipe
    const first = yield* Effect.forkChild(copy)
    yield* has("1\tAda", "2\tGrace", "3\tEdsger")
    yield* Fiber.interrupt(first)
    yield* source.commit({ table, remove: "1" }, { table, put: "2\tGrace Hopper" })
    yield* source.forgetChanges
    assert.strictEqual((yield* copy)._tag, "Failed")
    yield* resync
    const second = yield* Effect.forkChild(copy)
    yield* has("2\tGrace Hopper", "3\tEdsger")
    yield* Fiber.interrupt(second)
  })
)

it.live(
  "what is recorded of a table stays with its copy, and a pipe that lacks it is Failed until it is accepted",
  () =>
    Effect.gen(function* () {
      const pipe = yield* makePipe
      const { has, source } = pipe
      const recorded = Effect.map(pipe.state, ({ doneDetail }) => doneDetail.get(`table ${table}`))
      const first = yield* Effect.forkChild(pipe.copy)
      yield* has("1\tAda", "2\tGrace", "3\tEdsger")
      yield* source.commit({ table, put: "4\tBarbara" })
      yield* has("1\tAda", "2\tGrace", "3\tEdsger", "4\tBarbara")
      yield* Fiber.interrupt(first)
      const before = yield* recorded
      assert.include(before, '"definition":"0"')
      yield* source.commit({ table, remove: "1" })
      const second = yield* Effect.forkChild(pipe.copy)
      yield* has("2\tGrace", "3\tEdsger", "4\tBarbara")
      yield* Fiber.interrupt(second)
      assert.strictEqual(yield* recorded, before)

      assert.strictEqual((yield* pipe.copyEarlier)._tag, "Failed")
      yield* source.commit({ table, remove: "2" })
      const accepting = yield* Effect.forkChild(pipe.acceptEarlier)
      yield* has("3\tEdsger", "4\tBarbara")
      yield* Fiber.interrupt(accepting)
      assert.include(yield* recorded, '"definition":"0"')
      assert.strictEqual((yield* pipe.state).current?.generation, 1)

      // A resync records it with the new copy.
      yield* pipe.resync
      assert.isUndefined(yield* recorded)
      const last = yield* Effect.forkChild(pipe.copy)
      yield* Effect.repeat(Effect.andThen(Effect.sleep("1 millis"), recorded), {
        until: (found) => found !== undefined
      })
      yield* Fiber.interrupt(last)
      assert.include(yield* recorded, '"definition":"0"')
    })
)

it.live(
  "a pipe whose warehouse was restored while it runs is Failed with the next change, and a resync copies what is lost",
  () =>
    Effect.gen(function* () {
      const { copy, has, resync, source, warehouse } = yield* makePipe
      const first = yield* Effect.forkChild(copy)
      yield* has("1\tAda", "2\tGrace", "3\tEdsger")
      yield* source.commit({ table, put: "4\tBarbara" })
      yield* has("1\tAda", "2\tGrace", "3\tEdsger", "4\tBarbara")
      const restore = yield* warehouse.backup
      yield* source.commit({ table, remove: "1" })
      yield* has("2\tGrace", "3\tEdsger", "4\tBarbara")
      yield* restore
      yield* source.commit({ table, put: "5\tAlan" })
      const { _tag, message } = yield* Fiber.join(first)
      assert.strictEqual(_tag, "Failed")
      assert.include(message, "the ledger and the warehouse differ")
      yield* resync
      const second = yield* Effect.forkChild(copy)
      yield* has("2\tGrace", "3\tEdsger", "4\tBarbara", "5\tAlan")
      yield* Fiber.interrupt(second)
    })
)

it.live("a pipe whose source is another database is Failed", () =>
  Effect.gen(function* () {
    const { copy, has, source } = yield* makePipe
    const first = yield* Effect.forkChild(copy)
    yield* has("1\tAda", "2\tGrace", "3\tEdsger")
    yield* Fiber.interrupt(first)
    yield* source.replace("restored")
    const { _tag, message } = yield* copy
    assert.strictEqual(_tag, "Failed")
    assert.include(message, "resync")
  })
)
