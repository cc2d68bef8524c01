import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** The primary key of a table: the order of insertion. */
export const seqColumn = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () => sql.literal("seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
    orElse: () => sql.literal("seq INTEGER PRIMARY KEY AUTOINCREMENT")
  })

/**
 * Ids, owners, and fields that are searched for or change often have columns. All other fields are in `document`, the
 * JSON text of the core schema, so that unknown fields are kept. It is TEXT: Postgres's jsonb reorders keys and rewrites
 * numbers. Ids are TEXT: a dashboard's id may be any text. `seq` is the order of insertion, in which lists are returned.
 * Times are milliseconds since 1970.
 *
 * Keys, tokens and dashboards have no foreign key to their organization. `makeRequireOrganization` checks it instead, in the
 * transaction of each creation.
 */
export const createTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const seq = seqColumn(sql)

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

  // A crash of Postgres loses the rate windows: they are not logged, so that no request waits for the disk.
  const createUnlogged = sql.onDialectOrElse({
    pg: () => sql.literal("CREATE UNLOGGED TABLE"),
    orElse: () => sql.literal("CREATE TABLE")
  })
  yield* sql`${createUnlogged} rate_window (
    id TEXT PRIMARY KEY,
    asked DOUBLE PRECISION NOT NULL,
    taken DOUBLE PRECISION NOT NULL,
    ends_at DOUBLE PRECISION NOT NULL
  )`
})
