import * as Effect from "effect/Effect"
import type { CopiedTable, SourceTable } from "../port/ChangeSource.ts"
import type { OpenTable } from "../port/VersionedTables.ts"
import { CannotContinue } from "../range/MoveError.ts"
import type { Range } from "../range/Range.ts"
import { planOf, planText } from "../rule/copyPlan.ts"
import {
  baseOf,
  copied,
  isCopied,
  mostRounds,
  nextRound,
  partPartition,
  removed,
  roundOfVersion,
  tablePartition,
  tableRounds
} from "../rule/copyRounds.ts"
import type { CopyContext, Copying } from "./CopyContext.ts"

/** The plan of a snapshot that is not done. */
const pendingPlan = ({ state }: CopyContext, name: string): Range | undefined =>
  state.pending.find(({ range }) => range.partition === tablePartition(name))?.range

/** Records the tables that the pipe has copied, and no longer names, or names with another target. */
export const forgetRemoved = Effect.fnUntraced(function* (context: CopyContext, opened: ReadonlyArray<SourceTable>) {
  const { finish, note, positions, rangeOf } = context
  for (const [name, recorded] of tableRounds(positions)) {
    const table = opened.find((each) => each.name === name)
    if (recorded.state === "removed" || (table !== undefined && isCopied(recorded, table))) continue
    const plan = pendingPlan(context, name)
    if (plan !== undefined) yield* finish(plan)
    const range = rangeOf(tablePartition(name), removed(recorded.round, recorded.target))
    yield* note(range)
    positions.set(range.partition, range.to)
  }
})

const planCopy = Effect.fnUntraced(function* (
  { ledger, owner, rangeOf, source }: CopyContext,
  table: SourceTable,
  round: number
) {
  const parts = source.mode === "changes" ? [] : yield* source.split(table)
  const { definition, name, target } = table
  const detail = planText({ parts, ...(definition === undefined ? {} : { definition }) })
  const plan: Range = { ...rangeOf(tablePartition(name), copied(round, target)), detail }
  yield* ledger.record(owner, plan)
  return plan
})

/** The tables with their rounds, and those whose snapshot is not done. */
export const planTables = Effect.fnUntraced(function* (context: CopyContext, opened: ReadonlyArray<OpenTable>) {
  const { positions, source, state } = context
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
    const plan = isKnown ? pendingPlan(context, each.name) : yield* planCopy(context, each, round)
    const { definition, parts } = planOf(plan?.detail ?? state.doneDetail.get(tablePartition(each.name)))
    const table: CopiedTable = {
      ...each,
      base: baseOf(round),
      ...(definition === undefined ? {} : { copiedDefinition: definition })
    }
    all.push(table)
    if (plan === undefined) continue
    const left = parts
      .map((part, index) => [index, part] as const)
      .filter(([index]) => state.done.get(partPartition(each.name, index)) !== copied(round, each.target))
    copying.push({ table, round, plan, parts: left })
  }
  return { all, copying }
})
