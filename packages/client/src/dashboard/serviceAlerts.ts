import { Alerts, BelowService } from "@headgate/core"
import { makeHttpServiceAlerts } from "@headgate/http-adapter/ports"
import type { BelowServiceClient } from "../BelowServiceClient.ts"
import type { ManagementClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import { belowService, type ServiceNoun } from "../Noun.ts"
import { makeManagementClient } from "../makeHttpClient.ts"
import type { AlertsClient } from "./DocumentsClient.ts"
import { alertsMethods } from "./alerts.ts"

/** The alerts, reached through a service. */
export const serviceAlerts: ServiceNoun<Alerts, AlertsClient> = {
  port: BelowService(Alerts),
  overHttp: makeHttpServiceAlerts,
  methods: belowService(alertsMethods)
}

/**
 * Makes a client of the alerts, reached through a service, and of nothing else: less code for a browser than that of
 * `@headgate/client`. Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong option and names it:
 * `management.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/serviceAlerts"
 *
 * const { serviceAlerts } = createClient({
 *   management: { baseUrl: "https://api.example.com", keyId: "my-key-id", keySecret: "hgs_..." }
 * })
 *
 * export const show = async (organizationId: string, serviceId: string) => {
 *   console.log((await serviceAlerts.of({ organizationId, serviceId }).list()).length)
 * }
 * ```
 */
export const createClient = (
  options: ManagementClientOptions
): Closeable & { readonly serviceAlerts: BelowServiceClient<AlertsClient> } =>
  makeManagementClient(options, { serviceAlerts })
