import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** The credentials of the source of a pipe, which are not in its document: JSON, an object with a member for each path. */
export const addPipeCredentials = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE pipe ADD COLUMN credentials TEXT`
})
