import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** Where the rows of a pending range are staged, and which of them are moved, as JSON. */
export const addStaging = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE mover_range ADD COLUMN staged TEXT`
})
