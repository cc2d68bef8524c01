import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * Ids, owners, what is searched for and what changes often are columns; all else is in `document`, the JSON text of the
 * core schema, so that fields nobody knows survive. TEXT and not Postgres's jsonb, which would reorder keys and rewrite
 * numbers, and not its uuid, since a dashboard's id is any text. `seq` keeps the order of insertion, in which lists are
 * answered. Times are milliseconds since 1970.
 *
 * Keys, tokens and dashboards name their organization without a foreign key: it comes from verified credentials, and
 * the ports have no answer for "no such organization".
 */
export const createTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const seq = sql.onDialectOrElse({
    pg: () => sql.literal("seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
    orElse: () => sql.literal("seq INTEGER PRIMARY KEY AUTOINCREMENT")
  })

  yield* sql`CREATE TABLE organization (
    ${seq},
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL
  )`

  yield* sql`CREATE TABLE service (
    ${seq},
    id TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL REFERENCES organization (id),
    name TEXT NOT NULL
  )`
  yield* sql`CREATE INDEX service_organization ON service (organization_id, seq)`

  yield* sql`CREATE TABLE pipe (
    ${seq},
    id TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL REFERENCES organization (id),
    service_id TEXT NOT NULL REFERENCES service (id),
    document TEXT NOT NULL
  )`
  yield* sql`CREATE INDEX pipe_owner ON pipe (organization_id, service_id, seq)`
  yield* sql`CREATE INDEX pipe_service ON pipe (service_id)`

  yield* sql`CREATE TABLE api_key (
    ${seq},
    id TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL,
    key_id_hash TEXT NOT NULL UNIQUE,
    key_secret_hash TEXT NOT NULL,
    state TEXT NOT NULL,
    used_at BIGINT,
    document TEXT NOT NULL
  )`
  yield* sql`CREATE INDEX api_key_organization ON api_key (organization_id, seq)`

  yield* sql`CREATE TABLE token (
    ${seq},
    id TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    document TEXT NOT NULL
  )`
  yield* sql`CREATE INDEX token_organization ON token (organization_id, seq)`

  yield* sql`CREATE TABLE dashboard (
    ${seq},
    id TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL,
    document TEXT NOT NULL
  )`
  yield* sql`CREATE INDEX dashboard_organization ON dashboard (organization_id, seq)`

  // Rate windows may be forgotten in a crash of Postgres: without a log of them, no request waits for the disk.
  const fleeting = sql.onDialectOrElse({
    pg: () => sql.literal("CREATE UNLOGGED TABLE"),
    orElse: () => sql.literal("CREATE TABLE")
  })
  yield* sql`${fleeting} rate_window (
    id TEXT PRIMARY KEY,
    asked DOUBLE PRECISION NOT NULL,
    taken DOUBLE PRECISION NOT NULL,
    ends_at DOUBLE PRECISION NOT NULL
  )`
})
