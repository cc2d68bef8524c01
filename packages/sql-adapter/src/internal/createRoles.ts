import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { countDocuments } from "./countDocuments.ts"
import { seqColumn } from "./createTables.ts"

/**
 * The custom roles. A key has the ids of its roles in its document: which keys have a role is asked only when the role is
 * deleted, and an organization has few keys.
 */
export const createRoles = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE custom_role (
    ${seqColumn(sql)},
    id TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL,
    document TEXT NOT NULL
  )`
  yield* sql`CREATE INDEX custom_role_organization ON custom_role (organization_id, seq)`
  yield* countDocuments("custom_role", "roles")
})
