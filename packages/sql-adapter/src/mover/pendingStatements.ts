import { type Ledger, ledgerRules, type Owner, type Range, type RecordedStaging, rowNumbers } from "@headgate/mover"
import * as Effect from "effect/Effect"
import { type LedgerContext, orRefuse } from "./LedgerContext.ts"
import { currentOf, rejectedOf, stagedText, toPending } from "./LedgerRow.ts"

/** The methods of the ledger about what is known of a pending range: its rejected rows, its staging, its detail. */
export const pendingStatements = ({ change, findRanges, inPartition, isRange, sql }: LedgerContext) => {
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
