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
import type { Connection, ManagementApi } from "../connect.ts"
import { type PortBelowService, portOf, portsBelowService } from "../portOf.ts"

/** The port `SavedSearches` over a connection, without a layer. */
export const makeHttpSavedSearches = (connection: Connection): SavedSearches["Service"] =>
  portOf<SavedSearches["Service"]>()(savedSearchOperations(neutral), connection, "HttpSavedSearches")

/** The port `Webhooks` over a connection, without a layer. */
export const makeHttpWebhooks = (connection: Connection): Webhooks["Service"] =>
  portOf<Webhooks["Service"]>()(webhookOperations(neutral), connection, "HttpWebhooks")

/** The port `Alerts` over a connection, without a layer. */
export const makeHttpAlerts = (connection: Connection): Alerts["Service"] =>
  portOf<Alerts["Service"]>()(alertOperations(neutral), connection, "HttpAlerts")

/** The port `DashboardSources` of each service over a connection, without a layer. */
export const makeHttpServiceSources = (connection: ManagementApi): PortBelowService<DashboardSources["Service"]> => ({
  of: portsBelowService<DashboardSources["Service"]>()(
    sourceOperations(connection.dialect),
    connection,
    "HttpServiceSources"
  )
})

/** The port `SavedSearches` of each service over a connection, without a layer. */
export const makeHttpServiceSavedSearches = (
  connection: ManagementApi
): PortBelowService<SavedSearches["Service"]> => ({
  of: portsBelowService<SavedSearches["Service"]>()(
    savedSearchOperations(connection.dialect),
    connection,
    "HttpServiceSavedSearches"
  )
})

/** The port `Webhooks` of each service over a connection, without a layer. */
export const makeHttpServiceWebhooks = (connection: ManagementApi): PortBelowService<Webhooks["Service"]> => ({
  of: portsBelowService<Webhooks["Service"]>()(webhookOperations(connection.dialect), connection, "HttpServiceWebhooks")
})

/** The port `Alerts` of each service over a connection, without a layer. */
export const makeHttpServiceAlerts = (connection: ManagementApi): PortBelowService<Alerts["Service"]> => ({
  of: portsBelowService<Alerts["Service"]>()(alertOperations(connection.dialect), connection, "HttpServiceAlerts")
})

/** The port `DashboardRoles` of each service over a connection, without a layer. */
export const makeHttpDashboardRoles = (connection: ManagementApi): PortBelowService<DashboardRoles["Service"]> => ({
  of: portsBelowService<DashboardRoles["Service"]>()(
    dashboardRoleOperations(connection.dialect),
    connection,
    "HttpDashboardRoles"
  )
})

const layerSavedSearches: Layer.Layer<SavedSearches, never, ObservabilityConnection> = Layer.effect(
  SavedSearches,
  Effect.map(ObservabilityConnection, makeHttpSavedSearches)
)

const layerWebhooks: Layer.Layer<Webhooks, never, ObservabilityConnection> = Layer.effect(
  Webhooks,
  Effect.map(ObservabilityConnection, makeHttpWebhooks)
)

const layerAlerts: Layer.Layer<Alerts, never, ObservabilityConnection> = Layer.effect(
  Alerts,
  Effect.map(ObservabilityConnection, makeHttpAlerts)
)

const layer = Layer.mergeAll(layerSavedSearches, layerWebhooks, layerAlerts)

const layerServices = Layer.unwrap(
  Effect.map(ManagementConnection, (api) => {
    return Layer.mergeAll(
      Layer.succeed(BelowService(DashboardSources), makeHttpServiceSources(api)),
      Layer.succeed(BelowService(SavedSearches), makeHttpServiceSavedSearches(api)),
      Layer.succeed(BelowService(Webhooks), makeHttpServiceWebhooks(api)),
      Layer.succeed(BelowService(Alerts), makeHttpServiceAlerts(api)),
      Layer.succeed(BelowService(DashboardRoles), makeHttpDashboardRoles(api))
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
