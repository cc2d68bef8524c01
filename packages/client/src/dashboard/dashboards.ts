import { Dashboards } from "@headgate/core"
import { makeHttpDashboards } from "@headgate/http-adapter/ports"
import { dashboardOperations, neutral } from "@headgate/http-contract"
import type { ObservabilityClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import type { ObservabilityNoun, PortOf } from "../Noun.ts"
import { makeObservabilityClient } from "../makeHttpClient.ts"
import { promisesOf } from "../promisesOf.ts"
import type { Run } from "../Runner.ts"
import type { DashboardsClient } from "./DashboardsClient.ts"

/** The methods of the dashboards of the organization. */
export const dashboardsMethods = <R>(run: Run<R>, port: PortOf<Dashboards["Service"], R>): DashboardsClient =>
  promisesOf<DashboardsClient>()(run, port, dashboardOperations(neutral))

/** The dashboards of the organization. */
export const dashboards: ObservabilityNoun<Dashboards, DashboardsClient> = {
  port: Dashboards,
  overHttp: makeHttpDashboards,
  methods: dashboardsMethods
}

/**
 * Makes a client of the dashboards of the organization, and of nothing else: less code for a browser than that of
 * `@headgate/client`. Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong option and names it:
 * `observability.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/dashboards"
 *
 * const { dashboards } = createClient({
 *   observability: { baseUrl: "https://observability.example.com", token: "hgt_..." }
 * })
 *
 * export const show = async () => {
 *   console.log((await dashboards.list()).length)
 * }
 * ```
 */
export const createClient = (
  options: ObservabilityClientOptions
): Closeable & { readonly dashboards: DashboardsClient } => makeObservabilityClient(options, { dashboards })
