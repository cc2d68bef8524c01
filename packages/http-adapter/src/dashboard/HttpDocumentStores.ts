import {
  Alerts,
  BelowService,
  DashboardRoles,
  DashboardSources,
  SavedSearches,
  ServiceAddress,
  Webhooks
} from "@headgate/core"
import {
  alertOperations,
  belowService,
  dashboardRoleOperations,
  neutral,
  savedSearchOperations,
  sourceOperations,
  webhookOperations
} from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ManagementConnection, ObservabilityConnection } from "../Connection.ts"
import { portOf, portsOf } from "../portOf.ts"

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

const sourcesBelow = (api: ManagementConnection["Service"]) =>
  portsOf<DashboardSources["Service"], ServiceAddress>()(
    belowService(sourceOperations(api.dialect), api.dialect),
    api,
    "HttpServiceSources",
    ServiceAddress.fields
  )

const savedSearchesBelow = (api: ManagementConnection["Service"]) =>
  portsOf<SavedSearches["Service"], ServiceAddress>()(
    belowService(savedSearchOperations(api.dialect), api.dialect),
    api,
    "HttpServiceSavedSearches",
    ServiceAddress.fields
  )

const webhooksBelow = (api: ManagementConnection["Service"]) =>
  portsOf<Webhooks["Service"], ServiceAddress>()(
    belowService(webhookOperations(api.dialect), api.dialect),
    api,
    "HttpServiceWebhooks",
    ServiceAddress.fields
  )

const alertsBelow = (api: ManagementConnection["Service"]) =>
  portsOf<Alerts["Service"], ServiceAddress>()(
    belowService(alertOperations(api.dialect), api.dialect),
    api,
    "HttpServiceAlerts",
    ServiceAddress.fields
  )

const dashboardRolesBelow = (api: ManagementConnection["Service"]) =>
  portsOf<DashboardRoles["Service"], ServiceAddress>()(
    belowService(dashboardRoleOperations(api.dialect), api.dialect),
    api,
    "HttpDashboardRoles",
    ServiceAddress.fields
  )

const layerServices = Layer.unwrap(
  Effect.map(ManagementConnection, (api) =>
    Layer.mergeAll(
      Layer.succeed(BelowService(DashboardSources), { of: sourcesBelow(api) }),
      Layer.succeed(BelowService(SavedSearches), { of: savedSearchesBelow(api) }),
      Layer.succeed(BelowService(Webhooks), { of: webhooksBelow(api) }),
      Layer.succeed(BelowService(Alerts), { of: alertsBelow(api) }),
      Layer.succeed(BelowService(DashboardRoles), { of: dashboardRolesBelow(api) })
    )
  )
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
