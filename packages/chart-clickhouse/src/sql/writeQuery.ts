import { quoteIdentifier, quoteTable, writeExpression } from "@headgate/clickhouse"
import type {
  ChartTable,
  CounterRows,
  Expression,
  GroupedQuery,
  Named,
  Order,
  QuerySource,
  RowsQuery,
  TableQuery
} from "@headgate/core/adapter"
import { versionColumns } from "@headgate/mover"
import { namesOf, renameColumns } from "./columnNames.ts"

/** What is read: a `FROM`, a condition that belongs to it, and how the statement calls its columns. */
interface Source {
  readonly from: string
  readonly where?: string
  readonly columns: ReadonlyMap<string, string>
}

/** A query as SQL, and how the statement calls its results. */
interface Written {
  readonly sql: string
  readonly columns: ReadonlyMap<string, string>
  /** The last column, after the results, says how many groups there are. */
  readonly hasGroupCount?: boolean
}

/** The parts of one statement that its queries share. */
interface Writer {
  /** A name that nothing in the statement has: results cannot be taken for columns, nor columns for results. */
  readonly newName: () => string
  readonly write: (expression: Expression, columns: ReadonlyMap<string, string>) => string
  readonly unknown: Set<string>
}

const makeWriter = (query: TableQuery): Writer => {
  const names = namesOf(query)
  const unknown = new Set<string>()
  let count = 0
  const newName = (): string => {
    count += 1
    const name = `headgate_${count}`
    return names.has(name) ? newName() : name
  }
  return {
    newName,
    unknown,
    write: (expression, columns) => {
      const renamed = renameColumns(expression, columns)
      for (const name of renamed.unknown) unknown.add(name)
      return writeExpression(renamed.expression)
    }
  }
}

const select = (
  parts: {
    readonly columns: ReadonlyArray<string>
    readonly from: string
    readonly where?: ReadonlyArray<string | undefined>
    readonly groupBy?: ReadonlyArray<string>
    readonly orderBy?: ReadonlyArray<string>
  },
  end = ""
): string => {
  const conditions = (parts.where ?? []).flatMap((one) => (one === undefined ? [] : [`(${one})`]))
  const list = (words: string, texts: ReadonlyArray<string> = [], sign = ", ") =>
    texts.length === 0 ? "" : ` ${words} ${texts.join(sign)}`
  return [
    `SELECT ${parts.columns.join(", ")} FROM ${parts.from}`,
    list("WHERE", conditions, " AND "),
    list("GROUP BY", parts.groupBy),
    list("ORDER BY", parts.orderBy),
    end
  ].join("")
}

const writeOrder = (writer: Writer, orderBy: ReadonlyArray<Order>, columns: ReadonlyMap<string, string>) =>
  orderBy.map(
    ({ expression, isDescending }) => `${writer.write(expression, columns)} ${isDescending ? "DESC" : "ASC"} NULLS LAST`
  )

/** Result columns, each under a new name. */
const writeNamed = (writer: Writer, list: ReadonlyArray<Named>, columns: ReadonlyMap<string, string>) =>
  list.map(({ expression, name }) => {
    const as = writer.newName()
    return { name, as, sql: `${writer.write(expression, columns)} AS ${quoteIdentifier(as)}` }
  })

const namesFrom = (list: ReadonlyArray<{ readonly name: string; readonly as: string }>) =>
  new Map(list.map(({ as, name }) => [name, as]))

const { isDeleted } = versionColumns

const writeTable = (table: ChartTable): Source => {
  const columns = new Map(Array.from(table.columns.keys(), (name) => [name, name]))
  const name = quoteTable(table.database, table.name)
  return table.isVersioned
    ? { from: `${name} FINAL`, where: `${quoteIdentifier(isDeleted)} = 0`, columns }
    : { from: name, columns }
}

const writeCondition = (writer: Writer, source: Source, condition: Expression | undefined) => [
  source.where,
  condition === undefined ? undefined : writer.write(condition, source.columns)
]

/** How much a counter has risen since the row before of its series. A counter that begins anew counts nothing. */
const writeCounter = (writer: Writer, query: CounterRows): Written => {
  const source = writeTable(query.from)
  const write = (expression: Expression) => writer.write(expression, source.columns)
  const columns = writeNamed(writer, query.columns, source.columns)
  const value = `toFloat64(${write(query.value)})`
  const window = `(PARTITION BY ${write(query.series)} ORDER BY ${write(query.time)} ASC, ${value} ASC ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)`
  const rise = `greatest(${value} - lagInFrame(${value}, 1, ${value}) OVER ${window}, 0)`
  const as = writer.newName()
  return {
    sql: select({
      columns: [
        ...columns.map(({ sql }) => sql),
        `if(${write(query.isDifference)}, ${value}, ${rise}) AS ${quoteIdentifier(as)}`
      ],
      from: source.from,
      where: writeCondition(writer, source, query.where)
    }),
    columns: namesFrom([...columns, { name: query.increase, as }])
  }
}

const writeSource = (writer: Writer, source: QuerySource): Source => {
  if (!("_tag" in source)) return writeTable(source)
  const { columns, sql } = source._tag === "Grouped" ? writeGrouped(writer, source) : writeCounter(writer, source)
  return { from: `(${sql})`, columns }
}

const writeRows = (writer: Writer, query: RowsQuery): Written => {
  const source = writeSource(writer, query.from)
  const columns = writeNamed(writer, query.columns, source.columns)
  return {
    sql: select(
      {
        columns: columns.map(({ sql }) => sql),
        from: source.from,
        where: writeCondition(writer, source, query.where),
        orderBy: writeOrder(writer, query.orderBy, source.columns)
      },
      ` LIMIT ${Math.trunc(query.limit)} OFFSET ${Math.trunc(query.offset)}`
    ),
    columns: namesFrom(columns)
  }
}

/**
 * The groups with the largest peaks, in one reading of the table: all rows of a group in one array, so that groups can be ordered and cut.
 * A peak is NULL or NaN only if all values are.
 */
const writeMostSeries = (
  writer: Writer,
  grouped: string,
  groups: ReadonlyArray<string>,
  others: ReadonlyArray<string>,
  first: string,
  limit: number
): { readonly sql: string; readonly count: string } => {
  const [rows, row, peak, count] = [writer.newName(), writer.newName(), writer.newName(), writer.newName()].map(
    quoteIdentifier
  )
  const peaks = select(
    {
      columns: [
        ...groups,
        `groupArray(tuple(${others.join(", ")})) AS ${rows}`,
        `max(${first}) AS ${peak}`,
        `count() OVER () AS ${count}`
      ],
      from: `(${grouped})`,
      groupBy: groups,
      orderBy: [`${peak} DESC NULLS LAST`, ...groups.map((name) => `${name} ASC NULLS LAST`)]
    },
    ` LIMIT ${Math.trunc(limit)}`
  )
  const elements = others.map((name, index) => `tupleElement(${row}, ${index + 1}) AS ${name}`)
  return {
    sql: `SELECT ${[...groups, ...elements, String(count)].join(", ")} FROM (${peaks}) ARRAY JOIN ${rows} AS ${row}`,
    count: String(count)
  }
}

function writeGrouped(writer: Writer, query: GroupedQuery): Written {
  const source = writeSource(writer, query.from)
  const groups = writeNamed(writer, query.groups, source.columns)
  const bucket = writeNamed(writer, query.bucket === undefined ? [] : [query.bucket], source.columns)
  const values = writeNamed(writer, query.values, source.columns)
  const all = [...groups, ...bucket, ...values]
  const [columns, quoted] = [namesFrom(all), all.map(({ as }) => quoteIdentifier(as))]
  const grouped = select({
    columns: all.map(({ sql }) => sql),
    from: source.from,
    where: writeCondition(writer, source, query.where),
    groupBy: [...groups, ...bucket].map(({ as }) => quoteIdentifier(as))
  })
  const having = query.having === undefined ? undefined : writer.write(query.having, columns)
  const [first] = values
  const isCut = query.mostSeries !== undefined && groups.length > 0 && first !== undefined
  const outer = (from: string, where: string | undefined, added: ReadonlyArray<string>) =>
    select(
      {
        columns: [...quoted, ...added],
        from: `(${from})`,
        where: [where],
        orderBy: writeOrder(writer, query.orderBy, columns)
      },
      ` LIMIT ${Math.trunc(query.limit)}`
    )
  if (!isCut) return { sql: outer(grouped, having, []), columns }
  const rest = quoted.slice(groups.length)
  const kept = having === undefined ? grouped : select({ columns: quoted, from: `(${grouped})`, where: [having] })
  const most = writeMostSeries(
    writer,
    kept,
    quoted.slice(0, groups.length),
    rest,
    quoteIdentifier(first.as),
    query.mostSeries
  )
  return { sql: outer(most.sql, undefined, [most.count]), columns, hasGroupCount: true }
}

/** A query as one statement, without its format. */
export interface QueryStatement {
  readonly sql: string
  /** The names of the results, in their order. */
  readonly names: ReadonlyArray<string>
  /** The last column, after the results, says how many groups there are. */
  readonly hasGroupCount: boolean
  /** Columns that the query names and what it reads does not have. */
  readonly unknown: ReadonlyArray<string>
}

/** Writes a query. No text of it stands in the statement but in quotes. */
export const writeQuery = (query: TableQuery): QueryStatement => {
  const writer = makeWriter(query)
  const { hasGroupCount = false, sql } = query._tag === "Rows" ? writeRows(writer, query) : writeGrouped(writer, query)
  return {
    sql,
    names:
      query._tag === "Rows"
        ? query.columns.map(({ name }) => name)
        : [...query.groups, ...(query.bucket === undefined ? [] : [query.bucket]), ...query.values].map(
            ({ name }) => name
          ),
    hasGroupCount,
    unknown: Array.from(writer.unknown)
  }
}
