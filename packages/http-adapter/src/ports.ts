export {
  type Connection,
  type ConnectionParts,
  connectManagement,
  connectObservability,
  type ManagementApi
} from "./connect.ts"
export { callUnknown, type UnknownRequest } from "./callUnknown.ts"
export { type HttpRequest, urlOf } from "./HttpRequest.ts"
export { noObserver, type Observer } from "./Observer.ts"
export { type Fetch, fetchTransport } from "./transport/fetchTransport.ts"
export type { Answer, Transport, TransportFailure } from "./Transport.ts"
export type { Attempt, AttemptFailure, Call, Send } from "./Attempt.ts"
export { makeHttpCharts, makeHttpServiceCharts } from "./chart/HttpCharts.ts"
export { makeHttpConnections } from "./dashboard/HttpConnections.ts"
export { makeHttpDashboards, makeHttpServiceDashboards } from "./dashboard/HttpDashboards.ts"
export {
  makeHttpAlerts,
  makeHttpDashboardRoles,
  makeHttpSavedSearches,
  makeHttpServiceAlerts,
  makeHttpServiceSavedSearches,
  makeHttpServiceSources,
  makeHttpServiceWebhooks,
  makeHttpWebhooks
} from "./dashboard/HttpDocumentStores.ts"
export { makeHttpSources } from "./dashboard/HttpSources.ts"
export { makeHttpApiKeys } from "./key/HttpApiKeys.ts"
export { makeHttpConsoleSessions } from "./key/HttpConsoleSessions.ts"
export { makeHttpRoles } from "./key/HttpRoles.ts"
export { makeHttpOrganizations } from "./organization/HttpOrganizations.ts"
export { makeHttpPipes } from "./pipe/HttpPipes.ts"
export type { PortBelowService } from "./portOf.ts"
export { makeHttpCdcScaling } from "./service/HttpCdcScaling.ts"
export { makeHttpReversePrivateEndpoints } from "./service/HttpReversePrivateEndpoints.ts"
export { makeHttpServices } from "./service/HttpServices.ts"
