export { CallOptions } from "./CallOptions.ts"
export {
  type ConnectionOptions,
  ManagementConnection,
  type ManagementOptions,
  ObservabilityConnection,
  type ObservabilityOptions
} from "./Connection.ts"
export { HttpDashboards } from "./dashboard/index.ts"
export { HttpAdapter } from "./HttpAdapter.ts"
export { HttpApiKeys } from "./key/index.ts"
export { HttpPipes } from "./pipe/index.ts"
