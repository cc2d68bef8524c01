import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { countDocuments } from "./countDocuments.ts"

/**
 * The connections and data sources of dashboards. The credentials of a connection have a column of their own, as JSON text: no
 * statement that answers a caller reads it.
 */
export const createDashboardSources = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const seq = sql.onDialectOrElse({
    pg: () => "seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    orElse: () => "seq INTEGER PRIMARY KEY AUTOINCREMENT"
  })
  for (const [table, ...columns] of [["connection", "credentials TEXT"], ["dashboard_source"]] as const) {
    const own = ["id TEXT NOT NULL UNIQUE", "organization_id TEXT NOT NULL", "document TEXT NOT NULL", ...columns]
    yield* sql.unsafe(`CREATE TABLE ${table} (${seq}, ${own.join(", ")})`)
    yield* sql.unsafe(`CREATE INDEX ${table}_organization ON ${table} (organization_id, seq)`)
  }
  yield* countDocuments("connection", "connections")
  yield* countDocuments("dashboard_source", "sources")
})
