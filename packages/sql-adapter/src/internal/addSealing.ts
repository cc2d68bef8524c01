import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * The fingerprint of the key that the store is sealed with, and the kept answers of creations with an idempotency key: `number`
 * and `bytes` are sums over the answers of the organization up to this one.
 */
export const addSealing = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE sealing_key (id INTEGER PRIMARY KEY CHECK (id = 1), fingerprint TEXT NOT NULL)`

  yield* sql`CREATE TABLE idempotent_creation (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    body_hash TEXT NOT NULL,
    answer TEXT NOT NULL,
    expires_at BIGINT NOT NULL
  )`
  yield* sql`CREATE INDEX idempotent_creation_number ON idempotent_creation (organization_id, number)`
  yield* sql`CREATE INDEX idempotent_creation_bytes ON idempotent_creation (organization_id, bytes)`
  yield* sql`CREATE INDEX idempotent_creation_expiry ON idempotent_creation (expires_at)`
})
