import { type Delivered, type Ledger, ledgerRules, type Owner, type Range } from "@headgate/mover"
import * as Effect from "effect/Effect"
import { isOutage } from "../internal/outage.ts"
import { bootTime } from "./bootClock.ts"
import { type LedgerContext, orLedgerError, orRefuse } from "./LedgerContext.ts"
import { currentOf } from "./LedgerRow.ts"
import { type RangeWrite, writeRanges } from "./writeRanges.ts"

/** The methods of the ledger that record ranges and mark them as done. */
export const rangeStatements = (context: LedgerContext) => {
  const { change, findPartitions, findRanges, inPartition, isRange, objectTable, sql } = context
  /** Writes a range if one statement can, and answers whether it did. What that statement refuses, a transaction writes or explains. */
  const writeTogether = sql.onDialectOrElse({
    pg: () => {
      const write = writeRanges(sql)
      return (range: RangeWrite) =>
        orLedgerError(
          // Postgres has refused the statement, because of another range perhaps, and has written nothing.
          Effect.catchIf(
            write(range),
            (error) => !isOutage(error),
            () => Effect.succeed(false)
          )
        )
    },
    // Its statements are in this process, and it commits writes together by itself.
    orElse: () => () => Effect.succeed(false)
  })
  const recordAlone = (owner: Owner, range: Range) =>
    change(
      owner,
      Effect.fnUntraced(function* (row) {
        const { bytes = null, detail = null, from, insertsBefore = null, partition, pipeId, rows = null, to } = range
        const [known] = yield* findPartitions(inPartition(range))
        const pending = yield* findRanges(inPartition(range))
        const last = pending.at(-1)?.to ?? known?.done ?? known?.start ?? undefined
        yield* orRefuse(ledgerRules.record(currentOf(row), last, range))
        const { boot, seconds } = bootTime()
        yield* sql`
        INSERT INTO mover_range
          (pipe_id, partition_id, from_position, to_position, detail, inserts_before, planned_rows, planned_bytes, boot,
            boot_seconds)
        VALUES (${pipeId}, ${partition}, ${from}, ${to}, ${detail}, ${insertsBefore}, ${rows}, ${bytes}, ${boot}, ${seconds})`
        yield* sql`
        INSERT INTO mover_partition (pipe_id, partition_id, recorded_from, recorded_to, pending_ranges)
        VALUES (${pipeId}, ${partition}, ${from}, ${to}, ${pending.length + 1})
        ON CONFLICT (pipe_id, partition_id) DO UPDATE SET recorded_from = excluded.recorded_from,
          recorded_to = excluded.recorded_to, pending_ranges = excluded.pending_ranges`
      })
    )
  const markDoneAlone = (owner: Owner, range: Range, { objects = [], ...delivered }: Delivered) =>
    change(
      owner,
      Effect.fnUntraced(function* (row) {
        const { partition, pipeId, to } = range
        const [oldest, ...pending] = yield* findRanges(inPartition(range))
        const [known] = yield* findPartitions(inPartition(range))
        const found = ledgerRules.done(currentOf(row), { oldest, done: known?.done ?? undefined }, range)
        if (found === "done") return
        if (found !== "pending") return yield* found
        yield* sql`DELETE FROM mover_range WHERE ${isRange(range)}`
        // The list that goes on may have passed them.
        yield* objectTable.add(pipeId, objects, range.generation, (row?.lists ?? 0) + 1)
        yield* sql`
        UPDATE mover_pipe
        SET delivered_rows = delivered_rows + ${delivered.rows}, rejected_rows = rejected_rows + ${delivered.rejected},
          delivered_bytes = delivered_bytes + ${delivered.bytes}
        WHERE pipe_id = ${pipeId}`
        const last = pending.at(-1) ?? range
        yield* sql`
        INSERT INTO mover_partition
          (pipe_id, partition_id, done_to, done_detail, recorded_from, recorded_to, pending_ranges)
        VALUES (${pipeId}, ${partition}, ${to}, ${oldest?.detail ?? null}, ${last.from}, ${last.to}, ${pending.length})
        ON CONFLICT (pipe_id, partition_id) DO UPDATE SET done_to = excluded.done_to, done_detail = excluded.done_detail,
          recorded_from = excluded.recorded_from, recorded_to = excluded.recorded_to,
          pending_ranges = excluded.pending_ranges`
      })
    )
  return {
    record: Effect.fn("SqlLedger.record")(function* (owner, range) {
      if (!(yield* writeTogether({ owner, range }))) yield* recordAlone(owner, range)
    }),

    markDone: Effect.fn("SqlLedger.markDone")(function* (owner, range, { objects = [], ...done }) {
      const isWritten = objects.length === 0 && (yield* writeTogether({ owner, range, done }))
      if (!isWritten) yield* markDoneAlone(owner, range, { ...done, objects })
    })
  } satisfies Partial<Ledger["Service"]>
}
