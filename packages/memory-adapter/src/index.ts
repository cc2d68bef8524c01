export { type Fault, Faulty } from "./Faulty.ts"
export { MemoryAdapter, type MemoryAdapterOptions, type MemoryPorts } from "./MemoryAdapter.ts"
