export { MemoryLedger } from "./MemoryLedger.ts"
export { MemoryObjects } from "./MemoryObjects.ts"
export { MemorySource } from "./MemorySource.ts"
export { MemoryWarehouse, type MemoryWarehouseOptions, type TableRow } from "./MemoryWarehouse.ts"
