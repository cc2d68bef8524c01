export { MemoryAuthenticator, MemoryTokens } from "./access/index.ts"
export { MemoryDashboards } from "./dashboard/index.ts"
export { KeyMap, MemoryApiKeys, MemoryStoredApiKeys } from "./key/index.ts"
export { MemoryAdapter, type MemoryAdapterOptions, type MemoryPorts } from "./MemoryAdapter.ts"
export {
  MemoryStore,
  type StoredDashboard,
  type StoredOrganization,
  type StoredPipe,
  type StoredService
} from "./MemoryStore.ts"
export { MemoryPipeDocuments, MemoryPipes } from "./pipe/index.ts"
export { MemorySnapshots } from "./snapshot/index.ts"
