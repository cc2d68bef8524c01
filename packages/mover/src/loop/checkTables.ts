import * as Effect from "effect/Effect"
import type { CopiedTable, TableCheck } from "../port/ChangeSource.ts"
import { resumeBy } from "../range/Decision.ts"
import { nothingDelivered } from "../range/Range.ts"
import { UnknownFields } from "../range/UnknownFields.ts"
import { planOf, planText } from "../rule/copyPlan.ts"
import { copied, roundOfVersion, tablePartition } from "../rule/copyRounds.ts"
import type { UnknownColumn } from "./ChangeBatch.ts"
import type { CopyContext, Copying } from "./CopyContext.ts"

// Sources choose the names of columns. Those beyond are counted among the unknown fields.
const mostWarnings = 20

/** Columns of the source that are left out are unknown fields, and warnings that say what to do. */
export const warnOfColumns = ({ attempts }: CopyContext, columns: ReadonlyArray<UnknownColumn>) =>
  attempts.report(({ unknownFields, warnings }) => {
    const said = columns.map(
      ({ column, table }) =>
        `column ${column} of ${table} is not copied: its target has no such column. A resync adds it, or says what to run`
    )
    return {
      unknownFields: UnknownFields.add(
        unknownFields,
        new Map(columns.map(({ column, table }) => [`${table}.${column}`, undefined]))
      ),
      warnings: Array.from(new Set([...warnings, ...said])).slice(0, mostWarnings)
    }
  })

const remedy = `To copy it again: headgate pipe resync NAME. If no value has changed: ${resumeBy({ acceptTable: true })}`

/** Warns of tables whose copied values may no longer be those of the source, before anything that was said of columns. */
export const reportChecks = Effect.fnUntraced(function* ({ attempts }: CopyContext, checks: ReadonlyArray<TableCheck>) {
  const said = checks.flatMap(({ warning }) => (warning === undefined ? [] : [`${warning}. ${remedy}`]))
  if (said.length > 0)
    yield* attempts.report(({ warnings }) => ({ warnings: Array.from(new Set([...said, ...warnings])) }))
})

/** Records the definition of a copied table anew. It stays in its round. */
const recordDefinition = Effect.fnUntraced(function* (
  { ledger, owner, rangeOf }: CopyContext,
  { base, name, target }: CopiedTable,
  definition: string
) {
  const position = copied(roundOfVersion(base), target)
  const detail = planText({ parts: [], definition })
  const range = { ...rangeOf(tablePartition(name), position), from: position, detail }
  yield* ledger.record(owner, range)
  yield* ledger.markDone(owner, range, nothingDelivered)
})

/** Reports what the source has found of tables, and records what has changed of those whose copy is done. */
export const recordChecks = Effect.fnUntraced(function* (
  context: CopyContext,
  tables: ReadonlyArray<CopiedTable>,
  checks: ReadonlyArray<TableCheck>
) {
  yield* reportChecks(context, checks)
  for (const { definition, table: name } of checks) {
    const table = tables.find((each) => each.name === name)
    if (definition !== undefined && table !== undefined) yield* recordDefinition(context, table, definition)
  }
})

/** What a person has decided: the tables as the source defines them now are those that were copied. */
export const acceptTables = Effect.fnUntraced(function* (
  context: CopyContext,
  { all, copying }: { readonly all: ReadonlyArray<CopiedTable>; readonly copying: ReadonlyArray<Copying> }
) {
  const { ledger, owner } = context
  const accepted = (table: CopiedTable): CopiedTable =>
    table.definition === undefined ? table : { ...table, copiedDefinition: table.definition }
  const isChanged = (table: CopiedTable) => accepted(table).copiedDefinition !== table.copiedDefinition
  const plans = yield* Effect.forEach(
    copying,
    Effect.fnUntraced(function* (each) {
      if (!isChanged(each.table)) return each
      const table = accepted(each.table)
      const { definition } = table
      const detail = planText({ ...planOf(each.plan.detail), ...(definition === undefined ? {} : { definition }) })
      yield* ledger.recordNarrowed(owner, each.plan, detail)
      return { ...each, table, plan: { ...each.plan, detail } }
    })
  )
  for (const table of all) {
    if (copying.some((each) => each.table.name === table.name) || !isChanged(table)) continue
    if (table.definition !== undefined) yield* recordDefinition(context, table, table.definition)
  }
  return { all: all.map(accepted), copying: plans }
})

/**
 * Looks at a start whether tables are still those that were copied, and fails if not. Returns them as they are recorded now. What was
 * recorded of those that are being copied stays as it is.
 */
export const checkTables = Effect.fnUntraced(function* (
  context: CopyContext,
  tables: ReadonlyArray<CopiedTable>,
  copying: ReadonlyArray<Copying>
) {
  const isPending = ({ name }: CopiedTable) => copying.some(({ table }) => table.name === name)
  const checks = yield* context.source.check(tables)
  const found = new Map(checks.map((check) => [check.table, check] as const))
  yield* reportChecks(context, checks)
  return yield* Effect.forEach(
    tables,
    Effect.fnUntraced(function* (table) {
      const definition = found.get(table.name)?.definition
      if (definition === undefined || isPending(table)) return table
      yield* recordDefinition(context, table, definition)
      return { ...table, copiedDefinition: definition }
    })
  )
})
