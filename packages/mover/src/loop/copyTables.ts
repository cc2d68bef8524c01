import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type { TableSnapshot } from "../port/ChangeSource.ts"
import { addDelivered, nothingDelivered } from "../range/Range.ts"
import { copied, partPartition } from "../rule/copyRounds.ts"
import { reportChecks } from "./checkTables.ts"
import type { CopyContext, Copying } from "./CopyContext.ts"
import { splitAtRows } from "./splitAtRows.ts"

const rejectedAtOnce = 1000

const copyPart = Effect.fnUntraced(function* (
  { count, ledger, note, options, owner, rangeOf, recover, tables }: CopyContext,
  snapshot: TableSnapshot,
  { round, table }: Copying,
  index: number,
  part: string
) {
  const range = rangeOf(partPartition(table.name, index), copied(round, table.target))
  let delivered = nothingDelivered
  yield* Stream.runForEach(
    splitAtRows(snapshot.read(table, part), options.limits.bytes),
    Effect.fnUntraced(function* ({ bytes, chunks, rows }) {
      yield* ledger.check(owner)
      yield* tables.insert(table, Stream.fromArray(chunks))
      yield* recover
      yield* count(rows, bytes, 0)
      delivered = addDelivered(delivered, { rows, rejected: 0, bytes })
    })
  )
  yield* Stream.runForEach(
    Stream.rechunk(snapshot.readRejected(table, part), rejectedAtOnce).pipe(Stream.chunks),
    Effect.fnUntraced(function* (rows) {
      yield* ledger.check(owner)
      yield* tables.insertRejected(range, table, rows)
      yield* count(0, 0, rows.length)
      delivered = addDelivered(delivered, { ...nothingDelivered, rejected: rows.length })
    })
  )
  yield* note(range, delivered)
})

/** Copies what is left of these tables, in one snapshot. */
export const copyTables = Effect.fnUntraced(function* (context: CopyContext, copying: ReadonlyArray<Copying>) {
  const { finish, ledger, options, owner, source, tables } = context
  const { inFlight, partsAtOnce = inFlight, tablesAtOnce = inFlight } = options
  const slots = yield* Semaphore.make(inFlight)
  if (copying.some(({ parts }) => parts.length > 0)) {
    const snapshot = yield* source.snapshot
    const copyTable = (each: Copying) =>
      Effect.forEach(each.parts, ([index, part]) => slots.withPermit(copyPart(context, snapshot, each, index, part)), {
        concurrency: partsAtOnce,
        discard: true
      })
    yield* Effect.forEach(copying, copyTable, { concurrency: tablesAtOnce, discard: true })
    // They may have changed before the snapshot was taken.
    yield* reportChecks(context, yield* source.check(copying.map(({ table }) => table)))
  }
  for (const { plan, table } of copying) {
    yield* ledger.check(owner)
    // What an earlier round left, and this snapshot does not hold.
    if (table.base > 0n && source.mode !== "changes") yield* tables.deleteBelow(table, table.base - 1n)
    yield* finish(plan)
  }
}, Effect.scoped)
