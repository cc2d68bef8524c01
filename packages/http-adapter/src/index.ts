export type { ApiKeyCredentials } from "./Auth.ts"
export { CallOptions } from "./CallOptions.ts"
export type { CircuitBreakerOptions } from "./CircuitBreaker.ts"
export {
  type ConnectionOptions,
  ManagementConnection,
  type ManagementOptions,
  ObservabilityConnection,
  type ObservabilityOptions
} from "./Connection.ts"
export { HttpDashboards } from "./dashboard/HttpDashboards.ts"
export { HttpAdapter } from "./HttpAdapter.ts"
export { HttpApiKeys } from "./key/HttpApiKeys.ts"
export type { RateLimitOptions } from "./RateLimit.ts"
export { HttpPipes } from "./pipe/HttpPipes.ts"
