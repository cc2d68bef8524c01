import type { SourceTable } from "@headgate/mover"
import { quoteIdentifier, quoteTable } from "../protocol/quote.ts"
import type { ColumnRule } from "../type/columnRule.ts"

/** A column that is copied. */
export interface DescribedColumn {
  readonly name: string
  /** The number of its type, and what the type is limited to. */
  readonly typeOid: number
  readonly typeModifier: number
  /** The type as statements name it. */
  readonly typeText: string
  readonly rule: ColumnRule
}

/** A table as Postgres's catalog describes it. */
export interface DescribedTable {
  readonly oid: string
  readonly schema: string
  readonly table: string
  readonly isPartitioned: boolean
  readonly columns: ReadonlyArray<DescribedColumn>
  /** The names of all columns, also of those that are excluded or generated. */
  readonly names: ReadonlySet<string>
  readonly key: ReadonlyArray<string>
  /** The column by which a snapshot is divided. */
  readonly partitionKey: string
  readonly source: SourceTable
}

/** A table in `FROM`. Tables that inherit from it are others, and the partitions of a table are the table. */
export const fromTable = (table: DescribedTable): string => `${table.isPartitioned ? "" : "ONLY "}${quoteTable(table)}`

/** The condition that is false for rows that the target cannot hold; absent if it can hold all. */
export const fitsAll = (columns: ReadonlyArray<DescribedColumn>): string | undefined => {
  const conditions = columns.flatMap(({ name, rule }) => rule.fits?.(quoteIdentifier(name)) ?? [])
  return conditions.length === 0 ? undefined : `(${conditions.join(" AND ")})`
}
