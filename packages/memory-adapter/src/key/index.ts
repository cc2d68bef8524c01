export { MemoryApiKeys } from "./MemoryApiKeys.ts"
