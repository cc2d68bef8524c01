import { BelowService, Webhooks } from "@headgate/core"
import { makeHttpServiceWebhooks } from "@headgate/http-adapter/ports"
import type { BelowServiceClient } from "../BelowServiceClient.ts"
import type { ManagementClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import { belowService, type ServiceNoun } from "../Noun.ts"
import { makeManagementClient } from "../makeHttpClient.ts"
import type { WebhooksClient } from "./DocumentsClient.ts"
import { webhooksMethods } from "./webhooks.ts"

/** The webhooks that alerts are sent to, reached through a service. */
export const serviceWebhooks: ServiceNoun<Webhooks, WebhooksClient> = {
  port: BelowService(Webhooks),
  overHttp: makeHttpServiceWebhooks,
  methods: belowService(webhooksMethods)
}

/**
 * Makes a client of the webhooks that alerts are sent to, reached through a service, and of nothing else: less code for a
 * browser than that of `@headgate/client`. Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong
 * option and names it: `management.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/serviceWebhooks"
 *
 * const { serviceWebhooks } = createClient({
 *   management: { baseUrl: "https://api.example.com", keyId: "my-key-id", keySecret: "hgs_..." }
 * })
 *
 * export const show = async (organizationId: string, serviceId: string) => {
 *   console.log((await serviceWebhooks.of({ organizationId, serviceId }).list()).length)
 * }
 * ```
 */
export const createClient = (
  options: ManagementClientOptions
): Closeable & { readonly serviceWebhooks: BelowServiceClient<WebhooksClient> } =>
  makeManagementClient(options, { serviceWebhooks })
