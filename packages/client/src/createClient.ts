import { HttpAdapter } from "@headgate/http-adapter"
import * as Layer from "effect/Layer"
import type { ClientOptions, ConnectionOptions, ManagementOptions, ObservabilityOptions } from "./ClientOptions.ts"
import type { HeadgateClient, ManagementClient, ObservabilityClient, PartialClient } from "./HeadgateClient.ts"
import { makeRunner } from "./Runner.ts"
import { validateOptions } from "./validateOptions.ts"
import { connectionFaults, managementOptions, observabilityOptions, transport } from "./connections.ts"
import { dashboardsClient } from "./dashboard/DashboardsClient.ts"
import { invalidOptions } from "./invalidOptions.ts"
import { keysClient } from "./key/KeysClient.ts"
import { pipesClient } from "./pipe/PipesClient.ts"

/**
 * Makes a client of the management API, the observability API or both: it has the nouns of those that it was given,
 * and in its type those that the compiler sees: an API that may be `undefined` gives nouns that may be so too.
 * Nothing is opened before the first call. Throws `InvalidRequestError` at once when an option is of no use, and names
 * it: `management.baseUrl`.
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
): ManagementClient & PartialClient
export function createClient(
  options: ConnectionOptions & {
    readonly management?: ManagementOptions | undefined
    readonly observability: ObservabilityOptions
  }
): ObservabilityClient & PartialClient
export function createClient(options: ClientOptions): PartialClient
export function createClient(options: ClientOptions): PartialClient {
  const checked = validateOptions(options)
  const manage = managementOptions(checked)
  const observe = observabilityOptions(checked)
  const faults = connectionFaults(checked, manage, observe)
  if (faults.length > 0) throw invalidOptions(faults)
  const client = transport(checked)
  // What both stand on, the connections of an `httpClient` above all, is built once.
  const memoMap = Layer.makeMemoMapUnsafe()
  const management = manage && makeRunner(Layer.provide(HttpAdapter.layerManagement(manage), client), memoMap)
  const observability = observe && makeRunner(Layer.provide(HttpAdapter.layerObservability(observe), client), memoMap)
  const close = async () => {
    await Promise.all([management?.close(), observability?.close()])
  }
  return {
    ...(management && { pipes: pipesClient(management.run), keys: keysClient(management.run) }),
    ...(observability && { dashboards: dashboardsClient(observability.run) }),
    close,
    [Symbol.asyncDispose]: close
  }
}
