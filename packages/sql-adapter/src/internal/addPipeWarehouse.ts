import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** The name of the warehouse to which a pipe moves rows; NULL for a simulated pipe. The mover asks for these pipes often. */
export const addPipeWarehouse = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE pipe ADD COLUMN warehouse TEXT`
  yield* sql`CREATE INDEX pipe_warehouse ON pipe (warehouse) WHERE warehouse IS NOT NULL`
})
