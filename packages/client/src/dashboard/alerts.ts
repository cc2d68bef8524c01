import { Alerts } from "@headgate/core"
import { makeHttpAlerts } from "@headgate/http-adapter/ports"
import { alertOperations, neutral } from "@headgate/http-contract"
import type { ObservabilityClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import type { ObservabilityNoun, PortOf } from "../Noun.ts"
import { makeObservabilityClient } from "../makeHttpClient.ts"
import { promisesOf } from "../promisesOf.ts"
import type { Run } from "../Runner.ts"
import type { AlertsClient } from "./DocumentsClient.ts"

/** The methods of the alerts. */
export const alertsMethods = <R>(run: Run<R>, port: PortOf<Alerts["Service"], R>): AlertsClient =>
  promisesOf<AlertsClient>()(run, port, alertOperations(neutral))

/** The alerts. */
export const alerts: ObservabilityNoun<Alerts, AlertsClient> = {
  port: Alerts,
  overHttp: makeHttpAlerts,
  methods: alertsMethods
}

/**
 * Makes a client of the alerts, and of nothing else: less code for a browser than that of `@headgate/client`. Nothing is
 * opened before the first call. Throws `InvalidRequestError` for a wrong option and names it: `observability.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/alerts"
 *
 * const { alerts } = createClient({
 *   observability: { baseUrl: "https://observability.example.com", token: "hgt_..." }
 * })
 *
 * export const show = async () => {
 *   console.log((await alerts.list()).length)
 * }
 * ```
 */
export const createClient = (options: ObservabilityClientOptions): Closeable & { readonly alerts: AlertsClient } =>
  makeObservabilityClient(options, { alerts })
