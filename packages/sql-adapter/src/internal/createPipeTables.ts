import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { seqColumn } from "./createTables.ts"

/**
 * The tables that pipes have opened in their warehouses. A row outlives its pipe, so it refers to no pipe; it goes with its organization,
 * whichever version of the server removes that.
 */
export const createPipeTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE pipe_table (
    ${seqColumn(sql)},
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    service_id TEXT NOT NULL,
    pipe_id TEXT NOT NULL,
    warehouse TEXT NOT NULL,
    database_name TEXT NOT NULL,
    table_name TEXT NOT NULL,
    known_by TEXT NOT NULL,
    is_created BOOLEAN NOT NULL,
    is_versioned BOOLEAN NOT NULL,
    UNIQUE (pipe_id, warehouse, database_name, table_name)
  )`
  yield* sql`CREATE INDEX pipe_table_organization ON pipe_table (organization_id, seq)`
  yield* sql`CREATE INDEX pipe_table_name ON pipe_table (warehouse, database_name, table_name)`
})
