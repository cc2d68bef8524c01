import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"

/** In the order in which nothing is left that names what is gone. */
const tables = ["dashboard", "token", "api_key", "pipe", "service", "organization"]

/** Deletes all that a snapshot speaks of; answers how much that was. Rate windows stay. */
export const deleteAll = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  let removed = 0
  for (const table of tables) {
    const [counted] = yield* sql<{ readonly held: number }>`
      SELECT CAST(COUNT(*) AS INTEGER) AS held FROM ${sql(table)}`
    removed += counted?.held ?? 0
    // Not Postgres's TRUNCATE, which whoever reads an older moment would see too.
    yield* sql`DELETE FROM ${sql(table)}`
  }
  return removed
})
