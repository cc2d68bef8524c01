import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** The fingerprint of the key that the store is sealed with. */
export const addSealing = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE sealing_key (id INTEGER PRIMARY KEY CHECK (id = 1), fingerprint TEXT NOT NULL)`
})
