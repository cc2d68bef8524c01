import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { seqColumn } from "./createTables.ts"

/**
 * The sessions of the console and the codes that open them, by the hash of their secret. They go with their key, whichever version of
 * the server deletes it. `expires_at` is milliseconds since 1970.
 */
export const createConsoleTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const table of ["console_session", "console_code"]) {
    yield* sql`CREATE TABLE ${sql(table)} (
      ${seqColumn(sql)},
      hash TEXT NOT NULL UNIQUE,
      key_id TEXT NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
      expires_at DOUBLE PRECISION NOT NULL
    )`
    yield* sql`CREATE INDEX ${sql(`${table}_key`)} ON ${sql(table)} (key_id, seq)`
    yield* sql`CREATE INDEX ${sql(`${table}_expiry`)} ON ${sql(table)} (expires_at)`
  }
})
