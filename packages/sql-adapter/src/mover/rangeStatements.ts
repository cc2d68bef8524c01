import { type Ledger, ledgerRules, type Owner, type Range, type RecordedStaging, rowNumbers } from "@headgate/mover"
import * as Effect from "effect/Effect"
import { bootTime } from "./bootClock.ts"
import { type LedgerContext, orRefuse } from "./LedgerContext.ts"
import { currentOf, rejectedOf, stagedText, toPending } from "./LedgerRow.ts"

/** The methods of the ledger about ranges. */
export const rangeStatements = (context: LedgerContext) => {
  const { change, findPartitions, findRanges, objectTable, sql } = context
  const inPartition = ({ partition, pipeId }: Range) => sql`pipe_id = ${pipeId} AND partition_id = ${partition}`
  const isRange = ({ from, partition, pipeId, to }: Range) =>
    sql`pipe_id = ${pipeId} AND partition_id = ${partition} AND from_position = ${from} AND to_position = ${to}`
  const setStaged = (range: Range, staged: RecordedStaging) =>
    sql`UPDATE mover_range SET staged = ${stagedText(staged)} WHERE ${isRange(range)}`
  const changeStaged = (
    owner: Owner,
    range: Range,
    part: string,
    changed: (staged: RecordedStaging) => RecordedStaging
  ) =>
    change(
      owner,
      Effect.fnUntraced(function* (row) {
        const [oldest] = (yield* findRanges(inPartition(range))).map(toPending)
        yield* orRefuse(ledgerRules.moved(currentOf(row), oldest, range, part))
        if (oldest?.staged !== undefined) yield* setStaged(range, changed(oldest.staged))
      })
    )
  return {
    record: Effect.fn("SqlLedger.record")(function* (owner, range) {
      const { bytes = null, detail = null, from, insertsBefore = null, partition, pipeId, rows = null, to } = range
      yield* change(
        owner,
        Effect.fnUntraced(function* (row) {
          const [known] = yield* findPartitions(inPartition(range))
          const last = (yield* findRanges(inPartition(range))).at(-1)?.to ?? known?.done ?? known?.start ?? undefined
          yield* orRefuse(ledgerRules.record(currentOf(row), last, range))
          const { boot, seconds } = bootTime()
          yield* sql`
          INSERT INTO mover_range
            (pipe_id, partition_id, from_position, to_position, detail, inserts_before, planned_rows, planned_bytes, boot,
              boot_seconds)
          VALUES (${pipeId}, ${partition}, ${from}, ${to}, ${detail}, ${insertsBefore}, ${rows}, ${bytes}, ${boot}, ${seconds})`
        })
      )
    }),

    recordRejected: Effect.fn("SqlLedger.recordRejected")(function* (owner, range, rejected) {
      yield* change(
        owner,
        Effect.fnUntraced(function* (row) {
          const pending = (yield* findRanges(inPartition(range))).find(({ from }) => from === range.from)
          const found = pending && { from: pending.from, to: pending.to, ...rejectedOf(pending) }
          yield* orRefuse(ledgerRules.rejected(currentOf(row), found, range, rejected))
          yield* sql`
          UPDATE mover_range SET rejected = ${rowNumbers.encode(rejected.rows)}, rejected_by = ${rejected.checkedBy}
          WHERE ${isRange(range)}`
        })
      )
    }),

    markDone: Effect.fn("SqlLedger.markDone")(function* (owner, range, { objects = [], ...delivered }) {
      const { partition, pipeId, to } = range
      yield* change(
        owner,
        Effect.fnUntraced(function* (row) {
          const [oldest] = yield* findRanges(inPartition(range))
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
          yield* sql`
          INSERT INTO mover_partition (pipe_id, partition_id, done_to, done_detail)
          VALUES (${pipeId}, ${partition}, ${to}, ${oldest?.detail ?? null})
          ON CONFLICT (pipe_id, partition_id)
          DO UPDATE SET done_to = excluded.done_to, done_detail = excluded.done_detail`
        })
      )
    }),

    recordStaged: Effect.fn("SqlLedger.recordStaged")(function* (owner, range, staged) {
      yield* change(
        owner,
        Effect.fnUntraced(function* (row) {
          const [oldest] = (yield* findRanges(inPartition(range))).map(toPending)
          yield* orRefuse(ledgerRules.staged(currentOf(row), oldest, range, staged))
          yield* setStaged(range, { moved: new Set(), moving: new Map(), ...oldest?.staged, ...staged })
        })
      )
    }),

    markMoving: Effect.fn("SqlLedger.markMoving")(function* (owner, range, part, before) {
      yield* changeStaged(owner, range, part, (staged) => ({
        ...staged,
        moving: new Map([...staged.moving, [part, before]])
      }))
    }),

    markMoved: Effect.fn("SqlLedger.markMoved")(function* (owner, range, part) {
      yield* changeStaged(owner, range, part, (staged) => ({ ...staged, moved: new Set([...staged.moved, part]) }))
    }),

    recordNarrowed: Effect.fn("SqlLedger.recordNarrowed")(function* (owner, range, detail) {
      yield* change(
        owner,
        Effect.fnUntraced(function* (row) {
          const pending = (yield* findRanges(inPartition(range))).find(({ from }) => from === range.from)
          yield* orRefuse(ledgerRules.narrowed(currentOf(row), pending && toPending(pending), range))
          yield* sql`UPDATE mover_range SET detail = ${detail} WHERE ${isRange(range)}`
        })
      )
    })
  } satisfies Partial<Ledger["Service"]>
}
