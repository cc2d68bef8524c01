import { BelowService, DashboardSources } from "@headgate/core"
import { makeHttpServiceSources } from "@headgate/http-adapter/ports"
import type { BelowServiceClient } from "../BelowServiceClient.ts"
import type { ManagementClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import { belowService, type ServiceNoun } from "../Noun.ts"
import { makeManagementClient } from "../makeHttpClient.ts"
import type { SourcesClient } from "./SourcesClient.ts"
import { sourcesMethods } from "./sources.ts"

/** The data sources of dashboards, reached through a service. */
export const serviceSources: ServiceNoun<DashboardSources, SourcesClient> = {
  port: BelowService(DashboardSources),
  overHttp: makeHttpServiceSources,
  methods: belowService(sourcesMethods)
}

/**
 * Makes a client of the data sources of dashboards, reached through a service, and of nothing else: less code for a browser
 * than that of `@headgate/client`. Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong option
 * and names it: `management.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/serviceSources"
 *
 * const { serviceSources } = createClient({
 *   management: { baseUrl: "https://api.example.com", keyId: "my-key-id", keySecret: "hgs_..." }
 * })
 *
 * export const show = async (organizationId: string, serviceId: string) => {
 *   console.log((await serviceSources.of({ organizationId, serviceId }).list()).length)
 * }
 * ```
 */
export const createClient = (
  options: ManagementClientOptions
): Closeable & { readonly serviceSources: BelowServiceClient<SourcesClient> } =>
  makeManagementClient(options, { serviceSources })
