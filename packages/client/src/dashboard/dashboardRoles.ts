import { BelowService, DashboardRoles } from "@headgate/core"
import { makeHttpDashboardRoles } from "@headgate/http-adapter/ports"
import { dashboardRoleOperations, neutral } from "@headgate/http-contract"
import type { BelowServiceClient } from "../BelowServiceClient.ts"
import type { ManagementClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import { belowService, type PortOf, type ServiceNoun } from "../Noun.ts"
import { makeManagementClient } from "../makeHttpClient.ts"
import { promisesOf } from "../promisesOf.ts"
import type { Run } from "../Runner.ts"
import type { DashboardRolesClient } from "./DashboardRolesClient.ts"

const dashboardRolesMethods = <R>(run: Run<R>, port: PortOf<DashboardRoles["Service"], R>): DashboardRolesClient =>
  promisesOf<DashboardRolesClient>()(run, port, dashboardRoleOperations(neutral))

/** The roles of those who use dashboards, reached through a service. */
export const dashboardRoles: ServiceNoun<DashboardRoles, DashboardRolesClient> = {
  port: BelowService(DashboardRoles),
  overHttp: makeHttpDashboardRoles,
  methods: belowService(dashboardRolesMethods)
}

/**
 * Makes a client of the roles of those who use dashboards, reached through a service, and of nothing else: less code for a
 * browser than that of `@headgate/client`. Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong
 * option and names it: `management.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/dashboardRoles"
 *
 * const { dashboardRoles } = createClient({
 *   management: { baseUrl: "https://api.example.com", keyId: "my-key-id", keySecret: "hgs_..." }
 * })
 *
 * export const show = async (organizationId: string, serviceId: string) => {
 *   console.log((await dashboardRoles.of({ organizationId, serviceId }).list()).length)
 * }
 * ```
 */
export const createClient = (
  options: ManagementClientOptions
): Closeable & { readonly dashboardRoles: BelowServiceClient<DashboardRolesClient> } =>
  makeManagementClient(options, { dashboardRoles })
