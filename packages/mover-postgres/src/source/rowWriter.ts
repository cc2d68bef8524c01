import type { Change, CopiedTable, UnfitRow } from "@headgate/mover"
import type { Pgoutput } from "pg-logical-replication"
import type { DescribedColumn, DescribedTable } from "../table/DescribedTable.ts"
import { field, nullField } from "../type/field.ts"

/** The values of a row by their columns, as Postgres writes them. `undefined`: not sent, since it is what it was. */
export type Tuple = Readonly<Record<string, string | null | undefined>>

/** A change, or a row of which a large value was not sent, because it is the same as before. */
export type Read =
  | Change
  | {
      readonly _tag: "Partial"
      readonly writer: RowWriter
      readonly tuple: Tuple
      readonly version: bigint
    }

/** Writes the rows of a table as the warehouse reads them. */
export interface RowWriter {
  readonly table: CopiedTable
  readonly described: DescribedTable
  /** The columns that are copied. */
  readonly columns: ReadonlyArray<DescribedColumn>
  /** What has changed since the table was described; `undefined` if nothing of what is copied has. */
  readonly difference: (relation: Pgoutput.MessageRelation) => string | undefined
  /** The columns that were added since the table was described. */
  readonly added: (relation: Pgoutput.MessageRelation) => ReadonlyArray<Change>
  readonly insert: (tuple: Tuple, version: bigint) => ReadonlyArray<Read>
  /** As `insert`, of a row of which every value is known. */
  readonly complete: (tuple: Tuple, version: bigint) => ReadonlyArray<Change>
  readonly remove: (tuple: Tuple, version: bigint) => ReadonlyArray<Read>
  /** Whether a change has given a row another key. */
  readonly isMoved: (old: Tuple, now: Tuple) => boolean
}

const encoder = new TextEncoder()

export const makeRowWriter = (described: DescribedTable, table: CopiedTable): RowWriter => {
  const { name } = table
  const copied = new Set(table.columns.map((column) => column.name))
  const columns = described.columns.filter((column) => copied.has(column.name))
  const key = new Set(table.key)

  const unfit = (tuple: Tuple, column: DescribedColumn): UnfitRow => ({
    content: encoder.encode(JSON.stringify(tuple)),
    reason: `column ${column.name}: the value does not fit into ${column.rule.type}`
  })

  /** The fields of a row, and the first column whose value does not fit. */
  const fieldsOf = (tuple: Tuple, isDeleted: boolean) => {
    const fields: Array<string> = []
    for (const column of columns) {
      const value = isDeleted && !key.has(column.name) ? null : (tuple[column.name] ?? null)
      const converted = value === null ? null : column.rule.convert(value)
      if (converted === undefined) return { fields, misfit: column }
      fields.push(converted === null ? nullField : field(converted))
    }
    return { fields, misfit: undefined }
  }

  const remove = (tuple: Tuple, version: bigint): ReadonlyArray<Change> => {
    const { fields, misfit } = fieldsOf(tuple, true)
    // A key that does not fit was never in the table.
    if (misfit !== undefined) return []
    return [{ _tag: "Row", table: name, row: [...fields, "1", version].join("\t") }]
  }

  const complete = (tuple: Tuple, version: bigint): ReadonlyArray<Change> => {
    const { fields, misfit } = fieldsOf(tuple, false)
    if (misfit === undefined) return [{ _tag: "Row", table: name, row: [...fields, "0", version].join("\t") }]
    // The table holds the rows that fit, so an earlier version of this one goes.
    return [{ _tag: "Unfit", table: name, row: unfit(tuple, misfit) }, ...remove(tuple, version)]
  }

  const insert = (tuple: Tuple, version: bigint): ReadonlyArray<Read> =>
    columns.some((column) => tuple[column.name] === undefined)
      ? [{ _tag: "Partial", writer, tuple, version }]
      : complete(tuple, version)

  const writer: RowWriter = {
    table,
    described,
    columns,
    difference: (relation) => {
      const found = new Map(relation.columns.map((column) => [column.name, column] as const))
      for (const column of columns) {
        const now = found.get(column.name)
        const isSame = now !== undefined && now.typeOid >>> 0 === column.typeOid && now.typeMod === column.typeModifier
        if (!isSame) {
          const what = now === undefined ? "was dropped or renamed" : "has another type"
          return `${name} has changed: column ${column.name} ${what}. A resync copies the table as it is now`
        }
      }
      return undefined
    },
    added: (relation) =>
      relation.columns.flatMap((column) =>
        described.names.has(column.name) ? [] : [{ _tag: "Unknown" as const, table: name, column: column.name }]
      ),
    insert,
    complete,
    remove,
    isMoved: (old, now) => table.key.some((column) => old[column] !== now[column])
  }
  return writer
}
