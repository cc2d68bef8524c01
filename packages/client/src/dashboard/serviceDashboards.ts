import { BelowService, Dashboards } from "@headgate/core"
import { makeHttpServiceDashboards } from "@headgate/http-adapter/ports"
import type { BelowServiceClient } from "../BelowServiceClient.ts"
import type { ManagementClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import { belowService, type ServiceNoun } from "../Noun.ts"
import { makeManagementClient } from "../makeHttpClient.ts"
import type { DashboardsClient } from "./DashboardsClient.ts"
import { dashboardsMethods } from "./dashboards.ts"

/** The dashboards of the organization, reached through a service. */
export const serviceDashboards: ServiceNoun<Dashboards, DashboardsClient> = {
  port: BelowService(Dashboards),
  overHttp: makeHttpServiceDashboards,
  methods: belowService(dashboardsMethods)
}

/**
 * Makes a client of the dashboards of the organization, reached through a service, and of nothing else: less code for a
 * browser than that of `@headgate/client`. Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong
 * option and names it: `management.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/serviceDashboards"
 *
 * const { serviceDashboards } = createClient({
 *   management: { baseUrl: "https://api.example.com", keyId: "my-key-id", keySecret: "hgs_..." }
 * })
 *
 * export const show = async (organizationId: string, serviceId: string) => {
 *   console.log((await serviceDashboards.of({ organizationId, serviceId }).list()).length)
 * }
 * ```
 */
export const createClient = (
  options: ManagementClientOptions
): Closeable & { readonly serviceDashboards: BelowServiceClient<DashboardsClient> } =>
  makeManagementClient(options, { serviceDashboards })
