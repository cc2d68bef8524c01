import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { countDocuments } from "./countDocuments.ts"

/** The table of a kind of documents. The secrets of a document have a column of their own, as one sealed text. */
export const createDocuments = Effect.fnUntraced(function* (table: string, count: string) {
  const sql = yield* SqlClient.SqlClient
  const seq = sql.onDialectOrElse({
    pg: () => "seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    orElse: () => "seq INTEGER PRIMARY KEY AUTOINCREMENT"
  })
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
})

/** Saved searches, webhooks and alerts. */
export const createDocumentStores = Effect.gen(function* () {
  yield* createDocuments("saved_search", "saved_searches")
  yield* createDocuments("webhook", "webhooks")
  yield* createDocuments("alert", "alerts")
})
