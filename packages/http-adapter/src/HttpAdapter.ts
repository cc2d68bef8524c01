import type { InvalidRequest } from "@headgate/core"
import type { ManagementPort, ObservabilityPort, ports } from "@headgate/core/adapter"
import * as Layer from "effect/Layer"
import type { HttpClient } from "effect/http/HttpClient"
import { ManagementConnection, ObservabilityConnection } from "./Connection.ts"
import type { ManagementOptions, ObservabilityOptions } from "./ConnectionOptions.ts"
import { HttpCharts } from "./chart/HttpCharts.ts"
import { HttpConnections } from "./dashboard/HttpConnections.ts"
import { HttpDashboards } from "./dashboard/HttpDashboards.ts"
import { HttpDocumentStores } from "./dashboard/HttpDocumentStores.ts"
import { HttpSources } from "./dashboard/HttpSources.ts"
import { HttpApiKeys } from "./key/HttpApiKeys.ts"
import { HttpConsoleSessions } from "./key/HttpConsoleSessions.ts"
import { HttpOrganizations } from "./organization/HttpOrganizations.ts"
import { HttpRoles } from "./key/HttpRoles.ts"
import { HttpPipes } from "./pipe/HttpPipes.ts"
import { HttpCdcScaling } from "./service/HttpCdcScaling.ts"
import { HttpReversePrivateEndpoints } from "./service/HttpReversePrivateEndpoints.ts"
import { HttpServices } from "./service/HttpServices.ts"

type Layers<Ports extends { readonly [Noun in keyof Ports]: { readonly Identifier: unknown } }, Connection> = {
  readonly [Noun in keyof Ports]: Layer.Layer<Ports[Noun]["Identifier"], never, Connection>
}

const management = {
  organization: HttpOrganizations.layer,
  service: HttpServices.layer,
  cdcScaling: HttpCdcScaling.layer,
  endpoint: HttpReversePrivateEndpoints.layer,
  pipe: HttpPipes.layer,
  key: HttpApiKeys.layer,
  role: HttpRoles.layer,
  console: HttpConsoleSessions.layer,
  serviceDashboard: HttpDashboards.layerServices,
  serviceSource: HttpDocumentStores.layerServices,
  serviceSavedSearch: HttpDocumentStores.layerServices,
  serviceWebhook: HttpDocumentStores.layerServices,
  serviceAlert: HttpDocumentStores.layerServices,
  dashboardRole: HttpDocumentStores.layerServices,
  serviceChart: HttpCharts.layerServices
} satisfies Layers<typeof ports.management, ManagementConnection>

const observability = {
  dashboard: HttpDashboards.layer,
  connection: HttpConnections.layer,
  source: HttpSources.layer,
  savedSearch: HttpDocumentStores.layerSavedSearches,
  webhook: HttpDocumentStores.layerWebhooks,
  alert: HttpDocumentStores.layerAlerts,
  chart: HttpCharts.layer
} satisfies Layers<typeof ports.observability, ObservabilityConnection>

// Fresh: Effect builds a layer once for a program, so two services in one program would share the first connection.
const layerManagement = (
  options: ManagementOptions
): Layer.Layer<ManagementConnection | ManagementPort, InvalidRequest, HttpClient> => {
  const { organization, ...others } = management
  return Layer.fresh(Layer.mergeAll(organization, ...Object.values(others))).pipe(
    Layer.provideMerge(ManagementConnection.layer(options))
  )
}

const layerObservability = (
  options: ObservabilityOptions
): Layer.Layer<ObservabilityConnection | ObservabilityPort, InvalidRequest, HttpClient> => {
  const { dashboard, ...others } = observability
  return Layer.fresh(Layer.mergeAll(dashboard, ...Object.values(others))).pipe(
    Layer.provideMerge(ObservabilityConnection.layer(options))
  )
}

/**
 * The ports over HTTP: `layerManagement` for organizations, services with the documents below them, pipes, keys, roles and the
 * sessions of the console,
 * `layerObservability` for dashboards and the documents beside them, each with its connection, for `sendRaw`. Both fail with an
 * `InvalidRequest` that names every invalid option: a malformed base URL, plain http to another host, a negative duration.
 *
 * @example
 * ```ts
 * import { HttpAdapter } from "@headgate/http-adapter"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 * import * as Redacted from "effect/Redacted"
 *
 * export const Management = HttpAdapter.layerManagement({
 *   baseUrl: "https://api.example.com",
 *   keyId: "my-key-id",
 *   keySecret: Redacted.make("from a vault"),
 *   rateLimit: { limit: 10, window: "10 seconds" },
 *   circuitBreaker: { failures: 5, openDuration: "30 seconds" }
 * }).pipe(Layer.provide(FetchHttpClient.layer))
 * ```
 */
export const HttpAdapter = { layerManagement, layerObservability }
