import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import { ChangeSource } from "../port/ChangeSource.ts"
import { Ledger, type LedgerState } from "../port/Ledger.ts"
import { VersionedTables } from "../port/VersionedTables.ts"
import { deliveredOf } from "../range/Range.ts"
import { rejectedIn } from "../rule/copyPlan.ts"
import { isCopied, isTablePartition, positionsOf, tableRounds } from "../rule/copyRounds.ts"
import { acceptTables, checkTables, warnOfColumns } from "./checkTables.ts"
import { continueGeneration } from "./continueGeneration.ts"
import { type CopyOptions, finishRange, makeCopyContext } from "./CopyContext.ts"
import { copyTables } from "./copyTables.ts"
import { findStart, followTables } from "./followTables.ts"
import { forgetRemoved, planTables } from "./planTables.ts"
import { type Attempts, runAttempts } from "./runAttempts.ts"

const remedies = {
  otherSource: "To copy its tables: headgate pipe resync NAME",
  restored: "To copy the tables again: headgate pipe resync NAME"
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
  const { pipeId } = options
  const [source, tables, ledger] = [yield* ChangeSource, yield* VersionedTables, yield* Ledger]
  let { decision } = options

  const attempt = Effect.fnUntraced(function* (attempts: Attempts) {
    const owner = yield* attempts.take
    const identity = yield* source.identity
    const found = yield* source.tables
    const before = yield* ledger.state(pipeId)
    yield* attempts.reportDelivered(before.delivered)
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
    const begins = Effect.succeed(new Map<string, string>())
    const generation = yield* continueGeneration(ledger, owner, identity, before, logged, begins, remedies)
    // A range that is no plan is recorded when its rows are in the table.
    for (const { range } of before.pending) {
      if (isTablePartition(range.partition) && range.detail !== undefined) continue
      yield* finishRange(tables, ledger, owner, range, deliveredOf(range, rejectedIn(range.detail)))
    }
    const state: LedgerState = { ...(yield* ledger.state(pipeId)), current: generation }
    const context = makeCopyContext({ options, source, tables, ledger, owner, attempts, state, generation })

    if (left.length > 0) yield* warnOfColumns(context, left)
    const start = source.mode === "snapshot" ? "" : yield* findStart(context)
    yield* forgetRemoved(context, opened)
    const planned = yield* planTables(context, opened)
    const isAccepted = decision !== undefined && "acceptTable" in decision
    const { all, copying } = isAccepted ? yield* acceptTables(context, planned) : planned
    if (decision !== undefined) yield* options.decided ?? Effect.void
    // It does not hold for what happens to this mover later.
    decision = undefined
    // What was copied once and is not followed may change.
    const kept = source.mode === "snapshot" ? copying.map(({ table }) => table) : all
    const checked = yield* checkTables(context, kept, copying)
    yield* copyTables(context, copying)
    if (source.mode !== "snapshot") yield* followTables(context, start, checked)
  })

  return yield* runAttempts(options, attempt)
})
