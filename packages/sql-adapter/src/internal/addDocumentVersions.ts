import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** The versions of custom roles, connections and data sources. */
export const addDocumentVersions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const table of ["custom_role", "connection", "dashboard_source"]) {
    yield* sql`ALTER TABLE ${sql(table)} ADD COLUMN version INTEGER NOT NULL DEFAULT 1`
  }
})
