import { type DashboardCreate, Dashboards, type OrganizationId } from "@headgate/core"
import { exceededLimit, makeDashboard, OrganizationDashboards, OrganizationLimits } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { MemoryStore, usageOf } from "../MemoryStore.ts"

const layerByOrganization: Layer.Layer<OrganizationDashboards, never, MemoryStore | SecureRandom> = Layer.effect(
  OrganizationDashboards,
  Effect.gen(function* () {
    const store = yield* MemoryStore
    const { dashboards } = store
    const random = yield* SecureRandom

    const create = Effect.fnUntraced(
      function* (organizationId: OrganizationId, request: DashboardCreate) {
        const limits = yield* OrganizationLimits
        const dashboard = yield* makeDashboard(request)
        // No yield between the change and the check, so no other fiber runs between them.
        dashboards.set(dashboard.id, { organizationId, dashboard })
        const exceeded = exceededLimit("dashboards", usageOf(store, organizationId), limits)
        if (exceeded === undefined) return dashboard
        dashboards.delete(dashboard.id)
        return yield* exceeded
      },
      Effect.provideService(SecureRandom, random)
    )

    const list = (organizationId: OrganizationId) =>
      Effect.sync(() =>
        Array.from(dashboards.values()).flatMap((stored) =>
          stored.organizationId === organizationId ? [stored.dashboard] : []
        )
      )

    return OrganizationDashboards.of({
      of: (organizationId) => ({
        // Without a span, which keeps a creation cheap.
        create: (request) => create(organizationId, request),
        list: Effect.fn("MemoryDashboards.list")(() => list(organizationId))
      })
    })
  })
)

const layer = (organizationId: OrganizationId): Layer.Layer<Dashboards, never, OrganizationDashboards> =>
  Layer.effect(
    Dashboards,
    OrganizationDashboards.useSync((dashboards) => dashboards.of(organizationId))
  )

/**
 * The dashboard ports over a {@link MemoryStore}: `layerByOrganization` is `OrganizationDashboards`, `layer` is
 * `Dashboards` of one organization.
 */
export const MemoryDashboards = { layer, layerByOrganization }
