import {
  type ClientOptions,
  type ConnectionOptions,
  type GivenManagement,
  type GivenObservability,
  type Optional
} from "./ClientOptions.ts"
import type { HeadgateClient, ManagementClient, ObservabilityClient, PartialClient } from "./HeadgateClient.ts"
import { makeHttpClient } from "./makeHttpClient.ts"
import { managementNouns, observabilityNouns } from "./nouns.ts"

/**
 * Makes a client of the management API, the observability API or both. It has `organizations`, `services`, `pipes`, `keys`,
 * `roles` and the documents of a service (`serviceDashboards` and others) if `management` is given, `dashboards` and the
 * documents beside them if `observability` is given; its type says so too. Nothing is opened before the first call. Throws
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
  return makeHttpClient(options, { management: managementNouns, observability: observabilityNouns })
}
