import {
  type Dashboard,
  type DashboardCreate,
  type DashboardId,
  type DashboardNotFound,
  Dashboards,
  type DashboardUpdate,
  type OrganizationId,
  type ServerError,
  versionOf
} from "@headgate/core"
import {
  alertsOfDashboard,
  builtInIds,
  checkVersion,
  dashboardRules,
  type FindReferences,
  limitRules,
  notFound,
  OrganizationDashboards,
  OrganizationLimits,
  Tiles,
  withVersion
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { creationTerms, insertWithinLimits, MemoryStore, usageOf } from "../MemoryStore.ts"
import { deleteAlerts } from "./findNamed.ts"

const layerByOrganization: Layer.Layer<OrganizationDashboards, never, MemoryStore | SecureRandom> = Layer.effect(
  OrganizationDashboards,
  Effect.gen(function* () {
    const store = yield* MemoryStore
    const { dashboards } = store
    const random = yield* SecureRandom
    const rules = dashboardRules(yield* Tiles)

    const ownedBy = (organizationId: OrganizationId): ReadonlyArray<Dashboard> =>
      Array.from(dashboards.values()).flatMap((stored) =>
        stored.organizationId === organizationId ? [stored.dashboard] : []
      )

    const references =
      (organizationId: OrganizationId): FindReferences<ServerError> =>
      ({ connectionIds, dashboardIds, sourceIds }) =>
        Effect.map(builtInIds(organizationId, connectionIds), (builtIn) => {
          const owned = <Stored extends { readonly organizationId: OrganizationId }>(
            held: ReadonlyMap<string, Stored>,
            ids: ReadonlyArray<string>
          ) =>
            ids.flatMap((id) => {
              const stored = held.get(id)
              return stored?.organizationId === organizationId ? [stored] : []
            })
          return {
            sources: owned(store.sources, sourceIds).map(({ source }) => source),
            connectionIds: [
              ...owned(store.connections, connectionIds).map(({ connection }) => connection.id),
              ...builtIn
            ],
            dashboardIds: owned(dashboards, dashboardIds).map(({ dashboard }) => dashboard.id)
          }
        })

    /** Deletes the alerts of a dashboard whose tiles are not in `left`. */
    const deleteAlertsOf = (organizationId: OrganizationId, id: DashboardId, left?: Dashboard["tiles"]): void => {
      const alerts = Array.from(store.alerts.values()).flatMap((stored) =>
        stored.organizationId === organizationId ? [{ ...stored.document }] : []
      )
      deleteAlerts(store, alertsOfDashboard(alerts, id, left ?? []))
    }

    const create = Effect.fnUntraced(
      function* (organizationId: OrganizationId, request: DashboardCreate) {
        const terms = yield* creationTerms
        const dashboard = yield* rules.create(request, references(organizationId))
        const stored = { organizationId, dashboard: withVersion(dashboard, 1) }
        const refused = insertWithinLimits(store, terms, "dashboards", dashboards, dashboard.id, stored)
        return refused === undefined ? dashboard : yield* refused
      },
      Effect.provideService(SecureRandom, random)
    )

    const list = (organizationId: OrganizationId) => Effect.suspend(() => rules.answerAll(ownedBy(organizationId)))

    const find = (organizationId: OrganizationId, id: DashboardId): Effect.Effect<Dashboard, DashboardNotFound> =>
      Effect.suspend(() => {
        const stored = dashboards.get(id)
        return stored?.organizationId === organizationId
          ? Effect.succeed(stored.dashboard)
          : Effect.fail(notFound("DashboardNotFound", { dashboardId: id }))
      })

    // No yield between this and the change, so no other fiber runs between them.
    const findToChange = Effect.fnUntraced(function* (organizationId: OrganizationId, id: DashboardId) {
      const held = yield* find(organizationId, id)
      yield* checkVersion(versionOf(held) ?? 1)
      return held
    })

    // What a new dashboard is made from is replaced by no other fiber meanwhile.
    const updates = Semaphore.makeUnsafe(1)

    const update = Effect.fnUntraced(
      function* (organizationId: OrganizationId, id: DashboardId, request: DashboardUpdate) {
        const limits = yield* OrganizationLimits
        // A body that is wrong is refused whether there is such a dashboard or not.
        const stored = yield* Effect.option(find(organizationId, id))
        const replaced = Option.getOrElse(stored, (): Dashboard => ({ id, name: "" }))
        const dashboard = yield* rules.replace(replaced, request, references(organizationId))
        const held = yield* findToChange(organizationId, id)
        dashboards.set(id, { organizationId, dashboard: withVersion(dashboard, (versionOf(held) ?? 1) + 1) })
        const exceeded = limitRules.bytes(usageOf(store, organizationId), limits)
        if (exceeded === undefined) {
          deleteAlertsOf(organizationId, id, dashboard.tiles)
          return dashboard
        }
        dashboards.set(id, { organizationId, dashboard: held })
        return yield* exceeded
      },
      Effect.provideService(SecureRandom, random),
      updates.withPermits(1)
    )

    const get = Effect.fnUntraced(function* (organizationId: OrganizationId, id: DashboardId) {
      const stored = yield* find(organizationId, id)
      const answer = yield* rules.answer(stored)
      return answer === stored ? stored : withVersion(answer, versionOf(stored) ?? 1)
    })

    const remove = Effect.fnUntraced(function* (organizationId: OrganizationId, id: DashboardId) {
      yield* findToChange(organizationId, id)
      dashboards.delete(id)
      deleteAlertsOf(organizationId, id)
    })

    return OrganizationDashboards.of({
      of: (organizationId) => ({
        create: (request) => create(organizationId, request),
        get: ({ dashboardId }) => get(organizationId, dashboardId),
        update: ({ dashboardId }, request) => update(organizationId, dashboardId, request),
        delete: ({ dashboardId }) => remove(organizationId, dashboardId),
        validate: (document) => rules.validate(document, references(organizationId)),
        list: () => list(organizationId)
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
