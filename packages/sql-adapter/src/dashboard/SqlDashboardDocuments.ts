import { DashboardDocuments } from "@headgate/core/dashboard"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { orServerFault } from "../internal/outage.ts"

const layer: Layer.Layer<DashboardDocuments, never, SqlClient.SqlClient> = Layer.effect(
  DashboardDocuments,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    return DashboardDocuments.of({
      list: Effect.fn("SqlDashboardDocuments.list")(function* (organizationId) {
        const rows = yield* orServerFault(sql<{ readonly document: string }>`
          SELECT document FROM dashboard WHERE organization_id = ${organizationId} ORDER BY seq`)
        return rows.map(({ document }) => document)
      })
    })
  })
)

/**
 * The `DashboardDocuments` port over SQL, over any migrated `SqlClient`.
 *
 * @example
 * ```ts
 * import { NodeSqlite, SqlDashboardDocuments, SqlMigrations } from "@headgate/sql-adapter"
 * import * as Layer from "effect/Layer"
 *
 * export const layer = SqlDashboardDocuments.layer.pipe(
 *   Layer.provide(SqlMigrations.layer),
 *   Layer.provide(NodeSqlite.layer({ filename: "headgate.sqlite" }))
 * )
 * ```
 */
export const SqlDashboardDocuments = { layer }
