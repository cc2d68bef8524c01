import type { Destination as PipeDestination, PipeId } from "@headgate/core"
import { WarehouseRefused } from "@headgate/mover"
import * as Effect from "effect/Effect"
import type { ClickHouse } from "../connection/ClickHouse.ts"
import { fieldFailure, warehouseFailure } from "../connection/EngineFailure.ts"
import type { Column } from "../row/columnRule.ts"
import { quoteIdentifier } from "../sql/quote.ts"
import { columnsOf, defaultWindows, execute, findTable, type Table, typeName } from "./describeTable.ts"
import { alterWindow, destinationOf, memoryOf, windowOf, windowSetting } from "./guarantee.ts"
import { createdByPipe, createTable, wantedColumns } from "./tableDefinition.ts"

type Engine = ClickHouse["Service"]

const refuse = (message: string) => Effect.fail(new WarehouseRefused({ message }))

/** Fails with what to do if the database does not exist. */
export const checkDatabase = (engine: Engine, database: string) =>
  engine.run(`EXISTS DATABASE ${quoteIdentifier(database)} FORMAT TSV`).pipe(
    Effect.mapError(warehouseFailure),
    Effect.flatMap((answer) =>
      answer.trim() === "1"
        ? Effect.void
        : refuse(`destination.database: ${database} does not exist: CREATE DATABASE ${quoteIdentifier(database)}`)
    )
  )

/** The columns that the pipe writes to: those of its destination, as the table has them, or all. */
const writtenColumns = Effect.fnUntraced(function* (
  columns: ReadonlyArray<Column>,
  wanted: ReadonlyArray<{ readonly name: string; readonly type: string; readonly path: string }>
) {
  const found = new Map(columns.map((column) => [column.name, column] as const))
  for (const { name, path, type } of wanted) {
    const column = found.get(name)
    if (column === undefined) return yield* refuse(`${path}: the table has no column ${name} that takes rows`)
    if (column.type !== type) {
      return yield* refuse(`${path}: column ${name} of the table is ${column.type}, and the pipe's is ${type}`)
    }
  }
  const names = new Set(wanted.map(({ name }) => name))
  return names.size === 0 ? columns : columns.filter(({ name }) => names.has(name))
})

/** Makes the table remember enough inserts, if the pipe created it. */
const checkWindow = Effect.fnUntraced(function* (
  engine: Engine,
  database: string,
  name: string,
  table: Table,
  remembered: number,
  window: number
) {
  const memory = memoryOf(table.engine)
  if (memory === "not at all" || remembered >= window) return
  const statement = alterWindow(database, name, memory, window)
  if (table.comment.startsWith(createdByPipe)) return yield* execute(engine, statement)
  return yield* refuse(
    `the table remembers ${remembered} inserts (${windowSetting(memory)}) and the pipe needs ${window} to insert each row once. The pipe did not create the table, so run: ${statement}`
  )
})

/** Creates the destination table, or checks the one that exists. */
export const openTable = Effect.fnUntraced(function* (
  engine: Engine,
  pipeId: PipeId,
  destination: PipeDestination,
  database: string,
  name: string,
  window: number
) {
  yield* checkDatabase(engine, database)
  const wanted = yield* Effect.forEach(yield* wantedColumns(destination), (column) =>
    Effect.map(typeName(engine, column.path, column.type), (type) => ({ ...column, type }))
  )
  const existing = yield* findTable(engine, database, name)
  if (existing === undefined) {
    if (destination.managedTable !== true) {
      return yield* refuse(`destination.table: ${name} does not exist, and managedTable is not true`)
    }
    const statement = yield* createTable(pipeId, destination, database, name, wanted, window)
    yield* execute(engine, statement, fieldFailure("destination: the table cannot be created"))
  }
  const table = existing ?? (yield* findTable(engine, database, name))
  if (table === undefined) return yield* refuse(`destination.table: ${name} was dropped while the pipe opened it`)
  const memory = memoryOf(table.engine)
  const defaults = yield* defaultWindows(engine, memory === "in Keeper")
  yield* checkWindow(engine, database, name, table, windowOf(table, defaults), window)
  const all = yield* columnsOf(engine, database, name)
  return { all, memory, columns: yield* writtenColumns(all, wanted), promise: destinationOf(table, defaults) }
})
