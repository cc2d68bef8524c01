import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** The versions of pipes, keys and dashboards, and the counts of the kinds of resources that later migrations create. */
export const addVersions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const table of ["pipe", "api_key", "dashboard"]) {
    yield* sql.unsafe(`ALTER TABLE ${table} ADD COLUMN version INTEGER NOT NULL DEFAULT 1`)
  }
  for (const column of ["roles", "endpoints", "connections", "sources"]) {
    yield* sql.unsafe(`ALTER TABLE organization_usage ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0`)
  }
})
