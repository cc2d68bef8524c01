import { ClickHouse, type Column, type ErrorTableName, errorTableOf, quoteTable } from "@headgate/clickhouse"
import type { Destination as PipeDestination, FieldMapping } from "@headgate/core"
import { Warehouse, WarehouseRefused } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"
import { warehouseFailure } from "./connection/warehouseFailure.ts"
import { insertInto, insertRows, type InsertTarget } from "./staging/insertRows.ts"
import { mapFields } from "./row/jsonRow.ts"
import { statementBody } from "./row/statementBody.ts"
import { rulesVersion } from "./row/typeMapping.ts"
import { recentSettings } from "./sql/insertSettings.ts"
import { parsingThreads, recentObjectSettings } from "./staging/objectQuery.ts"
import { copyRejected } from "./staging/rejectedRows.ts"
import { stageObjects } from "./staging/stageObject.ts"
import { stageRows } from "./staging/stageRows.ts"
import {
  discardStaging,
  lastBlock,
  movePart,
  type ObjectDelivery,
  type StagingTarget,
  takeOverStagings
} from "./staging/Stagings.ts"
import {
  alteration,
  type CheckOwner,
  checkUnaltered,
  findTables,
  type InsertedTable,
  knownSettings
} from "./table/describeTable.ts"
import type { Memory } from "./table/guarantee.ts"
import { createObjectLog, logObjects, readLoggedObjects } from "./table/objectLog.ts"
import { checkName, checkTableName, openTable } from "./table/openTable.ts"
import { createOwnTables, errorColumns, errorRow, readLog, writeLog } from "./table/ownTables.ts"

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
  /** Which tables the pipe may write to: the table and the error table are checked before they are opened. By default all. */
  readonly checkOwner?: CheckOwner
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
  /** By what rows are checked. */
  readonly checkedBy: string
}

// Nobody alters a table more often while a pipe runs. The last ones are kept.
const mostWarnings = 20

/** By what rows are checked: with another text, other rows may be rejected. */
const checkOf = (version: string, columns: ReadonlyArray<Column>, mappings: ReadonlyArray<FieldMapping>): string =>
  createHash("sha256")
    .update(JSON.stringify([rulesVersion, version, columns, mappings]))
    .digest("hex")
    .slice(0, 16)

const make = Effect.fnUntraced(function* (options: ClickHouseWarehouseOptions) {
  const {
    checkOwner = () => Effect.void,
    destination,
    errorTable = "neutral",
    fieldMappings = [],
    objects = "stage"
  } = options
  const engine = yield* ClickHouse
  const database = yield* checkName("destination.database", destination.database ?? engine.database)
  const name = yield* checkTableName("destination.table", destination.table)
  const [table, errors] = [quoteTable(database, name), quoteTable(database, errorTableOf(name, errorTable))]
  const mapRow = mapFields(fieldMappings)
  const target: StagingTarget = { engine, database, table: name, delivery: objects, fieldMappings }
  let opened: Opened | undefined
  let warnings: ReadonlyArray<string> = []

  const needOpened = Effect.suspend(() =>
    opened === undefined ? Effect.die(new Error("open the warehouse before its other methods")) : Effect.succeed(opened)
  )
  const needUnaltered = Effect.tap(needOpened, ({ all }) => checkUnaltered(engine, database, name, all))

  const insertTarget = ({ checkedBy, columns, settings }: Opened): InsertTarget => ({
    engine,
    database,
    columns,
    settings,
    checkedBy,
    mapRow
  })

  const warehouse: Warehouse["Service"] = {
    open: Effect.fn("ClickHouseWarehouse.open")(function* (pipeId, window, known) {
      yield* checkOwner(yield* findTables(engine, [name, errorTableOf(name, errorTable)], database))
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
      yield* createObjectLog(engine, database)
      yield* createOwnTables(engine, pipeId, database, errorTableOf(name, errorTable), window)
      const altered = opened === undefined ? undefined : alteration(name, opened.all.columns, all.columns)
      if (altered !== undefined) warnings = [...warnings, altered].slice(-mostWarnings)
      const version = yield* Effect.mapError(engine.run("SELECT version() FORMAT TSV"), warehouseFailure)
      opened = { all, columns, settings, memory, checkedBy: checkOf(version, columns, fieldMappings) }
      const kept = objects === "insert" ? ({ ...promise, guarantee: "at least once" } as const) : promise
      return warnings.length === 0 ? kept : { ...kept, warnings }
    }),
    insert: Effect.fn("ClickHouseWarehouse.insert")(function* (owner, range, token, rows, rejections) {
      return yield* insertRows(insertTarget(yield* needUnaltered), { owner, range }, table, token, rows, rejections)
    }),
    insertRejected: Effect.fn("ClickHouseWarehouse.insertRejected")(function* (range, token, rows) {
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
        // The staging is made anew after each interruption, so nothing is recorded, and no check but this one has seen its rows.
        insertRows(insertTarget(opened), { owner, range }, into, token, rows, { record: () => Effect.void }).pipe(
          Effect.catchTag("RejectionChanged", Effect.die)
        )
      )
    }),
    beforeMove: Effect.fn("ClickHouseWarehouse.beforeMove")((part) =>
      Effect.andThen(needUnaltered, lastBlock(target, part))
    ),
    movePart: Effect.fn("ClickHouseWarehouse.movePart")((staging, part, before) =>
      movePart(target, staging, part, before)
    ),
    copyRejected: Effect.fn("ClickHouseWarehouse.copyRejected")(function* (range, staging) {
      const { settings } = yield* needOpened
      return yield* copyRejected(target, errors, staging, range, settings)
    }),
    discard: Effect.fn("ClickHouseWarehouse.discard")((staging) => discardStaging(target, staging)),
    log: Effect.fn("ClickHouseWarehouse.log")(function* (range, read) {
      if (read !== undefined) yield* logObjects(engine, database, range, read)
      yield* writeLog(engine, database, range)
    }),
    loggedObjects: Effect.fn("ClickHouseWarehouse.loggedObjects")((pipeId, after) =>
      readLoggedObjects(engine, database, pipeId, after)
    ),
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
