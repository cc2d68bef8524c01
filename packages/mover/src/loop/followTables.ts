import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import type { Change, CopiedTable } from "../port/ChangeSource.ts"
import { WarehouseError } from "../range/MoveError.ts"
import { addDelivered, nothingDelivered, type Position } from "../range/Range.ts"
import { changesPartition, tableRounds } from "../rule/copyRounds.ts"
import { addChange, isFull, linesOf, newBatch } from "./ChangeBatch.ts"
import { recordChecks, warnOfColumns } from "./checkTables.ts"
import type { CopyContext } from "./CopyContext.ts"

/** Where changes are followed from. The source keeps them from before the first snapshot on. */
export const findStart = Effect.fnUntraced(function* ({ note, positions, rangeOf, source, state }: CopyContext) {
  const recorded = state.recorded.get(changesPartition)
  if (recorded === undefined) {
    const start = yield* source.begin
    yield* note(rangeOf(changesPartition, start))
    return start
  }
  const rounds = Array.from(tableRounds(positions))
  const copiedNames = rounds.flatMap(([name, { state: is }]) => (is === "copied" ? [name] : []))
  yield* source.resume(recorded, new Set(copiedNames))
  return recorded
})

/** Follows the changes of these tables from a position on. */
export const followTables = Effect.fnUntraced(function* (
  context: CopyContext,
  start: Position,
  all: ReadonlyArray<CopiedTable>
) {
  const { count, generation, ledger, note, options, owner, rangeOf, recover, source, tables } = context
  const { inFlight, limits } = options
  const feed = yield* source.follow(start, all)
  yield* recover
  const byName = new Map(all.map((table) => [table.name, table] as const))
  const tableOf = (name: string) => Effect.fromNullishOr(byName.get(name)).pipe(Effect.orDie)
  let at = start
  /** What was written since the position was recorded last. */
  let written = nothingDelivered
  /** Notices a warehouse that was restored from a backup meanwhile, before more rows are in it. */
  const checkLogged = Effect.gen(function* () {
    const logged = yield* tables.logged(options.pipeId)
    if (logged.generation === generation.generation && logged.positions.get(changesPartition) === at) return
    return yield* new WarehouseError({ message: `the warehouse is not where the pipe left it, at ${at}` })
  })
  const flush = Effect.fnUntraced(function* (batch: ReturnType<typeof newBatch>) {
    yield* ledger.check(owner)
    if (batch.changes > 0 || (batch.commit ?? at) !== at) yield* checkLogged
    const range = { ...rangeOf(changesPartition, batch.commit ?? at), from: at }
    if (batch.unknown.length > 0) yield* warnOfColumns(context, batch.unknown)
    yield* recordChecks(context, all, batch.checks)
    yield* Effect.forEach(
      batch.rows,
      ([name, rows]) =>
        Effect.flatMap(tableOf(name), (table) => tables.insert(table, Stream.fromIterable(linesOf(rows)))),
      { concurrency: inFlight, discard: true }
    )
    for (const [name, rows] of batch.rejected) yield* tables.insertRejected(range, yield* tableOf(name), rows)
    // Rows that follow a truncate have higher versions.
    for (const { table, version } of batch.truncates) yield* tables.deleteBelow(yield* tableOf(table), version)
    written = addDelivered(written, {
      rows: batch.rowCount,
      rejected: batch.changes - batch.rowCount,
      bytes: batch.bytes
    })
    if (range.to !== at) {
      yield* note(range, written)
      written = nothingDelivered
      at = range.to
      yield* feed.confirm(at)
    }
    yield* recover
    if (batch.changes > 0) yield* count(batch.rowCount, batch.bytes, batch.changes - batch.rowCount)
  })
  yield* feed.changes.pipe(
    Stream.aggregateWithin(
      Sink.reduceWhile(
        newBatch,
        (batch) => !isFull(batch, limits),
        (batch, changes: ReadonlyArray<Change>) => changes.reduce(addChange, batch)
      ),
      Schedule.spaced(limits.wait)
    ),
    Stream.runForEach(flush)
  )
}, Effect.scoped)
