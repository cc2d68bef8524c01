import { quoteTable } from "@headgate/clickhouse"
import type { Destination } from "@headgate/core"
import { type Range, Warehouse } from "@headgate/mover"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Stream from "effect/Stream"
import { ClickHouse, ClickHouseWarehouse, type ClickHouseWarehouseOptions } from "../../src/index.ts"

let databases = 0

/** A new database of the engine, which ends with the scope. */
const newDatabase = Effect.fnUntraced(function* (engine: ClickHouse["Service"]) {
  databases += 1
  const database = `d${process.pid}_${databases}`
  yield* engine.run(`CREATE DATABASE ${database}`)
  yield* Effect.addFinalizer(() => Effect.ignore(engine.run(`DROP DATABASE ${database}`)))
  return database
})

/** A pipe's warehouse over a table of a new database. */
export const openPipe = Effect.fnUntraced(function* (
  engine: ClickHouse["Service"],
  destination: Partial<Destination>,
  create?: (database: string) => string,
  change: Partial<ClickHouseWarehouseOptions> = {}
) {
  const database = yield* newDatabase(engine)
  if (create !== undefined) yield* engine.run(create(database))
  const layer = ClickHouseWarehouse.layer({
    destination: { database, table: "t", managedTable: true, ...destination },
    ...change
  })
  const context = yield* Layer.build(layer.pipe(Layer.provide(Layer.succeed(ClickHouse, engine))))
  const lines = (sql: string) =>
    Effect.map(engine.run(`${sql} FORMAT JSONEachRow`), (answer) => answer.split("\n").filter((line) => line !== ""))
  return {
    database,
    warehouse: Context.get(context, Warehouse),
    lines,
    rows: lines(`SELECT * FROM ${quoteTable(database, "t")}`)
  }
})

/** Inserts rows for an owner whose ledger forgets which ones were rejected. */
export const insertRows = <E>(
  warehouse: Warehouse["Service"],
  range: Range,
  token: string,
  rows: Stream.Stream<Uint8Array, E>
) =>
  warehouse.insert({ pipeId: range.pipeId, epoch: 1, id: "owner" }, range, token, rows, { record: () => Effect.void })
