import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import {
  type Change,
  ChangeSource,
  type CopiedTable,
  type SourceTable,
  type TableSnapshot
} from "../port/ChangeSource.ts"
import { Ledger, type LedgerState, type Owner } from "../port/Ledger.ts"
import type { RangeLimits } from "../port/Source.ts"
import { VersionedTables } from "../port/VersionedTables.ts"
import { CannotContinue } from "../range/MoveError.ts"
import { addDelivered, nothingDelivered, type Position, type Range } from "../range/Range.ts"
import {
  baseOf,
  changesPartition,
  copied,
  isCopied,
  mostRounds,
  nextRound,
  partPartition,
  positionsOf,
  removed,
  roundOfVersion,
  tablePartition,
  tableRounds
} from "../rule/copyRounds.ts"
import { addUnknownFields } from "../range/unknownFields.ts"
import { addChange, isFull, linesOf, newBatch, type UnknownColumn } from "./ChangeBatch.ts"
import { continueGeneration } from "./continueGeneration.ts"
import { type Attempts, type MoverOptions, runAttempts } from "./runAttempts.ts"
import { wholeRows } from "./wholeRows.ts"

/** What {@link copyPipe} copies, and how much at once. */
export interface CopyOptions extends MoverOptions {
  /** The most that one insert holds, and for how long changes wait for more of them. */
  readonly limits: RangeLimits
  /** Parts of a snapshot that are read and inserted at the same time. Memory is bounded by this times twice `limits.bytes`. */
  readonly inFlight: number
  /** Parts of one table that are read at the same time, and tables that are: fewer than `inFlight` allows. */
  readonly partsAtOnce?: number
  readonly tablesAtOnce?: number
}

/** A table that is being copied, with the parts of its snapshot that are left. `plan` is pending in the ledger. */
interface Copying {
  readonly table: CopiedTable
  readonly round: number
  readonly plan: Range
  readonly parts: ReadonlyArray<readonly [number, string]>
}

const unfitAtOnce = 1000

const remedies = {
  otherSource: "To copy its tables: headgate pipe resync NAME",
  restored: "To copy the tables again: headgate pipe resync NAME"
}

// Sources choose the names of columns. Those beyond are counted among the unknown fields.
const mostWarnings = 20

// The ledger keeps what this module wrote.
const partsOf = (plan: Range): ReadonlyArray<string> => {
  const parts: ReadonlyArray<string> = JSON.parse(plan.detail ?? "[]")
  return parts
}

/**
 * Owns a pipe that copies tables of a database and follows their changes. It ends when a pipe without changes has copied all,
 * when the pipe is Failed, or when another mover takes the pipe.
 *
 * Every step may be the last, and nothing is ever wrong when it is done twice: rows have versions. What is kept in the ledger
 * are the parts of the snapshot that are done and the position up to which changes are in the tables, which is recorded before
 * the source may forget them.
 *
 * @example
 * ```ts
 * import { PipeId } from "@headgate/core"
 * import { copyPipe } from "@headgate/mover"
 * import * as Duration from "effect/Duration"
 * import * as Effect from "effect/Effect"
 *
 * export const copied = copyPipe({
 *   pipeId: PipeId.make("b1be0000-0000-4000-8000-000000000001"),
 *   limits: { rows: 100_000, bytes: 16_000_000, wait: Duration.seconds(5) },
 *   inFlight: 4,
 *   report: ({ state }) => Effect.log(state)
 * })
 * ```
 */
export const copyPipe = Effect.fn("copyPipe")(function* (options: CopyOptions) {
  const { inFlight, limits, partsAtOnce = inFlight, pipeId, tablesAtOnce = inFlight } = options
  const slots = Semaphore.makeUnsafe(inFlight)
  const [source, tables, ledger] = [yield* ChangeSource, yield* VersionedTables, yield* Ledger]
  let { decision } = options

  const forgetDecision = Effect.gen(function* () {
    if (decision === undefined) return
    yield* options.decided ?? Effect.void
    // It does not hold for what happens to this mover later.
    decision = undefined
  })

  const finish = Effect.fnUntraced(function* (owner: Owner, range: Range, delivered = nothingDelivered) {
    yield* tables.log(range)
    yield* ledger.markDone(owner, range, delivered)
  })
  const note = Effect.fnUntraced(function* (owner: Owner, range: Range, delivered = nothingDelivered) {
    yield* ledger.record(owner, { ...range, rows: delivered.rows })
    yield* finish(owner, range, delivered)
  })

  const attempt = Effect.fnUntraced(function* ({ recover, report, reportDelivered, take }: Attempts) {
    const owner = yield* take
    const identity = yield* source.identity
    const found = yield* source.tables
    const before = yield* ledger.state(pipeId)
    yield* reportDelivered(before.delivered)
    const known = tableRounds(positionsOf(before))
    const opened = yield* tables.open(
      pipeId,
      found.map((table) => ({ ...table, isNew: !isCopied(known.get(table.name), table) })),
      decision === undefined ? before.tables : undefined
    )
    const targets = new Map(opened.flatMap(({ knownBy, target }) => (knownBy === undefined ? [] : [[target, knownBy]])))
    if (!Equal.equals(targets, before.tables)) yield* ledger.recordTables(owner, targets)
    const left = found.flatMap(({ columns, name }, index) => {
      const has = new Set(opened[index]?.columns.map((column) => column.name))
      return columns.flatMap((column) => (has.has(column.name) ? [] : [{ table: name, column: column.name }]))
    })
    const logged = yield* tables.logged(pipeId)
    const generation = yield* continueGeneration(
      ledger,
      owner,
      identity,
      before,
      logged,
      Effect.succeed(new Map()),
      remedies
    )
    // A range without a detail is recorded when its rows are in the table.
    for (const { range } of before.pending)
      if (range.detail === undefined) yield* finish(owner, range, { rows: range.rows ?? 0, rejected: 0 })
    const state: LedgerState = { ...(yield* ledger.state(pipeId)), current: generation }
    /** Where each partition stands. It is kept true for the partitions of tables. */
    const positions = new Map(positionsOf(state))

    const rangeOf = (partition: string, to: Position): Range => ({
      pipeId,
      generation: generation.generation,
      source: identity,
      partition,
      from: positions.get(partition) ?? "",
      to
    })
    /** Columns of the source that are left out are unknown fields, and warnings that say what to do. */
    const warnOfColumns = (columns: ReadonlyArray<UnknownColumn>) =>
      report(({ unknownFields, warnings }) => {
        const said = columns.map(
          ({ column, table }) =>
            `column ${column} of ${table} is not copied: its target has no such column. A resync adds it, or says what to run`
        )
        return {
          unknownFields: addUnknownFields(
            unknownFields,
            new Map(columns.map(({ column, table }) => [`${table}.${column}`, undefined]))
          ),
          warnings: Array.from(new Set([...warnings, ...said])).slice(0, mostWarnings)
        }
      })
    const count = (rows: number, bytes: number, badRows: number) =>
      report((status) => ({
        ranges: status.ranges + 1,
        rows: status.rows + rows,
        bytes: status.bytes + bytes,
        badRows: status.badRows + badRows,
        delivered: addDelivered(status.delivered ?? nothingDelivered, { rows, rejected: badRows })
      }))

    /** Where changes are followed from. The source keeps them from before the first snapshot on. */
    const findStart = Effect.gen(function* () {
      const recorded = state.recorded.get(changesPartition)
      if (recorded === undefined) {
        const start = yield* source.begin
        yield* note(owner, rangeOf(changesPartition, start))
        return start
      }
      const rounds = Array.from(tableRounds(positions))
      const copiedNames = rounds.flatMap(([name, { state: is }]) => (is === "copied" ? [name] : []))
      yield* source.resume(recorded, new Set(copiedNames))
      return recorded
    })

    /** The plan of a snapshot that is not done. */
    const pendingPlan = (name: string) =>
      state.pending.find(({ range }) => range.partition === tablePartition(name))?.range

    /** Tables that the pipe has copied, and no longer names, or names with another target. */
    const forgetRemoved = Effect.gen(function* () {
      for (const [name, recorded] of tableRounds(positions)) {
        const table = opened.find((each) => each.name === name)
        if (recorded.state === "removed" || (table !== undefined && isCopied(recorded, table))) continue
        const plan = pendingPlan(name)
        if (plan !== undefined) yield* finish(owner, plan)
        const range = rangeOf(tablePartition(name), removed(recorded.round, recorded.target))
        yield* note(owner, range)
        positions.set(range.partition, range.to)
      }
    })

    const planCopy = Effect.fnUntraced(function* (table: SourceTable, round: number) {
      const parts = source.mode === "changes" ? [] : yield* source.split(table)
      const range = rangeOf(tablePartition(table.name), copied(round, table.target))
      const plan: Range = { ...range, detail: JSON.stringify(parts) }
      yield* ledger.record(owner, plan)
      return plan
    })

    /** The tables with their rounds, and those whose snapshot is not done. */
    const planTables = Effect.gen(function* () {
      const all: Array<CopiedTable> = []
      const copying: Array<Copying> = []
      const rounds = tableRounds(positions)
      for (const each of opened) {
        const recorded = rounds.get(each.name)
        const isKnown = isCopied(recorded, each)
        const isFilled = each.lastVersion !== undefined
        if (isFilled && recorded?.target !== each.target && source.mode !== "changes") {
          return yield* new CannotContinue({
            message: `the table ${each.target} holds rows from before this pipe. Name another targetTable, or let those of the source replace them: headgate pipe resync NAME`
          })
        }
        const round = isKnown
          ? recorded.round
          : Math.max(nextRound(positions), isFilled ? 1 + roundOfVersion(each.lastVersion) : 0)
        if (round > mostRounds) {
          return yield* new CannotContinue({
            message: `the table ${each.target} holds the highest versions that there are: name another targetTable`
          })
        }
        const table: CopiedTable = { ...each, base: baseOf(round) }
        all.push(table)
        const plan = isKnown ? pendingPlan(each.name) : yield* planCopy(each, round)
        if (plan === undefined) continue
        const parts = partsOf(plan)
          .map((part, index) => [index, part] as const)
          .filter(([index]) => state.done.get(partPartition(each.name, index)) !== copied(round, each.target))
        copying.push({ table, round, plan, parts })
      }
      return { all, copying }
    })

    const copyPart = Effect.fnUntraced(function* (
      snapshot: TableSnapshot,
      { round, table }: Copying,
      index: number,
      part: string
    ) {
      const range = rangeOf(partPartition(table.name, index), copied(round, table.target))
      let delivered = nothingDelivered
      yield* Stream.runForEach(
        wholeRows(snapshot.read(table, part), limits.bytes),
        Effect.fnUntraced(function* ({ bytes, chunks, rows }) {
          yield* ledger.check(owner)
          yield* tables.insert(table, Stream.fromArray(chunks))
          yield* recover(owner, "exactly once")
          yield* count(rows, bytes, 0)
          delivered = addDelivered(delivered, { rows, rejected: 0 })
        })
      )
      yield* Stream.runForEach(
        Stream.rechunk(snapshot.readBad(table, part), unfitAtOnce).pipe(Stream.chunks),
        Effect.fnUntraced(function* (rows) {
          yield* ledger.check(owner)
          yield* tables.insertUnfit(range, table, rows)
          yield* count(0, 0, rows.length)
          delivered = addDelivered(delivered, { rows: 0, rejected: rows.length })
        })
      )
      yield* note(owner, range, delivered)
    })

    const copyTables = Effect.fnUntraced(function* (copying: ReadonlyArray<Copying>) {
      if (copying.some(({ parts }) => parts.length > 0)) {
        const snapshot = yield* source.snapshot
        const copyTable = (each: Copying) =>
          Effect.forEach(each.parts, ([index, part]) => slots.withPermit(copyPart(snapshot, each, index, part)), {
            concurrency: partsAtOnce,
            discard: true
          })
        yield* Effect.forEach(copying, copyTable, { concurrency: tablesAtOnce, discard: true })
      }
      for (const { plan, table } of copying) {
        yield* ledger.check(owner)
        // What an earlier round left, and this snapshot does not hold.
        if (table.base > 0n && source.mode !== "changes") yield* tables.deleteBelow(table, table.base - 1n)
        yield* finish(owner, plan)
      }
    }, Effect.scoped)

    const followChanges = Effect.fnUntraced(function* (start: Position, all: ReadonlyArray<CopiedTable>) {
      const feed = yield* source.follow(start, all)
      yield* recover(owner, "exactly once")
      const byName = new Map(all.map((table) => [table.name, table] as const))
      const tableOf = (name: string) => Effect.fromNullishOr(byName.get(name)).pipe(Effect.orDie)
      let at = start
      /** What was written since the position was recorded last. */
      let written = nothingDelivered
      const flush = Effect.fnUntraced(function* (batch: ReturnType<typeof newBatch>) {
        yield* ledger.check(owner)
        const range = { ...rangeOf(changesPartition, batch.commit ?? at), from: at }
        if (batch.unknown.length > 0) yield* warnOfColumns(batch.unknown)
        yield* Effect.forEach(
          batch.rows,
          ([name, rows]) =>
            Effect.flatMap(tableOf(name), (table) => tables.insert(table, Stream.fromIterable(linesOf(rows)))),
          { concurrency: inFlight, discard: true }
        )
        for (const [name, rows] of batch.unfit) yield* tables.insertUnfit(range, yield* tableOf(name), rows)
        // Rows that follow a truncate have higher versions.
        for (const { table, version } of batch.truncates) yield* tables.deleteBelow(yield* tableOf(table), version)
        written = addDelivered(written, { rows: batch.rowCount, rejected: batch.changes - batch.rowCount })
        if (range.to !== at) {
          yield* note(owner, range, written)
          written = nothingDelivered
          at = range.to
          yield* feed.confirm(at)
        }
        yield* recover(owner, "exactly once")
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

    if (left.length > 0) yield* warnOfColumns(left)
    const start = source.mode === "snapshot" ? "" : yield* findStart
    yield* forgetRemoved
    const { all, copying } = yield* planTables
    yield* forgetDecision
    yield* copyTables(copying)
    if (source.mode !== "snapshot") yield* followChanges(start, all)
  })

  return yield* runAttempts(options, attempt)
})
