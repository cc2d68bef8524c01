import { BelowService, Charts } from "@headgate/core"
import { makeHttpServiceCharts } from "@headgate/http-adapter/ports"
import type { BelowServiceClient } from "../BelowServiceClient.ts"
import type { ManagementClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import { belowService, type ServiceNoun } from "../Noun.ts"
import { makeManagementClient } from "../makeHttpClient.ts"
import type { ChartsClient } from "./ChartsClient.ts"
import { chartsMethods } from "./charts.ts"

/** The data of charts, reached through a service. */
export const serviceCharts: ServiceNoun<Charts, ChartsClient> = {
  port: BelowService(Charts),
  overHttp: makeHttpServiceCharts,
  methods: belowService(chartsMethods)
}

/**
 * Makes a client of the data of charts, reached through a service, and of nothing else: less code for a browser than that of
 * `@headgate/client`. Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong option and names it:
 * `management.baseUrl`.
 *
 * @example
 * ```ts
 * import { type ChartQuery, createClient } from "@headgate/client/serviceCharts"
 *
 * const { serviceCharts } = createClient({
 *   management: { baseUrl: "https://api.example.com", keyId: "my-key-id", keySecret: "hgs_..." }
 * })
 *
 * export const columnsOf = async (address: { organizationId: string; serviceId: string }, query: ChartQuery) =>
 *   (await serviceCharts.of(address).query(query)).columns
 * ```
 */
export const createClient = (
  options: ManagementClientOptions
): Closeable & { readonly serviceCharts: BelowServiceClient<ChartsClient> } =>
  makeManagementClient(options, { serviceCharts })
