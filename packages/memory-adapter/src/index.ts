export { type Fault, Faulty } from "./Faulty.ts"
export { MemoryAdapter, type MemoryAdapterOptions, type MemoryPorts } from "./MemoryAdapter.ts"
export { type MemoryChartDatabase, MemoryChartEngines, type MemoryChartTable } from "./chart/MemoryChartEngines.ts"
