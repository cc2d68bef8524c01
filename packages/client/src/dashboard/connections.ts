import { Connections } from "@headgate/core"
import { makeHttpConnections } from "@headgate/http-adapter/ports"
import { connectionOperations, neutral } from "@headgate/http-contract"
import type { ObservabilityClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import type { ObservabilityNoun } from "../Noun.ts"
import { makeObservabilityClient } from "../makeHttpClient.ts"
import { promisesOf } from "../promisesOf.ts"
import type { ConnectionsClient } from "./SourcesClient.ts"

/** The connections of dashboards to databases. */
export const connections: ObservabilityNoun<Connections, ConnectionsClient> = {
  port: Connections,
  overHttp: makeHttpConnections,
  methods: (run, port) => promisesOf<ConnectionsClient>()(run, port, connectionOperations(neutral))
}

/**
 * Makes a client of the connections of dashboards to databases, and of nothing else: less code for a browser than that of
 * `@headgate/client`. Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong option and names it:
 * `observability.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/connections"
 *
 * const { connections } = createClient({
 *   observability: { baseUrl: "https://observability.example.com", token: "hgt_..." }
 * })
 *
 * export const show = async () => {
 *   console.log((await connections.list()).length)
 * }
 * ```
 */
export const createClient = (
  options: ObservabilityClientOptions
): Closeable & { readonly connections: ConnectionsClient } => makeObservabilityClient(options, { connections })
