export { ClickHouseWarehouse, type ClickHouseWarehouseOptions } from "./ClickHouseWarehouse.ts"
export { ClickHouseVersionedTables, type ClickHouseVersionedTablesOptions } from "./ClickHouseVersionedTables.ts"
export {
  ClickHouse,
  type EmbeddedOptions,
  EngineFailure,
  errorTableOf,
  type ErrorTableName,
  type InsertStatement,
  type RunOptions,
  type ServerOptions
} from "@headgate/clickhouse"
export { ClickHouseEngine } from "./connection/ClickHouseEngine.ts"
export { checkObjectReading } from "./staging/checkObjectReading.ts"
export { describeObject } from "./staging/describeObject.ts"
export { dropStagings } from "./staging/Stagings.ts"
export { inferColumns, type InferredColumn, type InferredFields } from "./table/inferColumns.ts"
export { type CheckOwner, findTables, type FoundTable } from "./table/describeTable.ts"
export { checkDestination } from "./table/openTable.ts"
export { type FoundRejectedRow, readRejected, type RejectedPage } from "./table/readRejected.ts"
