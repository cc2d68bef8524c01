export { CallOptions } from "./CallOptions.ts"
export { connectionCause } from "./ConnectionCause.ts"
export { ManagementConnection, ObservabilityConnection } from "./Connection.ts"
export type {
  ApiKeyCredentials,
  CircuitBreakerOptions,
  ConnectionOptions,
  ManagementOptions,
  ObservabilityOptions,
  RateLimitOptions
} from "./ConnectionOptions.ts"
export { HttpCharts } from "./chart/HttpCharts.ts"
export { HttpConnections } from "./dashboard/HttpConnections.ts"
export { HttpDashboards } from "./dashboard/HttpDashboards.ts"
export { HttpDocumentStores } from "./dashboard/HttpDocumentStores.ts"
export { HttpSources } from "./dashboard/HttpSources.ts"
export { HttpAdapter } from "./HttpAdapter.ts"
export { HttpApiKeys } from "./key/HttpApiKeys.ts"
export { HttpConsoleSessions } from "./key/HttpConsoleSessions.ts"
export { HttpOrganizations } from "./organization/HttpOrganizations.ts"
export { HttpRoles } from "./key/HttpRoles.ts"
export { HttpPipes } from "./pipe/HttpPipes.ts"
export { HttpCdcScaling } from "./service/HttpCdcScaling.ts"
export { HttpReversePrivateEndpoints } from "./service/HttpReversePrivateEndpoints.ts"
export { HttpServices } from "./service/HttpServices.ts"
export { type RawRequest, sendRaw } from "./sendRaw.ts"
export { ReceivedElements } from "./ReceivedElements.ts"
export { ReceivedResponse, type ResponseInfo } from "./ReceivedResponse.ts"
export { IdempotencyKey } from "./layers/IdempotencyKey.ts"
