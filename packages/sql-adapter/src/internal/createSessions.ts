import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * The sessions of movers, which session has which pipe, and the metrics that movers keep of pipes. A lease has no time of its own: it is
 * valid until its session expires. `expires_at`: milliseconds since 1970, in Postgres by the database's clock; 0 once another mover has
 * found the session expired, after which it is never renewed. `held`: 0 once the session has given the pipe back; the row stays, and says
 * which session had the pipe last. `taken` counts the sessions that have had the pipe, and `said` the writes of metrics of a session.
 *
 * A server of the version before may still run over Postgres. It finds no lease in `mover_lease`, and can insert none: it stops its
 * pipes at the next look and takes none, and the movers of this version go on with them.
 */
export const createSessions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE mover_session (
    id TEXT PRIMARY KEY,
    serves TEXT NOT NULL,
    expires_at DOUBLE PRECISION NOT NULL,
    resting INTEGER NOT NULL,
    pipes INTEGER NOT NULL,
    load DOUBLE PRECISION NOT NULL,
    lightest DOUBLE PRECISION NOT NULL
  )`
  yield* sql`CREATE TABLE pipe_lease (
    pipe_id TEXT PRIMARY KEY REFERENCES pipe (id) ON DELETE CASCADE,
    session_id TEXT NOT NULL,
    held INTEGER NOT NULL,
    taken INTEGER NOT NULL,
    weight DOUBLE PRECISION NOT NULL
  )`
  yield* sql`CREATE INDEX pipe_lease_session ON pipe_lease (session_id)`
  yield* sql`CREATE TABLE pipe_metrics (
    pipe_id TEXT PRIMARY KEY REFERENCES pipe (id) ON DELETE CASCADE,
    session_id TEXT NOT NULL,
    taken INTEGER NOT NULL,
    said INTEGER NOT NULL,
    metrics TEXT NOT NULL
  )`
  // In the order in which a server of the version before locks them.
  yield* sql.onDialectOrElse({
    pg: () => sql`LOCK TABLE mover_process, mover_lease IN ACCESS EXCLUSIVE MODE`,
    orElse: () => Effect.void
  })
  yield* sql`INSERT INTO pipe_metrics (pipe_id, session_id, taken, said, metrics)
    SELECT pipe_id, mover, 0, 0, note FROM mover_lease WHERE note <> ''`
  yield* sql.onDialectOrElse({
    pg: () =>
      Effect.gen(function* () {
        yield* sql`DELETE FROM mover_lease`
        yield* sql`DELETE FROM mover_process`
        yield* sql.unsafe(`CREATE FUNCTION headgate_no_lease() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RETURN NULL; END $$`)
        yield* sql.unsafe(`CREATE TRIGGER headgate_no_lease BEFORE INSERT ON mover_lease
          FOR EACH ROW EXECUTE FUNCTION headgate_no_lease()`)
      }),
    // One process uses a file of SQLite.
    orElse: () => Effect.andThen(sql`DROP TABLE mover_lease`, sql`DROP TABLE mover_process`)
  })
})
