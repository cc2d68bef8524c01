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
 * The `DashboardDocuments` port over SQL, over any migrated `SqlClient`: the stored texts as they are. An outage of the
 * database is a `ServerFault`.
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core/access"
 * import { DashboardDocuments } from "@headgate/core/dashboard"
 * import { SqlAdapter } from "@headgate/sql-adapter"
 * import * as Effect from "effect/Effect"
 *
 * // `SqlAdapter` has this port beside the others.
 * export const textsOf = (filename: string, organizationId: OrganizationId) =>
 *   DashboardDocuments.use((documents) => documents.list(organizationId)).pipe(
 *     Effect.provide(SqlAdapter.layerSqlite({ filename }))
 *   )
 * ```
 */
export const SqlDashboardDocuments = { layer }
