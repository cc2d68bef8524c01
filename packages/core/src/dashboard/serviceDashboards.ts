import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ServiceAddress } from "../id/service.ts"
import { checkServiceRuns } from "../service/serviceLifecycle.ts"
import { Services } from "../service/Services.ts"
import { OrganizationDashboards, ServiceDashboards } from "./Dashboards.ts"

/**
 * `ServiceDashboards` over a store: the dashboards of the organization, once its service is found. A change needs a service
 * that runs.
 *
 * @example
 * ```ts
 * import { ServiceDashboards, type Services } from "@headgate/core"
 * import { type OrganizationDashboards, serviceDashboards } from "@headgate/core/adapter"
 * import * as Layer from "effect/Layer"
 *
 * // Yours: both ports over one store.
 * declare const store: Layer.Layer<OrganizationDashboards | Services>
 *
 * export const layer: Layer.Layer<ServiceDashboards> = Layer.provide(serviceDashboards, store)
 * ```
 */
export const serviceDashboards: Layer.Layer<ServiceDashboards, never, OrganizationDashboards | Services> = Layer.effect(
  ServiceDashboards,
  Effect.gen(function* () {
    const organizations = yield* OrganizationDashboards
    const services = yield* Services
    return ServiceDashboards.of({
      of: (address: ServiceAddress) => {
        const dashboards = organizations.of(address.organizationId)
        const found = services.get(address)
        const running = Effect.flatMap(found, ({ state }) => checkServiceRuns(state))
        return {
          list: () => Effect.andThen(found, dashboards.list()),
          get: (dashboard) => Effect.andThen(found, dashboards.get(dashboard)),
          validate: (document) => Effect.andThen(found, dashboards.validate(document)),
          create: (request) => Effect.andThen(running, dashboards.create(request)),
          update: (dashboard, request) => Effect.andThen(running, dashboards.update(dashboard, request)),
          delete: (dashboard) => Effect.andThen(running, dashboards.delete(dashboard))
        }
      }
    })
  })
)
