import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * Which mover moves which pipe, and which movers there are. Times are milliseconds since 1970. In Postgres they are those of the
 * database's clock.
 */
export const createLeases = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE mover_process (
    mover TEXT PRIMARY KEY,
    serves TEXT NOT NULL,
    expires_at DOUBLE PRECISION NOT NULL
  )`
  yield* sql`CREATE TABLE mover_lease (
    pipe_id TEXT PRIMARY KEY REFERENCES pipe (id) ON DELETE CASCADE,
    mover TEXT NOT NULL,
    expires_at DOUBLE PRECISION NOT NULL,
    note TEXT NOT NULL
  )`
})
