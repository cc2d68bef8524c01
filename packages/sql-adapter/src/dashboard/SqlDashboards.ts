import { Dashboard, type DashboardCreate, OrganizationId } from "@headgate/core"
import { makeDashboard, OrganizationDashboards } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { makeCheckLimits } from "../internal/checkLimits.ts"
import { orServerError } from "../internal/outage.ts"
import { writeTransaction } from "../internal/transaction.ts"

const encodeDashboard = Schema.encodeEffect(Schema.fromJsonString(Dashboard))

/** Inserts a dashboard unless its id is taken. Returns whether it inserted the dashboard. */
export const makeInsertDashboard = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (organizationId: OrganizationId, dashboard: Dashboard) {
    const document = yield* encodeDashboard(dashboard)
    const inserted = yield* sql`
      INSERT INTO dashboard (id, organization_id, document)
      VALUES (${dashboard.id}, ${organizationId}, ${document})
      ON CONFLICT (id) DO NOTHING
      RETURNING id`
    return inserted.length > 0
  })

const layer: Layer.Layer<OrganizationDashboards, never, SqlClient.SqlClient | SecureRandom.SecureRandom> = Layer.effect(
  OrganizationDashboards,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const random = yield* SecureRandom.SecureRandom
    const insertDashboard = makeInsertDashboard(sql)
    const checkLimits = makeCheckLimits(sql)

    const selectAll = SqlSchema.findAll({
      Request: OrganizationId,
      Result: Schema.Struct({ document: Schema.fromJsonString(Dashboard) }),
      execute: (organizationId) => sql`
        SELECT document FROM dashboard WHERE organization_id = ${organizationId} ORDER BY seq`
    })

    const create = Effect.fnUntraced(function* (organizationId: OrganizationId, request: DashboardCreate) {
      const dashboard = yield* Effect.provideService(makeDashboard(request), SecureRandom.SecureRandom, random)
      const insert = insertDashboard(organizationId, dashboard)
      yield* orServerError(writeTransaction(sql)(Effect.andThen(insert, checkLimits("dashboards", organizationId))))
      return dashboard
    })
    const list = Effect.fn("SqlDashboards.list")(function* (organizationId: OrganizationId) {
      const rows = yield* orServerError(selectAll(organizationId))
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

/** The `OrganizationDashboards` port over SQL. */
export const SqlDashboards = { layer }
