import { BelowService, Charts, Dashboards, DashboardSources } from "@headgate/core"
import {
  HttpCharts,
  HttpDashboards,
  HttpDocumentStores,
  HttpOrganizations,
  HttpServices,
  HttpSources
} from "@headgate/http-adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { serviceAddress } from "../address/nouns.ts"
import { token } from "../settings/settings.ts"
import { management, managementSettings, observability, observabilitySettings } from "../settings/withPorts.ts"

/** Whether a key is given, and no token: dashboards are then reached through the service. */
export const isThroughService = Effect.gen(function* () {
  if (Option.isSome(yield* token.read)) return false
  return yield* Effect.match(managementSettings, { onFailure: () => false, onSuccess: () => true })
})

/** Fails if a setting is missing that the commands on dashboards need. */
export const dashboardSettings = Effect.flatMap(isThroughService, (isGiven) =>
  isGiven ? Effect.void : observabilitySettings
)

const throughService = Layer.effectContext(
  Effect.gen(function* () {
    const address = yield* serviceAddress
    const dashboards = yield* BelowService(Dashboards)
    const charts = yield* BelowService(Charts)
    const sources = yield* BelowService(DashboardSources)
    return Context.make(Dashboards, dashboards.of(address)).pipe(
      Context.add(Charts, charts.of(address)),
      Context.add(DashboardSources, sources.of(address))
    )
  })
).pipe(
  Layer.provide(
    Layer.mergeAll(
      HttpOrganizations.layer,
      HttpServices.layer,
      HttpDashboards.layerServices,
      HttpCharts.layerServices,
      HttpDocumentStores.layerServices
    )
  ),
  Layer.provide(management)
)

const byToken = Layer.mergeAll(HttpDashboards.layer, HttpCharts.layer, HttpSources.layer).pipe(
  Layer.provide(observability)
)

/** The dashboards of the token's organization, their sources and their data, or those of the service's with a key alone. */
export const dashboards = Layer.unwrap(Effect.map(isThroughService, (isGiven) => (isGiven ? throughService : byToken)))
