import type { Expression } from "../expression/Expression.ts"
import type { ColumnType } from "./ColumnType.ts"

/** A table that a query reads, as the engine describes it. It was looked up: no name of a caller is used in its place. */
export interface ChartTable {
  readonly database: string
  readonly name: string
  /** In their order. */
  readonly columns: ReadonlyMap<string, ColumnType>
  /** The expressions of its sorting key, in their order: conditions on their beginning are cheap. */
  readonly sortingKey: ReadonlyArray<string>
  /** A mover writes its rows in versions: it is read with the last version of each row, and without deleted ones. */
  readonly isVersioned: boolean
  /** What a reader must know, such as that the engine may hold several versions of a row. */
  readonly warnings: ReadonlyArray<string>
}

/** A result column: its name among those of a query, and what it is. Names of one query differ. */
export interface Named {
  readonly name: string
  readonly expression: Expression
}

/** An order of rows. The expression is over the names of the result; of a query of rows, over the columns of the table. NULL and NaN are last. */
export interface Order {
  readonly expression: Expression
  readonly isDescending: boolean
}

/** The rows of a table for which a condition holds. */
interface Rows {
  readonly from: QuerySource
  /** Absent: all. A condition that is NULL does not hold. */
  readonly where?: Expression | undefined
}

/** Rows of the table as they are. */
export interface RowsQuery extends Rows {
  readonly _tag: "Rows"
  readonly columns: ReadonlyArray<Named>
  readonly orderBy: ReadonlyArray<Order>
  readonly limit: number
  readonly offset: number
}

/** One row for each group: `groups`, then `bucket`, then `values`. Without groups and bucket: one row. */
export interface GroupedQuery extends Rows {
  readonly _tag: "Grouped"
  readonly groups: ReadonlyArray<Named>
  /** The beginning of the period of a row. */
  readonly bucket?: Named | undefined
  /** Their expressions have aggregates, and columns only in those. */
  readonly values: ReadonlyArray<Named>
  /** A condition over the names of the result. */
  readonly having?: Expression | undefined
  readonly orderBy: ReadonlyArray<Order>
  readonly limit: number
  /** Of the groups (all buckets of a group together) only those whose first value is the largest in some bucket, ties by the groups. With it the answer says how many groups there are. */
  readonly mostSeries?: number | undefined
}

/**
 * The rows of a table of cumulative counters, each with how much its counter has risen since the row before of its series: at least
 * 0, and 0 for the first row of a series. Rows for which `isDifference` holds have that already.
 */
export interface CounterRows {
  readonly _tag: "Counter"
  readonly from: ChartTable
  readonly where?: Expression | undefined
  /** What tells one series from another. */
  readonly series: Expression
  readonly time: Expression
  readonly value: Expression
  readonly isDifference: Expression
  /** The name of the rise, beside `columns`. */
  readonly increase: string
  readonly columns: ReadonlyArray<Named>
}

/** What a query reads: a table, or the result of another query, whose names are its columns. */
export type QuerySource = ChartTable | GroupedQuery | CounterRows

/** A query over one table, without any text of a caller: expressions are trees, which were checked. */
export type TableQuery = RowsQuery | GroupedQuery

/**
 * The answer of a query. Values are as ClickHouse writes them in JSON: whole numbers of 64 bits and more, and decimals, are texts,
 * NaN and infinite numbers are null, times are ISO 8601 in UTC (`2026-11-23T10:00:00.123Z`), dates `2026-11-23`.
 */
export interface QueryAnswer {
  /** `type`: as the engine writes it. */
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: string }>
  readonly rows: ReadonlyArray<ReadonlyArray<unknown>>
  /** How many groups there were, of a query with `mostSeries`. */
  readonly groups?: number
  readonly rowsRead: number
  /** Milliseconds. */
  readonly elapsed: number
}
