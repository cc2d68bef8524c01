import type { Change, CopiedTable, SourceTable } from "../port/ChangeSource.ts"
import type { RejectedRow } from "../port/Warehouse.ts"

/**
 * A change of a table of `MemoryChangeSource`. `put` is a row as a line of TSV, with the columns of the table, in the place of
 * the one with the same key. A key is the fields of the key's columns, in their order, joined by tabs: `remove` deletes the row that
 * has it, and `rejected` puts a row there that the types of the target cannot hold.
 *
 * @example
 * ```ts
 * import type { MemoryChange } from "@headgate/mover/memory"
 *
 * export const changes: ReadonlyArray<MemoryChange> = [
 *   { table: "users", put: "1\tAda" },
 *   { table: "users", remove: "2" }
 * ]
 * ```
 */
export type MemoryChange =
  | { readonly table: string; readonly put: string }
  | { readonly table: string; readonly remove: string }
  | { readonly table: string; readonly rejected: string; readonly row: RejectedRow }
  | { readonly table: string; readonly truncate: true }

/** A row, or one that the types of the target cannot hold. */
export type Row = { readonly fields: ReadonlyArray<string> } | { readonly rejected: RejectedRow }

/** The rows of each table, by their keys. */
export type Tables = ReadonlyMap<string, ReadonlyMap<string, Row>>

/** A transaction in the log. Each change and each commit has a place of its own. */
export interface Transaction {
  readonly changes: ReadonlyArray<{ readonly place: number; readonly change: MemoryChange }>
  readonly end: number
}

const tableOf = (tables: ReadonlyArray<SourceTable>, name: string): SourceTable => {
  const found = tables.find((table) => table.name === name)
  if (found === undefined) throw new Error(`${name} is no table of the source`)
  return found
}

const pick = (table: SourceTable, fields: ReadonlyArray<string>, names: ReadonlyArray<string>) =>
  names.map((name) => fields[table.columns.findIndex((column) => column.name === name)] ?? "")

/** The rows of all tables after a change. */
export const applyChange = (tables: ReadonlyArray<SourceTable>, rows: Tables, change: MemoryChange): Tables => {
  const table = tableOf(tables, change.table)
  const now = new Map(rows.get(change.table))
  if ("put" in change) {
    const fields = change.put.split("\t")
    now.set(pick(table, fields, table.key).join("\t"), { fields })
  } else if ("remove" in change) now.delete(change.remove)
  else if ("rejected" in change) now.set(change.rejected, { rejected: change.row })
  else now.clear()
  return new Map([...rows, [change.table, now]])
}

/** A row as the port has it, in this version. */
export const lineOf = (
  tables: ReadonlyArray<SourceTable>,
  copied: CopiedTable,
  fields: ReadonlyArray<string>,
  isDeleted: boolean,
  version: bigint
): string => {
  const names = copied.columns.map(({ name }) => name)
  return [...pick(tableOf(tables, copied.name), fields, names), isDeleted ? "1" : "0", version].join("\t")
}

const removal = (tables: ReadonlyArray<SourceTable>, copied: CopiedTable, key: string, version: bigint): Change => {
  const values = key.split("\t")
  const fields = tableOf(tables, copied.name).columns.map(
    ({ name }) => values[copied.key.indexOf(name)] ?? String.raw`\N`
  )
  return { _tag: "Row", table: copied.name, row: lineOf(tables, copied, fields, true, version) }
}

/** A transaction as the port has it, of the tables that are copied. */
export const changesOf = (
  tables: ReadonlyArray<SourceTable>,
  { changes, end }: Transaction,
  copied: ReadonlyMap<string, CopiedTable>
): ReadonlyArray<Change> => [
  ...changes.flatMap(({ change, place }): ReadonlyArray<Change> => {
    const table = copied.get(change.table)
    if (table === undefined) return []
    const version = table.base + BigInt(place)
    if ("put" in change) {
      return [{ _tag: "Row", table: table.name, row: lineOf(tables, table, change.put.split("\t"), false, version) }]
    }
    if ("remove" in change) return [removal(tables, table, change.remove, version)]
    // The table holds the rows that fit, so an earlier version of this one goes.
    if ("rejected" in change) {
      return [
        { _tag: "Rejected", table: table.name, row: change.row },
        removal(tables, table, change.rejected, version)
      ]
    }
    return [{ _tag: "Truncate", table: table.name, version }]
  }),
  { _tag: "Commit", position: String(end) }
]

/** The rows of a part. It says from which key on and up to which one it is; the first and the last part have one of them alone. */
export const rowsOf = (all: Tables, { name }: SourceTable, part: string): ReadonlyArray<Row> => {
  const [from, to] = part.split("\n")
  return Array.from(all.get(name) ?? [])
    .filter(([key]) => (from === "" || key >= (from ?? "")) && (to === "" || key < (to ?? "")))
    .map(([, row]) => row)
}
