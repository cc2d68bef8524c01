import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * The pipes of warehouses that were deleted, until what they have made in their sources and warehouses is removed. A trigger keeps them,
 * so that no statement that deletes can forget it. The secrets stay as they were sealed in `pipe`. It replaces `mover_cleanup`, which
 * no release had.
 */
export const keepDeletedPipes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP TABLE mover_cleanup`
  yield* sql`CREATE TABLE deleted_pipe (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL,
    document TEXT NOT NULL,
    credentials TEXT,
    warehouse TEXT NOT NULL,
    deleted_at BIGINT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    last_error TEXT
  )`
  const keep = (now: string) => `
    INSERT INTO deleted_pipe (id, organization_id, document, credentials, warehouse, deleted_at)
    VALUES (OLD.id, OLD.organization_id, OLD.document, OLD.credentials, OLD.warehouse, ${now})
    ON CONFLICT (id) DO UPDATE SET organization_id = excluded.organization_id, document = excluded.document,
      credentials = excluded.credentials, warehouse = excluded.warehouse, deleted_at = excluded.deleted_at,
      attempts = 0, last_error = NULL`
  const trigger = "CREATE TRIGGER headgate_pipe_kept AFTER DELETE ON pipe FOR EACH ROW WHEN (OLD.warehouse IS NOT NULL)"
  yield* sql.onDialectOrElse({
    pg: () =>
      Effect.andThen(
        sql.unsafe(`CREATE FUNCTION headgate_pipe_kept() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN ${keep("CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)")}; RETURN NULL; END $$`),
        sql.unsafe(`${trigger} EXECUTE FUNCTION headgate_pipe_kept()`)
      ),
    orElse: () => sql.unsafe(`${trigger} BEGIN ${keep("CAST(unixepoch('subsec') * 1000 AS INTEGER)")}; END`)
  })
})

/** Until when somebody cleans up after a deleted pipe: milliseconds since 1970. In Postgres they are those of the database's clock. */
export const claimDeletedPipes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE deleted_pipe ADD COLUMN claimed_until DOUBLE PRECISION NOT NULL DEFAULT 0`
})

/** The deleted pipes of an organization are counted in each creation. */
export const indexDeletedPipes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX deleted_pipe_organization ON deleted_pipe (organization_id)`
})
