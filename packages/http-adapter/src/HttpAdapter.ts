import type {
  Alerts,
  ApiKeys,
  CdcScaling,
  ReversePrivateEndpoints,
  Connections,
  Dashboards,
  DashboardSources,
  InvalidRequest,
  Organizations,
  Pipes,
  Roles,
  SavedSearches,
  ServiceDashboards,
  Services,
  Webhooks
} from "@headgate/core"
import * as Layer from "effect/Layer"
import type { HttpClient } from "effect/http/HttpClient"
import { ManagementConnection, ObservabilityConnection } from "./Connection.ts"
import type { ManagementOptions, ObservabilityOptions } from "./ConnectionOptions.ts"
import { HttpConnections } from "./dashboard/HttpConnections.ts"
import { HttpDashboards } from "./dashboard/HttpDashboards.ts"
import { HttpDocumentStores } from "./dashboard/HttpDocumentStores.ts"
import { HttpSources } from "./dashboard/HttpSources.ts"
import { HttpApiKeys } from "./key/HttpApiKeys.ts"
import { HttpOrganizations } from "./organization/HttpOrganizations.ts"
import { HttpRoles } from "./key/HttpRoles.ts"
import { HttpPipes } from "./pipe/HttpPipes.ts"
import { HttpCdcScaling } from "./service/HttpCdcScaling.ts"
import { HttpReversePrivateEndpoints } from "./service/HttpReversePrivateEndpoints.ts"
import { HttpServices } from "./service/HttpServices.ts"

// Fresh: Effect builds a layer once for a program, so two services in one program would share the first connection.
const layerManagement = (
  options: ManagementOptions
): Layer.Layer<
  | ApiKeys
  | CdcScaling
  | ManagementConnection
  | Organizations
  | Pipes
  | ReversePrivateEndpoints
  | Roles
  | ServiceDashboards
  | Services,
  InvalidRequest,
  HttpClient
> =>
  Layer.fresh(
    Layer.mergeAll(
      HttpApiKeys.layer,
      HttpOrganizations.layer,
      HttpPipes.layer,
      HttpDashboards.layerServices,
      HttpServices.layer,
      HttpCdcScaling.layer,
      HttpReversePrivateEndpoints.layer,
      HttpRoles.layer
    )
  ).pipe(Layer.provideMerge(ManagementConnection.layer(options)))

const layerObservability = (
  options: ObservabilityOptions
): Layer.Layer<
  Alerts | Connections | Dashboards | DashboardSources | ObservabilityConnection | SavedSearches | Webhooks,
  InvalidRequest,
  HttpClient
> =>
  Layer.fresh(
    Layer.mergeAll(HttpConnections.layer, HttpDashboards.layer, HttpDocumentStores.layer, HttpSources.layer)
  ).pipe(Layer.provideMerge(ObservabilityConnection.layer(options)))

/**
 * The ports over HTTP: `layerManagement` for organizations, services with their dashboards, pipes, keys and roles,
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
