import {
  type ChartTable,
  column,
  type ColumnType,
  columnTypeOf,
  type Expression,
  type GroupedQuery,
  type Named,
  type Order,
  parseSql,
  type QuerySource,
  type RowsQuery
} from "@headgate/core/adapter"
import * as Result from "effect/Result"

type Columns = ReadonlyMap<string, ColumnType>

const read = (text: string, columns: Columns, aggregates: "refused" | "required"): Expression =>
  Result.getOrThrowWith(parseSql(text, { columns, aggregates }), ({ message }) => new Error(`${text}: ${message}`))

const isTable = (source: QuerySource): source is ChartTable => !("_tag" in source)

const namesOf = (source: QuerySource): ReadonlyArray<string> => {
  if (isTable(source)) return Array.from(source.columns.keys())
  if (source._tag === "Counter") return [...source.columns.map(({ name }) => name), source.increase]
  return [...source.groups, ...(source.bucket === undefined ? [] : [source.bucket]), ...source.values].map(
    ({ name }) => name
  )
}

/** What a reader of expressions needs to know of a source: the names of its columns. */
const columnsOf = (source: QuerySource): Columns =>
  isTable(source) ? source.columns : new Map(namesOf(source).map((name) => [name, columnTypeOf("String")]))

/** An order as SQL has it: `Size`, or `Size DESC`. */
const readOrder = (text: string, columns: Columns): Order => {
  const isDescending = text.endsWith(" DESC")
  return { expression: read(isDescending ? text.slice(0, -5) : text, columns, "refused"), isDescending }
}

/** Expressions, by the names of their results. */
export type Texts = Readonly<Record<string, string>>

const readNamed = (texts: Texts, columns: Columns, aggregates: "refused" | "required"): ReadonlyArray<Named> =>
  Object.entries(texts).map(([name, text]) => ({ name, expression: read(text, columns, aggregates) }))

/** A query of rows, whose expressions are SQL. */
export interface RowsText {
  readonly columns: Texts
  readonly where?: string | undefined
  readonly orderBy?: ReadonlyArray<string>
  readonly limit?: number
  readonly offset?: number
}

export const rowsQuery = (from: QuerySource, text: RowsText): RowsQuery => {
  const columns = columnsOf(from)
  return {
    _tag: "Rows",
    from,
    where: text.where === undefined ? undefined : read(text.where, columns, "refused"),
    columns: readNamed(text.columns, columns, "refused"),
    orderBy: (text.orderBy ?? ["Id"]).map((order) => readOrder(order, columns)),
    limit: text.limit ?? 1000,
    offset: text.offset ?? 0
  }
}

/** A query of groups, whose expressions are SQL. */
export interface GroupedText {
  readonly groups?: Texts
  readonly bucket?: string | undefined
  readonly values: Texts
  readonly where?: string | undefined
  readonly having?: string
  /** Absent: by the groups and the bucket. */
  readonly orderBy?: ReadonlyArray<string>
  readonly limit?: number
  readonly mostSeries?: number
}

export const groupedQuery = (from: QuerySource, text: GroupedText): GroupedQuery => {
  const columns = columnsOf(from)
  const groups = readNamed(text.groups ?? {}, columns, "refused")
  const bucket =
    text.bucket === undefined ? undefined : { name: "bucket", expression: read(text.bucket, columns, "refused") }
  const values = readNamed(text.values, columns, "required")
  const query: GroupedQuery = {
    _tag: "Grouped",
    from,
    where: text.where === undefined ? undefined : read(text.where, columns, "refused"),
    groups,
    bucket,
    values,
    orderBy: [],
    limit: text.limit ?? 10_000,
    mostSeries: text.mostSeries
  }
  const results = columnsOf(query)
  const keys = [...groups, ...(bucket === undefined ? [] : [bucket])]
  return {
    ...query,
    having: text.having === undefined ? undefined : read(text.having, results, "refused"),
    orderBy:
      text.orderBy?.map((order) => readOrder(order, results)) ??
      keys.map(({ name }) => ({ expression: column(name), isDescending: false }))
  }
}
