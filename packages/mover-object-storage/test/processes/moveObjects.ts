// Moves a bucket into a table of the engine in this process, and sends how it ended and what the table holds. If it is told
// where to stop, it sends "reached" there and goes no further: it waits to be killed.
import { Ledger, movePipe, Warehouse } from "@headgate/mover"
import { ClickHouse, ClickHouseWarehouse } from "@headgate/mover-clickhouse"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { argv } from "node:process"
import { ObjectStorage } from "../../src/index.ts"
import { embeddedIn } from "../../../mover-clickhouse/test/support/engine.ts"
import { ledgerIn, pipeId } from "../support/ledger.ts"

const [directory = "", ledgerFile = "", url = "", stopAt = "nowhere", format = ""] = argv.slice(2)

/** Stops at the call of `count` to a place. */
const [place = "", count = "1"] = stopAt.split(":")
let calls = 0
const stop = (name: string) =>
  Effect.suspend(() => {
    if (name !== place || (calls += 1) < Number(count)) return Effect.void
    process.send?.("reached")
    return Effect.never
  })

const stopsInLedger = Layer.effect(
  Ledger,
  Ledger.useSync((ledger) => ({
    ...ledger,
    recordNarrowed: (owner, range, detail) =>
      Effect.andThen(ledger.recordNarrowed(owner, range, detail), stop("narrowed")),
    recordStaged: (owner, range, staged) =>
      stop("staged").pipe(Effect.andThen(ledger.recordStaged(owner, range, staged)), Effect.andThen(stop("recorded"))),
    markMoved: (owner, range, part) =>
      stop("moved").pipe(Effect.andThen(ledger.markMoved(owner, range, part)), Effect.andThen(stop("marked"))),
    markDone: (owner, range, delivered) =>
      stop("logged").pipe(Effect.andThen(ledger.markDone(owner, range, delivered)), Effect.andThen(stop("done")))
  }))
)

const stopsInWarehouse = Layer.effect(
  Warehouse,
  Warehouse.useSync((warehouse) => ({
    ...warehouse,
    stageRows: (owner, range, object) => Effect.tap(warehouse.stageRows(owner, range, object), stop("copied")),
    copyRejected: (range, staging) => Effect.tap(warehouse.copyRejected(range, staging), stop("rejected"))
  }))
)

const destination = {
  database: "default",
  table: "moved",
  managedTable: true,
  columns: [
    { name: "n", type: "UInt64" },
    { name: "text", type: "String" }
  ],
  tableDefinition: { sortingKey: ["n"], partitionBy: "n % 4" }
}

const run = Effect.gen(function* () {
  const end = yield* movePipe({
    pipeId,
    limits: { rows: 100_000, bytes: 32_000_000, wait: Duration.millis(100) },
    inFlight: 2,
    partsPerInsert: 4,
    pipesOnTable: 1,
    report: () => Effect.void
  })
  const engine = yield* ClickHouse
  const counts = yield* engine.run("SELECT count(), uniqExact(n) FROM default.moved FORMAT TSV")
  const bad = yield* engine.run("SELECT count() FROM default.moved_pipe_errors FORMAT TSV")
  const left = yield* engine.run("SELECT count() FROM system.tables WHERE name LIKE 'headgate_stage_%' FORMAT TSV")
  const [rows, uniq] = counts.trim().split("\t").map(Number)
  process.send?.({ end: end._tag, message: end.message, rows, uniq, bad: Number(bad), left: Number(left) })
})

/** Stops when the objects of a range are logged, and not yet its position. */
const stopsInLog = Layer.effect(
  ClickHouse,
  ClickHouse.useSync((engine) => ({
    ...engine,
    insert: (statement, rows, refine) => {
      const inserted = engine.insert(statement, rows, refine)
      return statement.into.includes("headgate_pipe_objects") ? Effect.tap(inserted, stop("listed")) : inserted
    }
  }))
)

const engine = Layer.provide(stopsInLog, embeddedIn(directory))
const parts = Layer.mergeAll(
  ObjectStorage.layer({
    url,
    format: format === "CSV" ? "CSV" : "JSONEachRow",
    compression: "auto",
    isContinuous: false
  }),
  Layer.provideMerge(Layer.provide(stopsInWarehouse, ClickHouseWarehouse.layer({ destination })), engine),
  Layer.provide(stopsInLedger, ledgerIn(ledgerFile))
)

await Effect.runPromise(Effect.provide(run, parts))
process.disconnect?.()
