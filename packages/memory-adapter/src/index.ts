export { type Fault, Faulty } from "./Faulty.ts"
export { MemoryAuthenticator } from "./access/MemoryAuthenticator.ts"
export { MemoryTokens } from "./access/MemoryTokens.ts"
export { MemoryDashboards } from "./dashboard/MemoryDashboards.ts"
export { KeyMap } from "./key/KeyMap.ts"
export { MemoryApiKeys } from "./key/MemoryApiKeys.ts"
export { MemoryStoredApiKeys } from "./key/MemoryStoredApiKeys.ts"
export { MemoryAdapter, type MemoryAdapterOptions, type MemoryPorts } from "./MemoryAdapter.ts"
export {
  MemoryStore,
  type StoredDashboard,
  type StoredOrganization,
  type StoredPipe,
  type StoredService
} from "./MemoryStore.ts"
export { MemoryPipes } from "./pipe/MemoryPipes.ts"
export { MemorySnapshots } from "./snapshot/MemorySnapshots.ts"
