import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/**
 * Ids, owners and what is searched for are columns; all else is in `document`, the JSON text of the core schema, so that
 * fields nobody knows survive. TEXT and not Postgres's jsonb, which would reorder keys and rewrite numbers, and not its
 * uuid, since a dashboard's id is any text. `seq` keeps the order of insertion, in which lists are answered.
 *
 * Keys, tokens and dashboards name their organization without a foreign key: it comes from verified credentials, and
 * the ports have no answer for "no such organization".
 */
const createTables = Effect.gen(function* () {
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
    document TEXT NOT NULL
  )`
  yield* sql`CREATE INDEX api_key_organization ON api_key (organization_id, seq)`

  yield* sql`CREATE TABLE token (
    ${seq},
    organization_id TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL
  )`
  yield* sql`CREATE INDEX token_organization ON token (organization_id, seq)`

  yield* sql`CREATE TABLE dashboard (
    ${seq},
    id TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL,
    document TEXT NOT NULL
  )`
  yield* sql`CREATE INDEX dashboard_organization ON dashboard (organization_id, seq)`
})

/** What has run is in the table `headgate_migrations`. A migration that was released is never edited: add the next. */
const migrate = Migrator.make({})({
  loader: Migrator.fromRecord({ "0001_create_tables": createTables }),
  table: "headgate_migrations"
})

const layer: Layer.Layer<never, Migrator.MigrationError | SqlError, SqlClient.SqlClient> = Layer.effectDiscard(migrate)

/**
 * Brings the tables up to date as the layer is built, in one transaction. Servers that start at once take turns: the
 * second finds the work done.
 */
export const SqlMigrations = { layer, migrate }
