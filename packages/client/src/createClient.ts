import {
  type ClientOptions,
  type ConnectionOptions,
  type GivenManagement,
  type GivenObservability,
  type Optional,
  validateOptions
} from "./ClientOptions.ts"
import type { HeadgateClient, ManagementClient, ObservabilityClient, PartialClient } from "./HeadgateClient.ts"
import { makeRunner } from "./Runner.ts"
import { dashboardsClient, serviceDashboardsClient } from "./dashboard/DashboardsClient.ts"
import { alertsClient, savedSearchesClient, webhooksClient } from "./dashboard/DocumentsClient.ts"
import { connectionsClient, sourcesClient } from "./dashboard/SourcesClient.ts"
import { httpLayers } from "./httpLayers.ts"
import { keysClient } from "./key/KeysClient.ts"
import { organizationsClient } from "./organization/OrganizationsClient.ts"
import { rolesClient } from "./key/RolesClient.ts"
import { pipesClient } from "./pipe/PipesClient.ts"
import { cdcScalingClient } from "./service/CdcScalingClient.ts"
import { privateEndpointsClient } from "./service/PrivateEndpointsClient.ts"
import { servicesClient } from "./service/ServicesClient.ts"

/**
 * Makes a client of the management API, the observability API or both. It has `organizations`, `services`, `pipes`, `keys`,
 * `roles` and `serviceDashboards` if `management` is given, `dashboards` and the documents beside them if `observability` is given; its type says so too. Nothing is opened before the first call. Throws
 * `InvalidRequestError` for a wrong option and names it: `management.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client"
 *
 * const headgate = createClient({
 *   management: { baseUrl: "https://api.example.com", keyId: "my-key-id", keySecret: "hgs_..." },
 *   observability: { baseUrl: "https://observability.example.com", token: "hgt_..." },
 *   timeout: 10_000
 * })
 * const dashboards = await headgate.dashboards.list()
 * await headgate.close()
 * ```
 */
export function createClient(
  options: ConnectionOptions & GivenManagement & { readonly observability?: undefined }
): ManagementClient
export function createClient(
  options: ConnectionOptions & GivenObservability & { readonly management?: undefined }
): ObservabilityClient
export function createClient(options: ConnectionOptions & GivenManagement & GivenObservability): HeadgateClient
export function createClient(
  options: ConnectionOptions & GivenManagement & Optional<GivenObservability>
): ManagementClient & Partial<ObservabilityClient>
export function createClient(
  options: ConnectionOptions & Optional<GivenManagement> & GivenObservability
): ObservabilityClient & Partial<ManagementClient>
export function createClient(options: ClientOptions): PartialClient
export function createClient(options: ClientOptions): PartialClient {
  const layers = httpLayers(validateOptions(options))
  const management = layers.management && makeRunner(layers.management)
  const observability = layers.observability && makeRunner(layers.observability)
  const close = async () => {
    await Promise.all([management?.close(), observability?.close()])
  }
  return {
    ...(management && {
      organizations: organizationsClient(management.run),
      services: servicesClient(management.run),
      cdcScaling: cdcScalingClient(management.run),
      privateEndpoints: privateEndpointsClient(management.run),
      pipes: pipesClient(management.run),
      keys: keysClient(management.run),
      roles: rolesClient(management.run),
      serviceDashboards: serviceDashboardsClient(management.run)
    }),
    ...(observability && {
      dashboards: dashboardsClient(observability.run),
      connections: connectionsClient(observability.run),
      sources: sourcesClient(observability.run),
      savedSearches: savedSearchesClient(observability.run),
      webhooks: webhooksClient(observability.run),
      alerts: alertsClient(observability.run)
    }),
    close,
    [Symbol.asyncDispose]: close
  }
}
