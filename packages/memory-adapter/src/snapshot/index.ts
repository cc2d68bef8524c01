export { MemorySnapshots } from "./MemorySnapshots.ts"
