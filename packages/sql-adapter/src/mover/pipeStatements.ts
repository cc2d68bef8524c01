import { PipeId } from "@headgate/core"
import { type DeliveredRows, type Ledger, LedgerError, ledgerRules } from "@headgate/mover"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as SecureRandom from "effect/crypto/SecureRandom"
import { inChunks } from "../internal/inChunks.ts"
import { forKeyShare, readTransaction, writeTransaction } from "../internal/transaction.ts"
import { type LedgerContext, orLedgerError, orRefuse } from "./LedgerContext.ts"
import { currentOf, encodeTables, toState } from "./LedgerRow.ts"

/** The methods of the ledger about a pipe as a whole: its owner, its generation, its tables. */
export const pipeStatements = (
  { change, findPartitions, findPipe, findRanges, objectTable, sql }: LedgerContext,
  random: SecureRandom.SecureRandom["Service"]
) =>
  ({
    take: Effect.fn("SqlLedger.take")(function* (pipeId) {
      const id = yield* random.uuidV4()
      const taken = sql<{ readonly epoch: number }>`
      INSERT INTO mover_pipe (pipe_id, epoch, owner_id)
      SELECT id, 1, CAST(${id} AS TEXT) FROM pipe WHERE id = ${pipeId} ${forKeyShare(sql)}
      ON CONFLICT (pipe_id) DO UPDATE SET epoch = mover_pipe.epoch + 1, owner_id = excluded.owner_id
      RETURNING epoch`
      // After the epoch, which the owner before cannot write any more: it may be of the version before.
      const forgotten = sql`
      UPDATE mover_partition SET recorded_from = NULL, recorded_to = NULL, pending_ranges = NULL
      WHERE pipe_id = ${pipeId}`
      const [row] = yield* orLedgerError(writeTransaction(sql)(Effect.tap(taken, forgotten)))
      if (row === undefined) return yield* new LedgerError({ message: `there is no pipe ${pipeId}` })
      return { pipeId, epoch: row.epoch, id }
    }),

    check: Effect.fn("SqlLedger.check")(function* (owner) {
      yield* orRefuse(ledgerRules.owner(yield* orLedgerError(findPipe(owner.pipeId)), owner))
    }),

    state: Effect.fn("SqlLedger.state")(function* (pipeId) {
      const read = Effect.gen(function* () {
        const row = yield* findPipe(pipeId)
        const ofPipe = sql`pipe_id = ${pipeId}`
        return toState(pipeId, row, yield* findPartitions(ofPipe), yield* findRanges(ofPipe))
      })
      return yield* orLedgerError(readTransaction(sql)(read))
    }),

    delivered: Effect.fn("SqlLedger.delivered")(function* (pipeIds) {
      const rows = yield* orLedgerError(
        inChunks(
          pipeIds,
          (ids) => sql<DeliveredRows & { readonly pipeId: string }>`
            SELECT pipe_id AS "pipeId", delivered_rows AS rows, rejected_rows AS rejected, delivered_bytes AS bytes
            FROM mover_pipe
            WHERE pipe_id IN ${sql.in(ids)} AND generation > 0`
        )
      )
      return new Map(rows.map(({ pipeId, ...delivered }) => [PipeId.make(pipeId), delivered]))
    }),

    begin: Effect.fn("SqlLedger.begin")(function* (owner, next, { anew = false, objects } = {}) {
      const { pipeId } = owner
      yield* change(
        owner,
        Effect.fnUntraced(function* (row) {
          yield* orRefuse(ledgerRules.begin(currentOf(row), next))
          for (const table of ["mover_range", "mover_partition"]) {
            yield* sql`DELETE FROM ${sql(table)} WHERE pipe_id = ${pipeId}`
          }
          yield* sql`
          UPDATE mover_pipe SET generation = ${next.generation}, source = ${next.source},
            objects_since = ${next.objectsSince ?? next.generation}
          WHERE pipe_id = ${pipeId}`
          if (anew) {
            yield* sql`
            UPDATE mover_pipe SET earlier_rows = earlier_rows + delivered_rows,
              earlier_rejected = earlier_rejected + rejected_rows, earlier_bytes = earlier_bytes + delivered_bytes,
              delivered_rows = 0, rejected_rows = 0, delivered_bytes = 0, tables = NULL
            WHERE pipe_id = ${pipeId}`
          }
          if (objects === "restored") yield* objectTable.forgetOthers(pipeId, next.generation)
          else if (next.objectsSince === undefined) yield* objectTable.forgetOthers(pipeId)
          for (const [partition, start] of next.starts) {
            yield* sql`
            INSERT INTO mover_partition (pipe_id, partition_id, starts_at) VALUES (${pipeId}, ${partition}, ${start})`
          }
        })
      )
    }),

    recordTables: Effect.fn("SqlLedger.recordTables")(function* (owner, tables) {
      const text = encodeTables(Object.fromEntries(tables))
      yield* change(owner, () => sql`UPDATE mover_pipe SET tables = ${text} WHERE pipe_id = ${owner.pipeId}`)
    }),

    markFailing: Effect.fn("SqlLedger.markFailing")(function* (owner, failingFor) {
      const milliseconds = Duration.toMillis(failingFor)
      yield* change(
        owner,
        () => sql`UPDATE mover_pipe SET failing_ms = ${milliseconds} WHERE pipe_id = ${owner.pipeId}`
      )
    })
  }) satisfies Partial<Ledger["Service"]>
