import { Alerts, BelowService, DashboardRoles, DashboardSources, SavedSearches, Webhooks } from "@headgate/core"
import {
  alertOperations,
  dashboardRoleOperations,
  neutral,
  savedSearchOperations,
  sourceOperations,
  webhookOperations
} from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ManagementConnection, ObservabilityConnection } from "../Connection.ts"
import { portOf, portsBelowService } from "../portOf.ts"

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

const layerServices = Layer.unwrap(
  Effect.map(ManagementConnection, (api) => {
    const { dialect } = api
    const sources = portsBelowService<DashboardSources["Service"]>()
    const savedSearches = portsBelowService<SavedSearches["Service"]>()
    const webhooks = portsBelowService<Webhooks["Service"]>()
    const alerts = portsBelowService<Alerts["Service"]>()
    const dashboardRoles = portsBelowService<DashboardRoles["Service"]>()
    return Layer.mergeAll(
      Layer.succeed(BelowService(DashboardSources), {
        of: sources(sourceOperations(dialect), api, "HttpServiceSources")
      }),
      Layer.succeed(BelowService(SavedSearches), {
        of: savedSearches(savedSearchOperations(dialect), api, "HttpServiceSavedSearches")
      }),
      Layer.succeed(BelowService(Webhooks), { of: webhooks(webhookOperations(dialect), api, "HttpServiceWebhooks") }),
      Layer.succeed(BelowService(Alerts), { of: alerts(alertOperations(dialect), api, "HttpServiceAlerts") }),
      Layer.succeed(BelowService(DashboardRoles), {
        of: dashboardRoles(dashboardRoleOperations(dialect), api, "HttpDashboardRoles")
      })
    )
  })
)

/**
 * The `SavedSearches`, `Webhooks` and `Alerts` ports over the observability API, for the organization of the bearer token. A list
 * in pages is read to its end. `layerServices` has them, `DashboardRoles` and `DashboardSources` below a service (`BelowService`), over the management API.
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
export const HttpDocumentStores = { layer, layerAlerts, layerSavedSearches, layerServices, layerWebhooks }
