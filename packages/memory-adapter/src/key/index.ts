export { KeyMap } from "./KeyMap.ts"
export { MemoryApiKeys } from "./MemoryApiKeys.ts"
export { MemoryStoredApiKeys } from "./MemoryStoredApiKeys.ts"
