import {
  type ChartTable,
  type CounterRows,
  type Expression,
  type GroupedQuery,
  type Named,
  type Order,
  type QueryAnswer,
  type QuerySource,
  type RowsQuery,
  type TableQuery
} from "@headgate/core/adapter"
import { type Aggregate, groupKey } from "./evaluate/aggregates.ts"
import { columnsOf, evaluate, evaluateAggregates } from "./evaluate/evaluate.ts"
import { holds } from "./evaluate/logic.ts"
import { compareRows } from "./value/compare.ts"
import { type DataType, dataTypeOf, float64, typeText } from "./value/DataType.ts"
import { toFloat } from "./value/numbers.ts"
import { refuse } from "./value/refuse.ts"
import { answerValue } from "./value/texts.ts"
import type { Row, Value } from "./value/Value.ts"

/** Rows, and what their values are. */
export interface Relation {
  readonly columns: ReadonlyArray<ResultColumn>
  readonly rows: ReadonlyArray<Row>
}

interface ResultColumn {
  readonly name: string
  readonly type: DataType
  /** The type as it was declared, of a column of a table. */
  readonly declared?: string | undefined
}

interface Answered extends Relation {
  readonly groups?: number
}

/** The rows of a table. */
export type FindRows = (table: ChartTable) => ReadonlyArray<Row> | undefined

const typesOf = (relation: Relation) => columnsOf(relation.columns.map(({ name, type }) => [name, type] as const))

const matching = (relation: Relation, where: Expression | undefined): ReadonlyArray<Row> => {
  if (where === undefined) return relation.rows
  const condition = evaluate(where, typesOf(relation))
  return relation.rows.filter((row) => holds(condition.of(row)))
}

/** A column of a result; one that is a column of the source keeps its declared type. */
const resultColumn = (named: Named, type: DataType, from: Relation): ResultColumn => {
  const { expression, name } = named
  const source = expression._tag === "Column" ? from.columns.find((own) => own.name === expression.name) : undefined
  return { name, type, declared: source?.declared }
}

const ordered = <A>(
  items: ReadonlyArray<A>,
  rowOf: (item: A) => Row,
  relation: Relation,
  orderBy: ReadonlyArray<Order>
): ReadonlyArray<A> => {
  const columns = typesOf(relation)
  const orders = orderBy.map(({ expression, isDescending }) => {
    const by = evaluate(expression, columns)
    const compare = compareRows(by.type, isDescending)
    return (one: A, other: A) => compare(by.of(rowOf(one)), by.of(rowOf(other)))
  })
  return items.toSorted((one, other) => orders.reduce((found, compare) => found || compare(one, other), 0))
}

const runRows = (query: RowsQuery, from: Relation): Answered => {
  const columns = typesOf(from)
  const values = query.columns.map(({ expression }) => evaluate(expression, columns))
  const found = ordered(matching(from, query.where), (row) => row, from, query.orderBy)
  return {
    columns: query.columns.map((named, index) => resultColumn(named, values[index]?.type ?? float64, from)),
    rows: found.slice(query.offset, query.offset + query.limit).map((row) => values.map((value) => value.of(row)))
  }
}

/** The rows of each group, in the order in which the groups first appear. */
const grouped = (rows: ReadonlyArray<Row>, keyOf: (row: Row) => Row): ReadonlyMap<string, ReadonlyArray<Row>> => {
  const groups = new Map<string, Array<Row>>()
  for (const row of rows) {
    const key = groupKey(keyOf(row))
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [row])
    else known.push(row)
  }
  return groups
}

/** Of the rows of a result, those of the groups whose first value is the largest in some bucket; and how many groups there are. */
const largestGroups = (query: GroupedQuery, result: Relation, most: number): Answered => {
  const size = query.groups.length
  const first = size + (query.bucket === undefined ? 0 : 1)
  const byGroup = [...grouped(result.rows, (row) => row.slice(0, size)).values()]
  const valueType = result.columns[first]?.type
  if (valueType === undefined) return refuse("the query has no value")
  const compare = compareRows(valueType, true)
  const peaks = byGroup.map((rows) => {
    const values = rows.map((row) => row[first] ?? null).map((value) => (Number.isNaN(value) ? null : value))
    const peak = values.reduce((best, value) => (compare(value, best) < 0 ? value : best))
    return { rows, peak, group: rows[0]?.slice(0, size) ?? [] }
  })
  const groupOrders = result.columns.slice(0, size).map(({ type }) => compareRows(type, false))
  const kept = peaks
    .toSorted(
      (one, other) =>
        compare(one.peak, other.peak) ||
        groupOrders.reduce(
          (found, order, index) => found || order(one.group[index] ?? null, other.group[index] ?? null),
          0
        )
    )
    .slice(0, most)
  const rows = new Set(kept.flatMap((group) => group.rows))
  return { columns: result.columns, rows: result.rows.filter((row) => rows.has(row)), groups: byGroup.length }
}

const aggregated = (query: GroupedQuery, from: Relation): Relation => {
  const columns = typesOf(from)
  const named = [...query.groups, ...(query.bucket === undefined ? [] : [query.bucket])]
  const keys = named.map(({ expression }) => evaluate(expression, columns))
  const values: ReadonlyArray<Aggregate> = query.values.map(({ expression }) => evaluateAggregates(expression, columns))
  const rows = matching(from, query.where)
  const keyOf = (row: Row): Row => keys.map((key) => key.of(row))
  const groups = keys.length === 0 ? [rows] : [...grouped(rows, keyOf).values()]
  return {
    columns: [...named, ...query.values].map((one, index) =>
      resultColumn(one, (keys[index] ?? values[index - keys.length])?.type ?? float64, from)
    ),
    rows: groups.map((members): Row => [
      ...keys.map((key): Value => (members[0] === undefined ? null : key.of(members[0]))),
      ...values.map(({ over }) => over(members))
    ])
  }
}

const runGrouped = (query: GroupedQuery, from: Relation): Answered => {
  const all = aggregated(query, from)
  const having: Relation = { columns: all.columns, rows: matching(all, query.having) }
  const found: Answered =
    query.mostSeries === undefined || query.groups.length === 0
      ? having
      : largestGroups(query, having, query.mostSeries)
  return { ...found, rows: ordered(found.rows, (row) => row, found, query.orderBy).slice(0, query.limit) }
}

/** How much the counters of a table rose from row to row. */
const runCounter = (query: CounterRows, from: Relation): Relation => {
  const columns = typesOf(from)
  const [series, time, value, isDifference] = [query.series, query.time, query.value, query.isDifference].map(
    (expression) => evaluate(expression, columns)
  )
  if (series === undefined || time === undefined || value === undefined || isDifference === undefined) {
    return refuse("the query of a counter lacks an expression")
  }
  const [compare, compareValues] = [compareRows(time.type, false), compareRows(value.type, false)]
  const kept = query.columns.map(({ expression }) => evaluate(expression, columns))
  const amount = (row: Row): number | null => {
    const own = value.of(row)
    return own === null ? null : toFloat(own, value.type)
  }
  const risen = [...grouped(matching(from, query.where), (row) => [series.of(row)]).values()].flatMap((members) =>
    members
      .toSorted((one, other) => compare(time.of(one), time.of(other)) || compareValues(value.of(one), value.of(other)))
      .map((row, index, all): Row => {
        const before = all[index - 1]
        const [own, last] = [amount(row), before === undefined ? null : amount(before)]
        // A counter that begins anew counts nothing.
        const rise = own !== null && last !== null && own > last ? own - last : 0
        return [...kept.map((one) => one.of(row)), holds(isDifference.of(row)) ? own : rise]
      })
  )
  return {
    columns: [
      ...query.columns.map((named, index) => resultColumn(named, kept[index]?.type ?? float64, from)),
      { name: query.increase, type: float64 }
    ],
    rows: risen
  }
}

const tableRows = (table: ChartTable, find: FindRows): Relation => ({
  columns: Array.from(table.columns, ([name, { text }]) => ({ name, type: dataTypeOf(text), declared: text })),
  rows: find(table) ?? refuse(`there is no table ${table.database}.${table.name}`)
})

const isTable = (source: QuerySource): source is ChartTable => !("_tag" in source)

const runSource = (source: QuerySource, find: FindRows): Relation => {
  if (isTable(source)) return tableRows(source, find)
  return source._tag === "Counter" ? runCounter(source, tableRows(source.from, find)) : run(source, find)
}

const run = (query: TableQuery, find: FindRows): Answered => {
  const from = runSource(query.from, find)
  return query._tag === "Rows" ? runRows(query, from) : runGrouped(query, from)
}

const tableOf = (source: QuerySource): ChartTable => (isTable(source) ? source : tableOf(source.from))

/** The answer of a query over rows in memory. Throws `InvalidRequest` for what is not evaluated. */
export const runQuery = (
  query: TableQuery,
  find: FindRows
): QueryAnswer & { readonly warnings: ReadonlyArray<string> } => {
  const { columns, groups, rows } = run(query, find)
  const table = tableOf(query.from)
  return {
    columns: columns.map(({ declared, name, type }) => ({ name, type: declared ?? typeText(type) })),
    rows: rows.map((row) => row.map((value, index) => answerValue(value, columns[index]?.type ?? float64))),
    ...(groups === undefined ? undefined : { groups }),
    rowsRead: find(table)?.length ?? 0,
    elapsed: 0,
    warnings: table.warnings
  }
}
