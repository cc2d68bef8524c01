import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { seqColumn } from "./createTables.ts"

/**
 * The mover's ledger: the owner and the generation of each pipe, the position of each partition, and the ranges that are
 * pending. A range that is done leaves its row and sets `done_to`, so the tables grow with the partitions and not with what
 * is moved. All of it goes with its pipe.
 *
 * `boot` and `boot_seconds` say when a range was recorded, by the clock that counts from the start of the machine.
 */
export const createLedger = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE mover_pipe (
    pipe_id TEXT PRIMARY KEY REFERENCES pipe (id) ON DELETE CASCADE,
    epoch INTEGER NOT NULL,
    owner_id TEXT NOT NULL,
    generation INTEGER NOT NULL DEFAULT 0,
    source TEXT NOT NULL DEFAULT '',
    failing_ms DOUBLE PRECISION NOT NULL DEFAULT 0
  )`
  yield* sql`CREATE TABLE mover_partition (
    pipe_id TEXT NOT NULL REFERENCES mover_pipe (pipe_id) ON DELETE CASCADE,
    partition_id TEXT NOT NULL,
    starts_at TEXT,
    done_to TEXT,
    PRIMARY KEY (pipe_id, partition_id)
  )`
  yield* sql`CREATE TABLE mover_range (
    ${seqColumn(sql)},
    pipe_id TEXT NOT NULL REFERENCES mover_pipe (pipe_id) ON DELETE CASCADE,
    partition_id TEXT NOT NULL,
    from_position TEXT NOT NULL,
    to_position TEXT NOT NULL,
    detail TEXT,
    boot TEXT NOT NULL,
    boot_seconds DOUBLE PRECISION NOT NULL
  )`
  yield* sql`CREATE INDEX mover_range_pipe ON mover_range (pipe_id, partition_id, seq)`
})

/** Where the rows of a pending range are staged, and which of them are moved, as JSON. */
export const addStaging = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE mover_range ADD COLUMN staged TEXT`
})

/** What the last range of a partition that is done was recorded with: what a source knew of a table that was copied. */
export const addDoneDetail = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE mover_partition ADD COLUMN done_detail TEXT`
})

/** How many inserts the table of the warehouse had had when a range was recorded. */
export const addInsertsBefore = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE mover_range ADD COLUMN inserts_before DOUBLE PRECISION`
})

/**
 * The objects that pipes have read, as hashes of their keys and versions: `generation` is that which read them, and `seen` the number of
 * the last list that had them. `objects_since` is the generation since which a pipe records them.
 */
export const recordObjects = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const bytes = sql.onDialectOrElse({ pg: () => sql`BYTEA`, orElse: () => sql`BLOB` })
  const options = sql.onDialectOrElse({ pg: () => sql``, orElse: () => sql`WITHOUT ROWID` })
  yield* sql`ALTER TABLE mover_pipe ADD COLUMN objects_since INTEGER NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE mover_pipe ADD COLUMN lists INTEGER NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE mover_pipe ADD COLUMN listed_at DOUBLE PRECISION`
  yield* sql`CREATE TABLE mover_object (
    pipe_id TEXT NOT NULL REFERENCES mover_pipe (pipe_id) ON DELETE CASCADE,
    hash ${bytes} NOT NULL,
    etag ${bytes} NOT NULL,
    generation INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    PRIMARY KEY (pipe_id, hash)
  ) ${options}`
})

/** Which rows of a pending range are rejected, as bytes, and by which check. */
export const addRejected = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const bytes = sql.onDialectOrElse({ pg: () => sql`BYTEA`, orElse: () => sql`BLOB` })
  yield* sql`ALTER TABLE mover_range ADD COLUMN rejected ${bytes}`
  yield* sql`ALTER TABLE mover_range ADD COLUMN rejected_by TEXT`
})

/** How many rows a source planned for a pending range, and how many rows the done ranges of a pipe have delivered. */
export const addDelivered = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE mover_range ADD COLUMN planned_rows DOUBLE PRECISION`
  for (const column of ["delivered_rows", "rejected_rows"]) {
    yield* sql`ALTER TABLE mover_pipe ADD COLUMN ${sql(column)} DOUBLE PRECISION NOT NULL DEFAULT 0`
  }
})

/** The tables of the warehouse that a pipe has opened, and what tells each from another one of its name, as JSON. */
export const addTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE mover_pipe ADD COLUMN tables TEXT`
})

/**
 * How many bytes a source planned for a pending range, and how many the done ranges of a pipe have delivered: until now a mover counted
 * them, and kept the count with its metrics.
 *
 * And what a write of a range compares without a look at other rows: where the last recorded range of a partition is, and how many ranges
 * are pending. These columns are NULL while nobody knows it: of a new partition, and when a pipe is taken, because a server of the
 * version before writes ranges and leaves them as they are. The next write of the partition reads the ranges and sets them.
 */
export const extendLedger = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE mover_range ADD COLUMN planned_bytes DOUBLE PRECISION`
  yield* sql`ALTER TABLE mover_pipe ADD COLUMN delivered_bytes DOUBLE PRECISION NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE mover_partition ADD COLUMN recorded_from TEXT`
  yield* sql`ALTER TABLE mover_partition ADD COLUMN recorded_to TEXT`
  yield* sql`ALTER TABLE mover_partition ADD COLUMN pending_ranges INTEGER`
  // By its text in Postgres, which reads no JSON with NUL. The quotes of a text in it are escaped.
  const said = sql.onDialectOrElse({
    pg: () => sql.literal(`CAST(substring(metrics FROM '"bytes":([0-9]+)') AS DOUBLE PRECISION)`),
    orElse: () => sql.literal("CASE WHEN json_valid(metrics) THEN CAST(json_extract(metrics, '$.bytes') AS REAL) END")
  })
  yield* sql`
    UPDATE mover_pipe SET delivered_bytes = COALESCE(
      (SELECT ${said} FROM pipe_metrics WHERE pipe_metrics.pipe_id = mover_pipe.pipe_id), 0)`
})
