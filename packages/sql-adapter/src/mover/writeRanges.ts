import type { DeliveredRows, Owner, Range } from "@headgate/mover"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { groupCalls } from "../internal/groupCalls.ts"
import { bootTime } from "./bootClock.ts"

/** A range to record, or one that is done, with what it delivered. */
export interface RangeWrite {
  readonly owner: Owner
  readonly range: Range
  readonly done?: DeliveredRows
}

/** A write as the statement reads it. */
const rowOf = ({ done, owner, range }: RangeWrite) => {
  const { boot, seconds } = bootTime()
  return {
    pipe_id: owner.pipeId,
    epoch: owner.epoch,
    owner_id: owner.id,
    generation: range.generation,
    source: range.source,
    partition_id: range.partition,
    from_position: range.from,
    to_position: range.to,
    detail: range.detail,
    inserts_before: range.insertsBefore,
    planned_rows: range.rows,
    planned_bytes: range.bytes,
    boot,
    boot_seconds: seconds,
    is_done: done !== undefined,
    ...done
  }
}

const keyOf = ({ pipe_id, partition_id }: { readonly pipe_id: string; readonly partition_id: string }): string =>
  `${pipe_id} ${partition_id}`

/**
 * The statement that writes ranges of different partitions, in Postgres.
 *
 * What it waits for may have changed since it began, and only the rows that it locks or changes are read anew then. So every
 * condition is on such a row: the owner and the generation in the row of the pipe, the last recorded range and the number of pending ones in
 * that of the partition. The row of the pipe stays locked: nobody takes the pipe before what was written is committed.
 *
 * It accepts no more than `ledgerRules` do. It does not write all that they accept: not the first range of a partition after
 * the pipe was taken, and none as done beside which others of its partition are pending.
 */
const statement = (sql: SqlClient.SqlClient, writes: ReadonlyArray<RangeWrite>, whenLocked: Fragment) =>
  sql<{ readonly pipe_id: string; readonly partition_id: string; readonly written: boolean }>`
  WITH asked AS (
    SELECT * FROM json_to_recordset(CAST(${JSON.stringify(writes.map(rowOf))} AS JSON)) AS asked (
      pipe_id TEXT, epoch INTEGER, owner_id TEXT, generation INTEGER, source TEXT, partition_id TEXT, from_position TEXT,
      to_position TEXT, detail TEXT, inserts_before DOUBLE PRECISION, planned_rows DOUBLE PRECISION,
      planned_bytes DOUBLE PRECISION, boot TEXT, boot_seconds DOUBLE PRECISION, is_done BOOLEAN, rows DOUBLE PRECISION,
      rejected DOUBLE PRECISION, bytes DOUBLE PRECISION
    )
  ), owned AS MATERIALIZED (
    SELECT asked.* FROM asked CROSS JOIN LATERAL (
      SELECT FROM mover_pipe
      WHERE mover_pipe.pipe_id = asked.pipe_id
        AND mover_pipe.epoch = asked.epoch AND mover_pipe.owner_id = asked.owner_id
        AND mover_pipe.generation = asked.generation AND mover_pipe.source = asked.source
      FOR NO KEY UPDATE ${whenLocked}
    ) AS pipe
  ), recorded AS (
    UPDATE mover_partition
    SET recorded_from = owned.from_position, recorded_to = owned.to_position,
      pending_ranges = mover_partition.pending_ranges + 1
    FROM owned
    WHERE NOT owned.is_done
      AND mover_partition.pipe_id = owned.pipe_id AND mover_partition.partition_id = owned.partition_id
      AND mover_partition.recorded_to = owned.from_position
    RETURNING owned.*
  ), added AS (
    INSERT INTO mover_range
      (pipe_id, partition_id, from_position, to_position, detail, inserts_before, planned_rows, planned_bytes, boot,
        boot_seconds)
    SELECT pipe_id, partition_id, from_position, to_position, detail, inserts_before, planned_rows, planned_bytes, boot,
      boot_seconds
    FROM recorded
  ), done AS (
    UPDATE mover_partition
    SET done_to = owned.to_position, done_detail = mover_range.detail, pending_ranges = 0
    FROM owned JOIN mover_range
      ON mover_range.pipe_id = owned.pipe_id AND mover_range.partition_id = owned.partition_id
        AND mover_range.from_position = owned.from_position AND mover_range.to_position = owned.to_position
    WHERE owned.is_done
      AND mover_partition.pipe_id = owned.pipe_id AND mover_partition.partition_id = owned.partition_id
      AND mover_partition.recorded_from = owned.from_position AND mover_partition.recorded_to = owned.to_position
      AND mover_partition.pending_ranges = 1
    RETURNING owned.*, mover_range.seq
  ), removed AS (
    DELETE FROM mover_range USING done WHERE mover_range.seq = done.seq
  ), counted AS (
    UPDATE mover_pipe
    SET delivered_rows = delivered_rows + delivered.rows, rejected_rows = rejected_rows + delivered.rejected,
      delivered_bytes = delivered_bytes + delivered.bytes
    FROM (
      SELECT pipe_id, sum(rows) AS rows, sum(rejected) AS rejected, sum(bytes) AS bytes FROM done GROUP BY pipe_id
    ) AS delivered
    WHERE mover_pipe.pipe_id = delivered.pipe_id
  )
  SELECT pipe_id, partition_id, FALSE AS written FROM owned
  UNION ALL SELECT pipe_id, partition_id, TRUE FROM recorded
  UNION ALL SELECT pipe_id, partition_id, TRUE FROM done`

/**
 * Writes ranges of all pipes of a process, many by one statement, and answers for each whether it is written. `false`: it was refused, or the
 * statement cannot tell. Nothing was written of it then.
 */
export const writeRanges = (sql: SqlClient.SqlClient): ((write: RangeWrite) => Effect.Effect<boolean, SqlError>) => {
  const groups = (whenLocked: Fragment) =>
    groupCalls((writes: ReadonlyArray<RangeWrite>) =>
      Effect.map(statement(sql, writes, whenLocked), (rows) => {
        const written = new Set(rows.flatMap((row) => (row.written ? [keyOf(row)] : [])))
        return new Map(rows.map((row) => [keyOf(row), written.has(keyOf(row))]))
      })
    )
  // A pipe whose row somebody else has locked holds up none of the others. Its ranges wait for the lock together.
  const ofAll = groups(sql`SKIP LOCKED`)
  const locked = new Map<string, { calls: number; readonly write: ReturnType<typeof groups> }>()

  const waitForLock = (key: string, write: RangeWrite) => {
    const { pipeId } = write.owner
    return Effect.acquireUseRelease(
      Effect.sync(() => {
        const ofPipe = locked.get(pipeId) ?? { calls: 0, write: groups(sql``) }
        locked.set(pipeId, ofPipe)
        ofPipe.calls += 1
        return ofPipe
      }),
      (ofPipe) => ofPipe.write(key, write),
      (ofPipe) =>
        Effect.sync(() => {
          ofPipe.calls -= 1
          if (ofPipe.calls === 0) locked.delete(pipeId)
        })
    )
  }

  return Effect.fnUntraced(function* (write) {
    const key = keyOf({ pipe_id: write.owner.pipeId, partition_id: write.range.partition })
    return (yield* ofAll(key, write)) ?? (yield* waitForLock(key, write)) ?? false
  })
}
