import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * How pipes go on: `progress` is JSON, and `due` is when the first of its steps is due, in milliseconds since 1970. A pipe
 * without steps has no `due`, so that a read sees that nothing is to be done.
 */
export const addPipeProgress = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE pipe ADD COLUMN progress TEXT`
  yield* sql`ALTER TABLE pipe ADD COLUMN due DOUBLE PRECISION`
})
