import { ReversePrivateEndpoints } from "@headgate/core"
import { makeHttpReversePrivateEndpoints } from "@headgate/http-adapter/ports"
import { endpointOperations, neutral } from "@headgate/http-contract"
import type { ManagementClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import type { ManagementNoun } from "../Noun.ts"
import { makeManagementClient } from "../makeHttpClient.ts"
import { promisesOf } from "../promisesOf.ts"
import type { PrivateEndpointsClient } from "./PrivateEndpointsClient.ts"

/** The reverse private endpoints of a service. */
export const privateEndpoints: ManagementNoun<ReversePrivateEndpoints, PrivateEndpointsClient> = {
  port: ReversePrivateEndpoints,
  overHttp: makeHttpReversePrivateEndpoints,
  methods: (run, port) => promisesOf<PrivateEndpointsClient>()(run, port, endpointOperations(neutral))
}

/**
 * Makes a client of the reverse private endpoints of a service, and of nothing else: less code for a browser than that of
 * `@headgate/client`. Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong option and names it:
 * `management.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/privateEndpoints"
 *
 * const { privateEndpoints } = createClient({
 *   management: { baseUrl: "https://api.example.com", keyId: "my-key-id", keySecret: "hgs_..." }
 * })
 *
 * export const show = async (organizationId: string, serviceId: string) => {
 *   console.log((await privateEndpoints.list({ organizationId, serviceId })).length)
 * }
 * ```
 */
export const createClient = (
  options: ManagementClientOptions
): Closeable & { readonly privateEndpoints: PrivateEndpointsClient } =>
  makeManagementClient(options, { privateEndpoints })
