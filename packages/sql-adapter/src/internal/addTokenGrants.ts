import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * The permissions that were granted to tokens, as JSON. The tokens of before have none, and those that a server of the version before
 * makes meanwhile.
 */
export const addTokenGrants = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE token ADD COLUMN grants TEXT NOT NULL DEFAULT '[]'`
})
