import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { countDocuments } from "./countDocuments.ts"

/** Saved searches, webhooks and alerts. The secrets of a document have a column of their own, as one sealed text. */
export const createDocumentStores = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const seq = sql.onDialectOrElse({
    pg: () => "seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    orElse: () => "seq INTEGER PRIMARY KEY AUTOINCREMENT"
  })
  for (const [table, count] of [
    ["saved_search", "saved_searches"],
    ["webhook", "webhooks"],
    ["alert", "alerts"]
  ] as const) {
    yield* sql.unsafe(`CREATE TABLE ${table} (
      ${seq},
      id TEXT NOT NULL UNIQUE,
      organization_id TEXT NOT NULL,
      document TEXT NOT NULL,
      credentials TEXT,
      version INTEGER NOT NULL DEFAULT 1
    )`)
    yield* sql.unsafe(`CREATE INDEX ${table}_organization ON ${table} (organization_id, seq)`)
    yield* sql.unsafe(`ALTER TABLE organization_usage ADD COLUMN ${count} INTEGER NOT NULL DEFAULT 0`)
    yield* countDocuments(table, count)
  }
})
