import { type DashboardCreate, Dashboards, type OrganizationId } from "@headgate/core"
import { makeDashboard, OrganizationDashboards } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { MemoryStore } from "../MemoryStore.ts"

const layerByOrganization: Layer.Layer<OrganizationDashboards, never, MemoryStore | SecureRandom> = Layer.effect(
  OrganizationDashboards,
  Effect.gen(function* () {
    const { dashboards } = yield* MemoryStore
    const random = yield* SecureRandom

    const create = (organizationId: OrganizationId, request: DashboardCreate) =>
      Effect.map(Effect.provideService(makeDashboard(request), SecureRandom, random), (dashboard) => {
        dashboards.set(dashboard.id, { organizationId, dashboard })
        return dashboard
      })

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
