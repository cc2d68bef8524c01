export { ClickHouseWarehouse, type ClickHouseWarehouseOptions } from "./ClickHouseWarehouse.ts"
export { ClickHouse, ClickHouseEngine, type RunOptions } from "./connection/ClickHouse.ts"
export { EngineFailure } from "./connection/EngineFailure.ts"
export type { EmbeddedOptions, ServerOptions } from "./connection/ClickHouseOptions.ts"
