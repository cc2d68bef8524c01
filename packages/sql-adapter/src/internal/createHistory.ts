import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { seqColumn } from "./createTables.ts"

/**
 * The history of pipes, in minutes since 1970; in Postgres by the database's clock. `history_pipe` has a row for each pipe that was ever
 * moved: the totals of the ledger as of its last note, and the notes of about the last hour as text, to which each note is added.
 * `packed_history` has the notes before that, packed: never changed, and replaced by coarser rows. A
 * number names the pipe in it, for an id takes a fifth of such a row. `history_mover` has until when each
 * mover is known to have been alive.
 *
 * A row of `history_pipe` is made by a trigger when a pipe is first taken, so that its first note counts from nothing, whichever version of
 * the server takes it. Pipes that were moved before count from now on. `earlier_rows` and the like are what a pipe had delivered when it
 * last began anew, so that the totals of a history never fall.
 */
export const createHistory = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const bytes = sql.onDialectOrElse({ pg: () => sql`BYTEA`, orElse: () => sql`BLOB` })
  // Notes are added in place: each page keeps room for a second version of its rows.
  const options = sql.onDialectOrElse({ pg: () => sql`WITH (fillfactor = 50)`, orElse: () => sql`` })
  for (const column of ["earlier_rows", "earlier_rejected", "earlier_bytes"]) {
    yield* sql`ALTER TABLE mover_pipe ADD COLUMN ${sql(column)} DOUBLE PRECISION NOT NULL DEFAULT 0`
  }
  yield* sql`CREATE TABLE history_mover (${seqColumn(sql)}, alive_until INTEGER NOT NULL)`
  yield* sql`CREATE TABLE history_pipe (
    ${seqColumn(sql)},
    pipe_id TEXT NOT NULL UNIQUE REFERENCES pipe (id) ON DELETE CASCADE,
    epoch INTEGER NOT NULL DEFAULT 0,
    total_rows DOUBLE PRECISION NOT NULL DEFAULT 0,
    total_rejected DOUBLE PRECISION NOT NULL DEFAULT 0,
    total_bytes DOUBLE PRECISION NOT NULL DEFAULT 0,
    since INTEGER NOT NULL DEFAULT 0,
    last_minute INTEGER NOT NULL DEFAULT 0,
    notes TEXT NOT NULL DEFAULT ''
  ) ${options}`
  yield* sql`CREATE TABLE packed_history (
    ${seqColumn(sql)},
    pipe_seq BIGINT NOT NULL REFERENCES history_pipe (seq) ON DELETE CASCADE,
    step INTEGER NOT NULL,
    begins INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    spans ${bytes} NOT NULL
  )`
  yield* sql`CREATE INDEX packed_history_pipe ON packed_history (pipe_seq, begins)`
  yield* sql`CREATE INDEX packed_history_ends ON packed_history (step, ends)`
  yield* sql`
    INSERT INTO history_pipe (pipe_id, total_rows, total_rejected, total_bytes)
    SELECT pipe_id, delivered_rows, rejected_rows, delivered_bytes FROM mover_pipe`
  const insert = "INSERT INTO history_pipe (pipe_id) VALUES (NEW.pipe_id) ON CONFLICT (pipe_id) DO NOTHING"
  const trigger = "CREATE TRIGGER headgate_pipe_noted AFTER INSERT ON mover_pipe FOR EACH ROW"
  yield* sql.onDialectOrElse({
    pg: () =>
      Effect.andThen(
        sql.unsafe(`CREATE FUNCTION headgate_pipe_noted() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN ${insert}; RETURN NULL; END $$`),
        sql.unsafe(`${trigger} EXECUTE FUNCTION headgate_pipe_noted()`)
      ),
    orElse: () => sql.unsafe(`${trigger} BEGIN ${insert}; END`)
  })
})
