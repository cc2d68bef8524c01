import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** What deleted pipes have left in sources that could not be reached. It outlives the pipes; `source` is sealed. */
export const createCleanups = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE mover_cleanup (
    pipe_id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    remains TEXT NOT NULL,
    source TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    last_error TEXT
  )`
})
