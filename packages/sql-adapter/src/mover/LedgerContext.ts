import type { PipeId } from "@headgate/core"
import { LedgerError, ledgerRules, type Owner, type Range } from "@headgate/mover"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { orFailWith } from "../internal/outage.ts"
import { forNoKeyUpdate, writeTransaction } from "../internal/transaction.ts"
import { type PartitionRow, type PipeRow, type RangeRow } from "./LedgerRow.ts"
import { objectRecord } from "./objectRecord.ts"

export const orLedgerError = orFailWith(
  () => new LedgerError({ message: "the ledger's database does not answer at present" })
)

/** Fails with what a rule of the ledger refuses. */
export const orRefuse = <E>(refused: E | undefined): Effect.Effect<void, E> =>
  refused === undefined ? Effect.void : Effect.fail(refused)

/** What the statements of the ledger share. */
export const makeLedgerContext = (sql: SqlClient.SqlClient) => {
  const findPipe = (pipeId: PipeId, lock: Fragment = sql``) =>
    Effect.map(
      sql<PipeRow>`
        SELECT epoch, owner_id AS id, generation, source, failing_ms AS "failingMs",
          objects_since AS "objectsSince", lists, listed_at AS "listedAt",
          delivered_rows AS rows, rejected_rows AS rejected, delivered_bytes AS bytes, tables FROM mover_pipe
        WHERE pipe_id = ${pipeId} ${lock}`,
      ([row]) => row
    )
  return {
    sql,
    objectTable: objectRecord(sql),
    findPipe,
    findPartitions: (condition: Fragment) => sql<PartitionRow>`
      SELECT partition_id AS partition, starts_at AS start, done_to AS done, done_detail AS detail FROM mover_partition
      WHERE ${condition}`,
    findRanges: (condition: Fragment) => sql<RangeRow>`
      SELECT partition_id AS partition, from_position AS "from", to_position AS "to", detail,
        inserts_before AS "insertsBefore", planned_rows AS rows, planned_bytes AS bytes, staged, rejected,
        rejected_by AS "checkedBy", boot, boot_seconds AS seconds
      FROM mover_range WHERE ${condition} ORDER BY seq`,
    inPartition: ({ partition, pipeId }: Range) => sql`pipe_id = ${pipeId} AND partition_id = ${partition}`,
    isRange: ({ from, partition, pipeId, to }: Range) =>
      sql`pipe_id = ${pipeId} AND partition_id = ${partition} AND from_position = ${from} AND to_position = ${to}`,
    /** Changes what an owner has, in one transaction that excludes other changes of the pipe. */
    change: <E>(owner: Owner, change: (row: PipeRow | undefined) => Effect.Effect<void, E>) =>
      orLedgerError(
        writeTransaction(sql)(
          Effect.gen(function* () {
            const row = yield* findPipe(owner.pipeId, forNoKeyUpdate(sql))
            yield* orRefuse(ledgerRules.owner(row, owner))
            yield* change(row)
          })
        )
      )
  }
}

export type LedgerContext = ReturnType<typeof makeLedgerContext>
