export { MemoryLedger } from "./MemoryLedger.ts"
export { MemorySource } from "./MemorySource.ts"
export { MemoryWarehouse, type MemoryWarehouseOptions, type TableRow } from "./MemoryWarehouse.ts"
