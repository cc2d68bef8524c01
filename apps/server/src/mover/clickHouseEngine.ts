import {
  checkDestination,
  checkObjectReading,
  ClickHouse,
  ClickHouseVersionedTables,
  ClickHouseWarehouse,
  describeObject,
  dropStagings,
  errorTableOf,
  type ErrorTableName,
  findTables,
  inferColumns,
  readRejected
} from "@headgate/mover-clickhouse"
import type { WarehouseEngine } from "@headgate/mover-runtime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** ClickHouse as a warehouse of the mover. `errorTable`: what the error tables are called. */
export const clickHouseEngine = (engine: ClickHouse["Service"], errorTable: ErrorTableName): WarehouseEngine => {
  const inEngine = Layer.provide(Layer.succeed(ClickHouse, engine))
  return {
    database: engine.database,
    errorTableOf: (table) => errorTableOf(table, errorTable),
    warehouse: (options) => inEngine(ClickHouseWarehouse.layer({ ...options, errorTable })),
    versionedTables: (options) => inEngine(ClickHouseVersionedTables.layer({ ...options, errorTable })),
    findTables: (names, database) => findTables(engine, names, database),
    checkDestination: (destination) => checkDestination(engine, destination),
    checkObjectReading: (object) => checkObjectReading(engine, object),
    inferColumns: (rows) => inferColumns(engine, rows),
    describeObject: (object) => Effect.provideService(describeObject(object), ClickHouse, engine),
    rejectedRows: (pipeId, tables, database, page) => readRejected(engine, pipeId, tables, database, page),
    dropStagings: (pipeId, database) => dropStagings(engine, pipeId, database)
  }
}
