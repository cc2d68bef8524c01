import * as Layer from "effect/Layer"
import {
  type ClientOptions,
  type ConnectionOptions,
  type ManagementOptions,
  type ObservabilityOptions,
  validateOptions
} from "./ClientOptions.ts"
import type { HeadgateClient, ManagementClient, ObservabilityClient, PartialClient } from "./HeadgateClient.ts"
import { makeRunner } from "./Runner.ts"
import { dashboardsClient } from "./dashboard/DashboardsClient.ts"
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
 * Makes a client of the management API, the observability API or both. It has `organizations`, `services`, `pipes`, `keys` and `roles` if `management` is
 * given, `dashboards` if `observability` is given; its type says so too. Nothing is opened before the first call. Throws
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
  options: ConnectionOptions & {
    readonly management: ManagementOptions
    readonly observability?: undefined
  }
): ManagementClient
export function createClient(
  options: ConnectionOptions & {
    readonly management?: undefined
    readonly observability: ObservabilityOptions
  }
): ObservabilityClient
export function createClient(
  options: ConnectionOptions & {
    readonly management: ManagementOptions
    readonly observability: ObservabilityOptions
  }
): HeadgateClient
export function createClient(
  options: ConnectionOptions & {
    readonly management: ManagementOptions
    readonly observability?: ObservabilityOptions | undefined
  }
): ManagementClient & Partial<ObservabilityClient>
export function createClient(
  options: ConnectionOptions & {
    readonly management?: ManagementOptions | undefined
    readonly observability: ObservabilityOptions
  }
): ObservabilityClient & Partial<ManagementClient>
export function createClient(options: ClientOptions): PartialClient
export function createClient(options: ClientOptions): PartialClient {
  const layers = httpLayers(validateOptions(options))
  // Both APIs share what their layers have in common, above all an `httpClient`: it is built once.
  const memoMap = Layer.makeMemoMapUnsafe()
  const management = layers.management && makeRunner(layers.management, memoMap)
  const observability = layers.observability && makeRunner(layers.observability, memoMap)
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
      roles: rolesClient(management.run)
    }),
    ...(observability && {
      dashboards: dashboardsClient(observability.run),
      connections: connectionsClient(observability.run),
      sources: sourcesClient(observability.run)
    }),
    close,
    [Symbol.asyncDispose]: close
  }
}
