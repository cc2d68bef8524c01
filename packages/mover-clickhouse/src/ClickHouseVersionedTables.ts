import { ClickHouse, type ErrorTableName, errorTableOf, quoteIdentifier, quoteTable } from "@headgate/clickhouse"
import { insertedColumns, type SourceTable, versionColumns, VersionedTables, WarehouseRefused } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { warehouseFailure } from "./connection/warehouseFailure.ts"
import { tsvSettings } from "./sql/insertSettings.ts"
import {
  type CheckOwner,
  checkUnaltered,
  execute,
  findTables,
  type InsertedTable,
  readTable
} from "./table/describeTable.ts"
import { createOwnTables, errorColumns, errorRow, readLog, writeLog } from "./table/ownTables.ts"
import { checkDatabase, checkName, checkTableName } from "./table/openTable.ts"
import { openVersionedTable } from "./table/versionedTable.ts"

/** Where the tables of a pipe are. */
export interface ClickHouseVersionedTablesOptions {
  /** By default that of the engine. */
  readonly database?: string
  /** What the error tables are called: `<table>_pipe_errors`, or `<table>_clickpipes_error` as in the real service. */
  readonly errorTable?: ErrorTableName
  /** Which tables the pipe may write to: targets and error tables are checked before they are opened. By default all. */
  readonly checkOwner?: CheckOwner
}

const list = (names: ReadonlyArray<string>): string => names.map(quoteIdentifier).join(", ")

const newline = new Uint8Array([0x0a])

const make = Effect.fnUntraced(function* (options: ClickHouseVersionedTablesOptions) {
  const engine = yield* ClickHouse
  const { checkOwner = () => Effect.void, errorTable = "neutral" } = options
  const database = yield* checkName("destination.database", options.database ?? engine.database)
  /** Each target when it was opened. */
  const opened = new Map<string, InsertedTable>()
  const nameOf = ({ target }: SourceTable) => quoteTable(database, target)

  const tables: VersionedTables["Service"] = {
    open: Effect.fn("ClickHouseVersionedTables.open")(function* (pipeId, wanted, known) {
      yield* checkDatabase(engine, database)
      const targets = new Set(wanted.map(({ target }) => target))
      if (targets.size < wanted.length) {
        return yield* new WarehouseRefused({ message: "two tables of the source have the same targetTable" })
      }
      const names = wanted.flatMap(({ target }) => [target, errorTableOf(target, errorTable)])
      yield* checkOwner(yield* findTables(engine, names, database))
      return yield* Effect.forEach(
        wanted,
        Effect.fnUntraced(function* (table) {
          yield* checkTableName("targetTable", table.target)
          const target = yield* openVersionedTable(engine, pipeId, table, database, known?.get(table.target))
          yield* createOwnTables(engine, pipeId, database, errorTableOf(table.target, errorTable), 0)
          const found = yield* readTable(engine, database, table.target)
          opened.set(table.target, found)
          return { ...table, ...target, knownBy: found.knownBy, isCreated: found.creator === pipeId }
        })
      )
    }),
    insert: Effect.fn("ClickHouseVersionedTables.insert")(function* (table, rows) {
      yield* checkUnaltered(engine, database, table.target, opened.get(table.target) ?? { columns: [], knownBy: "" })
      const into = `${nameOf(table)} (${list(insertedColumns(table))})`
      yield* engine.insert({ into, format: `${tsvSettings} FORMAT TSV` }, rows, warehouseFailure)
    }),
    insertRejected: Effect.fn("ClickHouseVersionedTables.insertRejected")(function* (range, table, rows) {
      const errors = quoteTable(database, errorTableOf(table.target, errorTable))
      const named = { ...range, partition: table.name }
      const lines = rows.flatMap((row, index) => [errorRow(named, { ...row, row: index }), newline])
      const statement = { into: `${errors} (${list(errorColumns)})`, format: `${tsvSettings} FORMAT JSONEachRow` }
      yield* engine.insert(statement, Stream.fromArray([Buffer.concat(lines)]), warehouseFailure)
    }),
    deleteBelow: Effect.fn("ClickHouseVersionedTables.deleteBelow")(function* (table, version) {
      const [deleted, versioned] = [versionColumns.isDeleted, versionColumns.version].map(quoteIdentifier)
      yield* execute(
        engine,
        `INSERT INTO ${nameOf(table)} (${list([...table.key, versionColumns.isDeleted, versionColumns.version])})
        SELECT ${list(table.key)}, 1, ${version} FROM ${nameOf(table)} FINAL
        WHERE ${deleted} = 0 AND ${versioned} < ${version}
        SETTINGS async_insert = 0, insert_deduplicate = 0`
      )
    }),
    log: Effect.fn("ClickHouseVersionedTables.log")((range) => writeLog(engine, database, range)),
    logged: Effect.fn("ClickHouseVersionedTables.logged")((pipeId) => readLog(engine, database, pipeId))
  }
  return tables
})

/**
 * The mover's `VersionedTables` over a database of ClickHouse, for one pipe. Its tables are
 * `ReplacingMergeTree(_peerdb_version)`: a query with `FINAL` and `WHERE _peerdb_is_deleted = 0` sees the rows of the source.
 */
const layer = (
  options: ClickHouseVersionedTablesOptions = {}
): Layer.Layer<VersionedTables, WarehouseRefused, ClickHouse> => Layer.effect(VersionedTables, make(options))

/** A database of ClickHouse as the mover's `VersionedTables`. */
export const ClickHouseVersionedTables = { layer }
