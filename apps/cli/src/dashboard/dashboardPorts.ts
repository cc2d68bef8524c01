import { BelowService, Dashboards } from "@headgate/core"
import { HttpDashboards, HttpOrganizations, HttpServices } from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { serviceAddress } from "../address/nouns.ts"
import { token } from "../settings/settings.ts"
import { management, managementSettings, observability, observabilitySettings } from "../settings/withPorts.ts"

/** Whether a key is given, and no token: dashboards are then reached through the service. */
const isThroughService = Effect.gen(function* () {
  if (Option.isSome(yield* token.read)) return false
  return yield* Effect.match(managementSettings, { onFailure: () => false, onSuccess: () => true })
})

/** Fails if a setting is missing that the commands on dashboards need. */
export const dashboardSettings = Effect.flatMap(isThroughService, (isGiven) =>
  isGiven ? Effect.void : observabilitySettings
)

const throughService = Layer.effect(
  Dashboards,
  Effect.gen(function* () {
    const services = yield* BelowService(Dashboards)
    return services.of(yield* serviceAddress)
  })
).pipe(
  Layer.provide(Layer.mergeAll(HttpOrganizations.layer, HttpServices.layer, HttpDashboards.layerServices)),
  Layer.provide(management)
)

const byToken = Layer.provide(HttpDashboards.layer, observability)

/** The dashboards of the token's organization, or of the service's with a key alone. */
export const dashboards = Layer.unwrap(Effect.map(isThroughService, (isGiven) => (isGiven ? throughService : byToken)))
