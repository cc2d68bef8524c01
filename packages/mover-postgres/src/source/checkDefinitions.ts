import { CannotContinue, type CopiedTable, type TableCheck } from "@headgate/mover"
import * as Effect from "effect/Effect"
import type { Client } from "pg"
import { catalogDifference } from "../table/compareDefinitions.ts"
import type { DescribedTable } from "../table/describeTable.ts"
import { definitionOf, definitionText, readDefinitions, type TableDefinition } from "../table/TableDefinition.ts"

/** A table that was copied, with what was recorded of it then. */
export interface RecordedTable {
  readonly name: string
  /** The names of the columns that are copied. */
  readonly copied: ReadonlySet<string>
  readonly definition: TableDefinition
}

/** A copied table with what was recorded of it; absent: a version of before it was recorded has copied it. */
export const recordedTable = ({ columns, copiedDefinition, name }: CopiedTable): RecordedTable | undefined =>
  copiedDefinition === undefined
    ? undefined
    : { name, copied: new Set(columns.map((column) => column.name)), definition: definitionOf(copiedDefinition) }

/** A table as it is described now, in the place of what was recorded. */
export const describedTable = ({ definition, source }: DescribedTable): RecordedTable => ({
  name: source.name,
  copied: new Set(source.columns.map((column) => column.name)),
  definition
})

/**
 * Compares copied tables with the catalog, in one statement. Fails if one is another table now. Returns those of which something has
 * changed that leaves them what they were.
 */
export const checkDefinitions = Effect.fnUntraced(function* (client: Client, tables: ReadonlyArray<RecordedTable>) {
  if (tables.length === 0) return []
  const now = yield* readDefinitions(
    client,
    tables.map(({ definition }) => definition.oid)
  )
  const checks: Array<TableCheck> = []
  for (const { copied, definition, name } of tables) {
    const difference = catalogDifference(name, definition, copied, now.get(definition.oid))
    switch (difference._tag) {
      case "Same":
        break
      case "Other":
        return yield* new CannotContinue({ message: difference.message })
      case "Rewritten":
        checks.push({ table: name, warning: difference.message })
        break
      case "Changed":
        checks.push({ table: name, definition: definitionText(difference.definition) })
        break
    }
  }
  return checks
})
