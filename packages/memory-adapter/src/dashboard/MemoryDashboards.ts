import { type DashboardCreate, Dashboards, type OrganizationId } from "@headgate/core"
import { makeDashboard, OrganizationDashboards } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { MemoryStore } from "../MemoryStore.ts"

const layerByOrganizationNoDeps: Layer.Layer<OrganizationDashboards, never, MemoryStore | SecureRandom.SecureRandom> =
  Layer.effect(
    OrganizationDashboards,
    Effect.gen(function* () {
      const { dashboards } = yield* MemoryStore
      const random = yield* SecureRandom.SecureRandom

      const create = (organizationId: OrganizationId, request: DashboardCreate) =>
        Effect.map(Effect.provideService(makeDashboard(request), SecureRandom.SecureRandom, random), (dashboard) => {
          dashboards.set(dashboard.id, { organizationId, dashboard })
          return dashboard
        })

      return OrganizationDashboards.of({
        of: (organizationId) => ({
          create: (request) => create(organizationId, request),
          list: Effect.fn("MemoryDashboards.list")(() =>
            Effect.sync(() =>
              Array.from(dashboards.values()).flatMap((stored) =>
                stored.organizationId === organizationId ? [stored.dashboard] : []
              )
            )
          )
        })
      })
    })
  )

const layerByOrganization: Layer.Layer<OrganizationDashboards, never, MemoryStore> = Layer.provide(
  layerByOrganizationNoDeps,
  SecureRandom.layerWebCrypto
)

const ofOrganization = (organizationId: OrganizationId) =>
  Layer.effect(
    Dashboards,
    OrganizationDashboards.useSync((dashboards) => dashboards.of(organizationId))
  )

const layerNoDeps = (
  organizationId: OrganizationId
): Layer.Layer<Dashboards, never, MemoryStore | SecureRandom.SecureRandom> =>
  Layer.provide(ofOrganization(organizationId), layerByOrganizationNoDeps)

const layer = (organizationId: OrganizationId): Layer.Layer<Dashboards, never, MemoryStore> =>
  Layer.provide(ofOrganization(organizationId), layerByOrganization)

/**
 * The dashboard ports over a {@link MemoryStore}: `layer(organizationId)` is `Dashboards` of one organization,
 * `layerByOrganization` is `OrganizationDashboards` of them all. `NoDeps` leaves the cryptography to the caller.
 *
 * @example
 * ```ts
 * import type { Dashboards, OrganizationId } from "@headgate/core"
 * import { MemoryDashboards, MemoryStore } from "@headgate/memory-adapter"
 * import * as Layer from "effect/Layer"
 *
 * // The least that code needs which keeps dashboards.
 * export const dashboardsOf = (organizationId: OrganizationId): Layer.Layer<Dashboards> =>
 *   Layer.provide(MemoryDashboards.layer(organizationId), MemoryStore.layer)
 * ```
 */
export const MemoryDashboards = { layer, layerNoDeps, layerByOrganization, layerByOrganizationNoDeps }
