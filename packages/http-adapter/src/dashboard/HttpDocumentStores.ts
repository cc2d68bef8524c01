import { Alerts, SavedSearches, Webhooks } from "@headgate/core"
import { alertOperations, neutral, savedSearchOperations, webhookOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ObservabilityConnection } from "../Connection.ts"
import { portOf } from "../portOf.ts"

const layerSavedSearches: Layer.Layer<SavedSearches, never, ObservabilityConnection> = Layer.effect(
  SavedSearches,
  Effect.map(ObservabilityConnection, (api) =>
    portOf<SavedSearches["Service"]>()(savedSearchOperations(neutral), api, "HttpSavedSearches")
  )
)

const layerWebhooks: Layer.Layer<Webhooks, never, ObservabilityConnection> = Layer.effect(
  Webhooks,
  Effect.map(ObservabilityConnection, (api) =>
    portOf<Webhooks["Service"]>()(webhookOperations(neutral), api, "HttpWebhooks")
  )
)

const layerAlerts: Layer.Layer<Alerts, never, ObservabilityConnection> = Layer.effect(
  Alerts,
  Effect.map(ObservabilityConnection, (api) => portOf<Alerts["Service"]>()(alertOperations(neutral), api, "HttpAlerts"))
)

const layer = Layer.mergeAll(layerSavedSearches, layerWebhooks, layerAlerts)

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
export const HttpDocumentStores = { layer, layerAlerts, layerSavedSearches, layerWebhooks }
