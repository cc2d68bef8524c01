import { Webhooks } from "@headgate/core"
import { makeHttpWebhooks } from "@headgate/http-adapter/ports"
import { neutral, webhookOperations } from "@headgate/http-contract"
import type { ObservabilityClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import type { ObservabilityNoun, PortOf } from "../Noun.ts"
import { makeObservabilityClient } from "../makeHttpClient.ts"
import { promisesOf } from "../promisesOf.ts"
import type { Run } from "../Runner.ts"
import type { WebhooksClient } from "./DocumentsClient.ts"

/** The methods of the webhooks that alerts are sent to. */
export const webhooksMethods = <R>(run: Run<R>, port: PortOf<Webhooks["Service"], R>): WebhooksClient =>
  promisesOf<WebhooksClient>()(run, port, webhookOperations(neutral))

/** The webhooks that alerts are sent to. */
export const webhooks: ObservabilityNoun<Webhooks, WebhooksClient> = {
  port: Webhooks,
  overHttp: makeHttpWebhooks,
  methods: webhooksMethods
}

/**
 * Makes a client of the webhooks that alerts are sent to, and of nothing else: less code for a browser than that of
 * `@headgate/client`. Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong option and names it:
 * `observability.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/webhooks"
 *
 * const { webhooks } = createClient({
 *   observability: { baseUrl: "https://observability.example.com", token: "hgt_..." }
 * })
 *
 * export const show = async () => {
 *   console.log((await webhooks.list()).length)
 * }
 * ```
 */
export const createClient = (options: ObservabilityClientOptions): Closeable & { readonly webhooks: WebhooksClient } =>
  makeObservabilityClient(options, { webhooks })
