import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * The changes of the states of pipes. `at` is milliseconds since 1970; the document has the rest, as JSON, in which every text can be
 * stored. All of it goes with its pipe.
 */
export const createPipeEvents = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE pipe_event (
    pipe_id TEXT NOT NULL REFERENCES pipe (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (pipe_id, position)
  )`
})
