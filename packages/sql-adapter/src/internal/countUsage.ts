import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { countDocuments } from "./countDocuments.ts"

/**
 * What each organization holds, in one row: a creation reads it in its transaction instead of counting. In Postgres, the
 * row's lock makes creations of one organization wait for each other, which makes its limits exact between servers.
 */
export const countUsage = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE organization_usage (
    organization_id TEXT PRIMARY KEY,
    keys INTEGER NOT NULL DEFAULT 0,
    dashboards INTEGER NOT NULL DEFAULT 0,
    pipes INTEGER NOT NULL DEFAULT 0,
    document_bytes BIGINT NOT NULL DEFAULT 0
  )`
  yield* countDocuments("api_key", "keys")
  yield* countDocuments("dashboard", "dashboards")
  yield* countDocuments("pipe", "pipes")
})
