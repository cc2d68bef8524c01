import { Charts } from "@headgate/core"
import { makeHttpCharts } from "@headgate/http-adapter/ports"
import { chartOperations, neutral } from "@headgate/http-contract"
import type { ObservabilityClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import type { ObservabilityNoun, PortOf } from "../Noun.ts"
import { makeObservabilityClient } from "../makeHttpClient.ts"
import { promisesOf } from "../promisesOf.ts"
import type { Run } from "../Runner.ts"
import type { ChartsClient, UntypedChartsClient } from "./ChartsClient.ts"

/** The methods of the data of charts. */
export const chartsMethods = <R>(run: Run<R>, port: PortOf<Charts["Service"], R>): ChartsClient =>
  // A chart is answered with the display type of its config, which the operation does not say.
  promisesOf<UntypedChartsClient>()(run, port, chartOperations(neutral)) as ChartsClient

/** The data of charts. */
export const charts: ObservabilityNoun<Charts, ChartsClient> = {
  port: Charts,
  overHttp: makeHttpCharts,
  methods: chartsMethods
}

/**
 * Makes a client of the data of charts, and of nothing else: less code for a browser than that of `@headgate/client`.
 * Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong option and names it:
 * `observability.baseUrl`.
 *
 * @example
 * ```ts
 * import { type ChartQuery, createClient } from "@headgate/client/charts"
 *
 * const { charts } = createClient({
 *   observability: { baseUrl: "https://observability.example.com", token: "hgt_..." }
 * })
 *
 * export const columnsOf = async (query: ChartQuery) =>
 *   (await charts.query(query)).columns
 * ```
 */
export const createClient = (options: ObservabilityClientOptions): Closeable & { readonly charts: ChartsClient } =>
  makeObservabilityClient(options, { charts })
