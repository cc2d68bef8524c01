import { Dashboard, type DashboardCreate, Dashboards, OrganizationId } from "@headgate/core"
import { makeDashboard, OrganizationDashboards } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { orServerFault } from "../internal/outage.ts"
import { makeInsertDashboard } from "./insertDashboard.ts"

const layerByOrganizationNoDeps: Layer.Layer<
  OrganizationDashboards,
  never,
  SqlClient.SqlClient | SecureRandom.SecureRandom
> = Layer.effect(
  OrganizationDashboards,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const random = yield* SecureRandom.SecureRandom
    const insertDashboard = makeInsertDashboard(sql)

    const selectAll = SqlSchema.findAll({
      Request: OrganizationId,
      Result: Schema.Struct({ document: Schema.fromJsonString(Dashboard) }),
      execute: (organizationId) => sql`
        SELECT document FROM dashboard WHERE organization_id = ${organizationId} ORDER BY seq`
    })

    const create = Effect.fnUntraced(function* (organizationId: OrganizationId, request: DashboardCreate) {
      const dashboard = yield* Effect.provideService(makeDashboard(request), SecureRandom.SecureRandom, random)
      yield* orServerFault(insertDashboard(organizationId, dashboard))
      return dashboard
    })
    const list = Effect.fn("SqlDashboards.list")(function* (organizationId: OrganizationId) {
      const rows = yield* orServerFault(selectAll(organizationId))
      return rows.map(({ document }) => document)
    })

    return OrganizationDashboards.of({
      of: (organizationId) => ({
        create: (request) => create(organizationId, request),
        list: () => list(organizationId)
      })
    })
  })
)

const layerByOrganization: Layer.Layer<OrganizationDashboards, never, SqlClient.SqlClient> = Layer.provide(
  layerByOrganizationNoDeps,
  SecureRandom.layerWebCrypto
)

const layer = (organizationId: OrganizationId): Layer.Layer<Dashboards, never, SqlClient.SqlClient> =>
  Layer.effect(
    Dashboards,
    OrganizationDashboards.useSync((dashboards) => dashboards.of(organizationId))
  ).pipe(Layer.provide(layerByOrganization))

/**
 * The dashboard ports over SQL: `layer(organizationId)` is `Dashboards` of one organization, `layerByOrganization` is
 * `OrganizationDashboards` of them all. `NoDeps` leaves the cryptography to the caller. An outage of the database is a
 * `ServerError`.
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core"
 * import { SqlAdapter, SqlDashboards } from "@headgate/sql-adapter"
 * import * as Layer from "effect/Layer"
 *
 * // `SqlAdapter` serves every organization; `Dashboards` is one's.
 * export const dashboardsOf = (filename: string, organizationId: OrganizationId) =>
 *   Layer.provide(SqlDashboards.layer(organizationId), SqlAdapter.layerSqlite({ filename }))
 * ```
 */
export const SqlDashboards = { layer, layerByOrganization, layerByOrganizationNoDeps }
