import type { Destination as PipeDestination, FieldMapping } from "@headgate/core"
import { RowsRejected, Warehouse, WarehouseRefused } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { ClickHouse, type InsertStatement } from "./connection/ClickHouse.ts"
import { type EngineFailure, rejectedRow, rejectionReason, warehouseFailure } from "./connection/EngineFailure.ts"
import type { Column } from "./row/typeMapping.ts"
import { mapFields, rowScanner } from "./row/jsonRow.ts"
import { statementBody } from "./row/statementBody.ts"
import { insertSettings, type KnownSettings, recentSettings } from "./sql/insertSettings.ts"
import { quoteIdentifier, quoteTable } from "./sql/quote.ts"
import { parsingThreads, recentObjectSettings } from "./staging/objectQuery.ts"
import { stageObjects } from "./staging/stageObject.ts"
import { stageRows } from "./staging/stageRows.ts"
import {
  dropStaging,
  lastBlock,
  movePart,
  type ObjectDelivery,
  type StagingTarget,
  takeOverStagings
} from "./staging/Stagings.ts"
import { alteration, checkUnaltered, type InsertedTable, knownSettings } from "./table/describeTable.ts"
import type { Memory } from "./table/guarantee.ts"
import { checkName, openTable } from "./table/openTable.ts"
import {
  createOwnTables,
  errorColumns,
  errorRow,
  type ErrorTableName,
  errorTableOf,
  readLog,
  writeLog
} from "./table/ownTables.ts"

/** Where the rows of a pipe go. */
export interface ClickHouseWarehouseOptions {
  readonly destination: PipeDestination
  /** The fields of rows that go to columns of other names. None: each field goes to the column of its name. */
  readonly fieldMappings?: ReadonlyArray<FieldMapping>
  /** What the error table is called: `<table>_pipe_errors`, or `<table>_clickpipes_error` as in the real service. */
  readonly errorTable?: ErrorTableName
  /**
   * How the rows of objects reach the table. `stage`, by default: exactly once, by staging tables whose partitions are moved; a
   * table with materialized views is refused, for moved rows do not reach them. `insert`: by plain inserts, at least once.
   */
  readonly objects?: ObjectDelivery
}

/** Each mapping names a column that the pipe writes to, and each column once: the engine would pass over a field without one. */
const checkMappings = Effect.fnUntraced(function* (
  mappings: ReadonlyArray<FieldMapping>,
  columns: ReadonlyArray<Column>
) {
  const left = new Set(columns.map(({ name }) => name))
  for (const [index, { destinationField }] of mappings.entries()) {
    if (left.delete(destinationField ?? "")) continue
    const message = `fieldMappings[${index}].destinationField: Expected a column of the destination, each once, got ${destinationField}`
    return yield* new WarehouseRefused({ message })
  }
})

interface Opened {
  /** The table with all columns that an insert may name, and those that the pipe writes to. */
  readonly all: InsertedTable
  readonly columns: ReadonlyArray<Column>
  readonly settings: ReadonlyMap<string, string>
  readonly memory: Memory
}

// Nobody alters a table more often while a pipe runs. The last ones are kept.
const mostWarnings = 20

const insertInto = (
  table: string,
  columns: ReadonlyArray<string>,
  token: string,
  settings: KnownSettings
): InsertStatement => ({
  into: `${table} (${columns.map(quoteIdentifier).join(", ")})`,
  format: `${insertSettings(token, settings)} FORMAT JSONEachRow`
})

const make = Effect.fnUntraced(function* (options: ClickHouseWarehouseOptions) {
  const { destination, errorTable = "neutral", fieldMappings = [], objects = "stage" } = options
  const engine = yield* ClickHouse
  const database = yield* checkName("destination.database", destination.database ?? engine.database)
  const name = yield* checkName("destination.table", destination.table)
  const [table, errors] = [quoteTable(database, name), quoteTable(database, errorTableOf(name, errorTable))]
  const mapRow = mapFields(fieldMappings)
  const target: StagingTarget = { engine, database, table: name, delivery: objects, fieldMappings }
  let opened: Opened | undefined
  let warnings: ReadonlyArray<string> = []

  const needOpened = Effect.suspend(() =>
    opened === undefined ? Effect.die(new Error("open the warehouse before its other methods")) : Effect.succeed(opened)
  )
  const needUnaltered = Effect.tap(needOpened, ({ all }) => checkUnaltered(engine, database, name, all))

  /** What the failure of an insert is: a row, the row that was found on the way, or the warehouse. */
  const insertFailure = (
    failure: EngineFailure,
    found: { readonly row: number; readonly reason: string } | undefined
  ) => {
    const row = rejectedRow(failure)
    if (row === undefined) return warehouseFailure(failure)
    const reason = row === found?.row ? found.reason : rejectionReason(failure)
    return new RowsRejected({ rows: [{ row, reason }] })
  }

  /** Inserts rows into a table with the columns of the destination. */
  const insertRows = Effect.fnUntraced(function* <E>(
    { columns, settings }: Opened,
    into: string,
    token: string,
    rows: Stream.Stream<Uint8Array, E>
  ) {
    const unknown = new Map<string, number>()
    const scan = rowScanner(columns, unknown)
    const { bytes, found } = statementBody(Stream.map(rows, mapRow), scan)
    const names = columns.map(({ name }) => name)
    yield* engine.insert(insertInto(into, names, token, settings), bytes, (failure) => insertFailure(failure, found()))
    const missed = found()
    if (missed !== undefined) {
      const message = `the warehouse took a row that is none, so a part of a range may be in the table: ${missed.reason}`
      return yield* new WarehouseRefused({ message })
    }
    return unknown
  })

  const warehouse: Warehouse["Service"] = {
    open: Effect.fn("ClickHouseWarehouse.open")(function* (pipeId, window, known) {
      const settings = yield* knownSettings(engine, [...recentSettings, ...recentObjectSettings, parsingThreads])
      const { all, columns, memory, promise } = yield* openTable(
        engine,
        pipeId,
        destination,
        database,
        name,
        window,
        known
      )
      yield* checkMappings(fieldMappings, columns)
      yield* createOwnTables(engine, database, errorTableOf(name, errorTable), window)
      const altered = opened === undefined ? undefined : alteration(name, opened.all.columns, all.columns)
      if (altered !== undefined) warnings = [...warnings, altered].slice(-mostWarnings)
      opened = { all, columns, settings, memory }
      const kept = objects === "insert" ? ({ ...promise, guarantee: "at least once" } as const) : promise
      return warnings.length === 0 ? kept : { ...kept, warnings }
    }),
    insert: Effect.fn("ClickHouseWarehouse.insert")(function* (_, token, rows) {
      return yield* insertRows(yield* needUnaltered, table, token, rows)
    }),
    insertBad: Effect.fn("ClickHouseWarehouse.insertBad")(function* (range, token, rows) {
      const { settings } = yield* needOpened
      const { bytes } = statementBody(
        Stream.map(rows, (row) => errorRow(range, row)),
        () => undefined
      )
      yield* engine.insert(insertInto(errors, errorColumns, token, settings), bytes, warehouseFailure)
    }),
    takeOver: Effect.fn("ClickHouseWarehouse.takeOver")((owner, keep) => takeOverStagings(target, owner, keep)),
    stage: Effect.fn("ClickHouseWarehouse.stage")(function* (owner, range, objects) {
      return yield* stageObjects(target, yield* needUnaltered, owner, range, objects)
    }),
    stageRows: Effect.fn("ClickHouseWarehouse.stageRows")(function* (owner, range, object) {
      const opened = yield* needUnaltered
      return yield* stageRows(target, opened, owner, range, object, (into, token, rows) =>
        insertRows(opened, into, token, rows)
      )
    }),
    beforeMove: Effect.fn("ClickHouseWarehouse.beforeMove")((part) =>
      Effect.andThen(needUnaltered, lastBlock(target, part))
    ),
    movePart: Effect.fn("ClickHouseWarehouse.movePart")((staging, part, before) =>
      movePart(target, staging, part, before)
    ),
    discard: Effect.fn("ClickHouseWarehouse.discard")((staging) => dropStaging(target, staging)),
    log: Effect.fn("ClickHouseWarehouse.log")((range) => writeLog(engine, database, range)),
    logged: Effect.fn("ClickHouseWarehouse.logged")((pipeId) => readLog(engine, database, pipeId, name, opened?.memory))
  }
  return warehouse
})

/**
 * The mover's `Warehouse` over a table of ClickHouse, for one pipe.
 *
 * Exactly once holds for tables of the MergeTree family, on one server or with Keeper; other engines are "at least once".
 * A materialized view on the table gets the rows of an insert after the table has them: it holds each row once only if its
 * own table remembers as many inserts.
 */
const layer = (options: ClickHouseWarehouseOptions): Layer.Layer<Warehouse, WarehouseRefused, ClickHouse> =>
  Layer.effect(Warehouse, make(options))

/** A table of ClickHouse as the mover's `Warehouse`. */
export const ClickHouseWarehouse = { layer }
