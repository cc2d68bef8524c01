import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * In Postgres, the time of a change is the id of its transaction. Generated columns and triggers are written by servers of the version
 * before, too, which may still run.
 *
 * Postgres reads no JSON in which a text has NUL or a lone surrogate: escapes are removed before, which no state has.
 */
const inPostgres = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const escape = String.raw`(?<!\\)((?:\\\\)*)\\u[0-9a-fA-F]{4}`
  const field = (column: string, name: string) => `
    CAST(CASE WHEN strpos(${column}, '\\u') = 0 THEN ${column}
      ELSE regexp_replace(${column}, '${escape}', '\\1', 'g') END AS JSON) ->> '${name}'`
  // One statement writes each row once.
  yield* sql.unsafe(`ALTER TABLE pipe
    ADD COLUMN state TEXT GENERATED ALWAYS AS (${field("document", "state")}) STORED,
    ADD COLUMN goal TEXT GENERATED ALWAYS AS (${field("progress", "goal")}) STORED,
    ADD COLUMN changed XID8 NOT NULL DEFAULT pg_current_xact_id()`)
  yield* sql`ALTER TABLE deleted_pipe ADD COLUMN changed XID8 NOT NULL DEFAULT pg_current_xact_id()`
  yield* sql.unsafe(`CREATE FUNCTION headgate_changed() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.changed := pg_current_xact_id(); RETURN NEW; END $$`)
  // The rows of simulated pipes stay as they are: an index does not move with each of their changes.
  yield* sql`CREATE TRIGGER headgate_pipe_change BEFORE INSERT OR UPDATE ON pipe
    FOR EACH ROW WHEN (NEW.warehouse IS NOT NULL) EXECUTE FUNCTION headgate_changed()`
  yield* sql`CREATE TRIGGER headgate_deleted_pipe_change BEFORE INSERT OR UPDATE OF deleted_at ON deleted_pipe
    FOR EACH ROW EXECUTE FUNCTION headgate_changed()`
})

/** In SQLite, which has one writer at a time, the time of a change is a counter. */
const inSqlite = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A table with rows gets no stored column. An index keeps the values of these, so that no list reads the documents for them.
  // What is no JSON has no state: one damaged row must not keep a store from opening.
  const field = (name: string, column: string) =>
    sql.unsafe(`ALTER TABLE pipe ADD COLUMN ${name} TEXT GENERATED ALWAYS AS (
      CASE WHEN json_valid(${column}) THEN json_extract(${column}, '$.${name}') END) VIRTUAL`)
  yield* field("state", "document")
  yield* field("goal", "progress")
  for (const table of ["pipe", "deleted_pipe"]) {
    yield* sql`ALTER TABLE ${sql(table)} ADD COLUMN changed INTEGER NOT NULL DEFAULT 0`
  }
  yield* sql`CREATE TABLE pipe_changes (counter INTEGER NOT NULL)`
  yield* sql`INSERT INTO pipe_changes (counter) VALUES (0)`
  const trigger = (name: string, event: string, table: string, condition: string) =>
    sql.unsafe(`CREATE TRIGGER headgate_${name} AFTER ${event} ON ${table} FOR EACH ROW ${condition} BEGIN
      UPDATE pipe_changes SET counter = counter + 1;
      UPDATE ${table} SET changed = (SELECT counter FROM pipe_changes) WHERE id = NEW.id;
    END`)
  const moved = "WHEN NEW.warehouse IS NOT NULL"
  yield* trigger("pipe_change_made", "INSERT", "pipe", moved)
  yield* trigger("pipe_change_updated", "UPDATE OF document, progress, version, warehouse", "pipe", moved)
  yield* trigger("pipe_change_deleted", "INSERT", "deleted_pipe", "")
  yield* trigger("pipe_change_deleted_again", "UPDATE OF deleted_at", "deleted_pipe", "")
  yield* sql`DROP INDEX pipe_warehouse`
  yield* sql`CREATE INDEX pipe_warehouse ON pipe (warehouse, state, goal, version, id, organization_id, service_id)
    WHERE warehouse IS NOT NULL`
})

/**
 * The state and the goal of a pipe as columns, and when a pipe of a warehouse was changed or deleted: a mover asks twice a second what
 * has changed. The index is of pipes in every state, for one that came to rest is to be seen, too.
 */
export const addPipeChanges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({ pg: () => inPostgres, orElse: () => inSqlite })
  yield* sql`CREATE INDEX pipe_changed ON pipe (changed) WHERE warehouse IS NOT NULL`
  yield* sql`CREATE INDEX deleted_pipe_changed ON deleted_pipe (changed)`
})

/**
 * In Postgres, a database that was restored into another cluster holds ids of transactions that this one has not reached. Each poll
 * would answer these rows, so they are changed anew: the trigger does it. Costs two index scans if there are none.
 */
export const resetLaterChanges = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const later = sql`changed >= pg_snapshot_xmax(pg_current_snapshot())`
  yield* sql.onDialectOrElse({
    pg: () =>
      Effect.andThen(
        sql`UPDATE pipe SET version = version WHERE warehouse IS NOT NULL AND ${later}`,
        sql`UPDATE deleted_pipe SET deleted_at = deleted_at WHERE ${later}`
      ),
    orElse: () => Effect.void
  })
})
