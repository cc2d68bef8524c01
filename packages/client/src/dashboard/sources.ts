import { DashboardSources } from "@headgate/core"
import { makeHttpSources } from "@headgate/http-adapter/ports"
import { neutral, sourceOperations } from "@headgate/http-contract"
import type { ObservabilityClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import type { ObservabilityNoun, PortOf } from "../Noun.ts"
import { makeObservabilityClient } from "../makeHttpClient.ts"
import { promisesOf } from "../promisesOf.ts"
import type { Run } from "../Runner.ts"
import type { SourcesClient } from "./SourcesClient.ts"

/** The methods of the data sources of dashboards. */
export const sourcesMethods = <R>(run: Run<R>, port: PortOf<DashboardSources["Service"], R>): SourcesClient =>
  promisesOf<SourcesClient>()(run, port, sourceOperations(neutral))

/** The data sources of dashboards. */
export const sources: ObservabilityNoun<DashboardSources, SourcesClient> = {
  port: DashboardSources,
  overHttp: makeHttpSources,
  methods: sourcesMethods
}

/**
 * Makes a client of the data sources of dashboards, and of nothing else: less code for a browser than that of
 * `@headgate/client`. Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong option and names it:
 * `observability.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/sources"
 *
 * const { sources } = createClient({
 *   observability: { baseUrl: "https://observability.example.com", token: "hgt_..." }
 * })
 *
 * export const show = async () => {
 *   console.log((await sources.list()).length)
 * }
 * ```
 */
export const createClient = (options: ObservabilityClientOptions): Closeable & { readonly sources: SourcesClient } =>
  makeObservabilityClient(options, { sources })
