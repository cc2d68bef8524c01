import { Alerts, SavedSearches, Webhooks } from "@headgate/core"
import { alertOperations, neutral, savedSearchOperations, webhookOperations } from "@headgate/http-contract"
import * as Layer from "effect/Layer"
import type { ObservabilityConnection } from "../Connection.ts"
import { httpDocuments } from "./httpDocuments.ts"

const layer: Layer.Layer<Alerts | SavedSearches | Webhooks, never, ObservabilityConnection> = Layer.mergeAll(
  Layer.effect(SavedSearches, httpDocuments(savedSearchOperations(neutral), "HttpSavedSearches")),
  Layer.effect(Webhooks, httpDocuments(webhookOperations(neutral), "HttpWebhooks")),
  Layer.effect(Alerts, httpDocuments(alertOperations(neutral), "HttpAlerts"))
)

/**
 * The `SavedSearches`, `Webhooks` and `Alerts` ports over the observability API, for the organization of the bearer token. A list
 * in pages is read to its end.
 *
 * @example
 * ```ts
 * import { Webhooks } from "@headgate/core"
 * import { HttpDocumentStores, ObservabilityConnection } from "@headgate/http-adapter"
 * import * as Effect from "effect/Effect"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import type * as Redacted from "effect/Redacted"
 *
 * export const list = (token: Redacted.Redacted) =>
 *   Webhooks.use((webhooks) => webhooks.list()).pipe(
 *     Effect.provide(HttpDocumentStores.layer),
 *     Effect.provide(ObservabilityConnection.layer({ baseUrl: "https://observability.example.com", token })),
 *     Effect.provide(FetchHttpClient.layer)
 *   )
 * ```
 */
export const HttpDocumentStores = { layer }
