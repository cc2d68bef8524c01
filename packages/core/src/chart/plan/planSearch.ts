import * as Result from "effect/Result"
import { column } from "../expression/Expression.ts"
import type { Order, RowsQuery } from "../query/TableQuery.ts"
import type { ChartInput } from "./ChartInput.ts"
import { allOf, type Planned, readCondition, readExpression, readList } from "./texts.ts"
import { rangeCondition, timeColumnOf } from "./RowTime.ts"
import type { ChartTable } from "../query/TableQuery.ts"
import type { Expression } from "../expression/Expression.ts"

/** Rows of a table as they are. */
export interface RowsPlan {
  readonly query: RowsQuery
  /** The names of its columns, as callers see them. */
  readonly columns: ReadonlyArray<{ readonly name: string; readonly isTime: boolean }>
  /** The most rows of the answer. */
  readonly limit: number
}

const mostFoundRows = 200

/** What is searched for. */
export interface SearchConfig {
  readonly select: string
  readonly where?: string | undefined
  readonly whereLanguage?: string | null | undefined
  readonly orderBy?: string | undefined
  readonly limit?: number
  readonly offset?: number
}

interface SearchOptions {
  /** Whether the end of the range is in it. */
  readonly isEndIncluded?: boolean
  /** Whether the plan asks for one row more than the limit, which tells that there are more. */
  readonly asksForMore?: boolean
}

/** Plans the rows of a source, the newest first. An empty `select` is the column of the time and those that words are searched in. */
export const planSearch = (
  { limit = mostFoundRows, offset = 0, orderBy = "", select, where = "", whereLanguage }: SearchConfig,
  { conditions, path, range, scope, table, time, zone }: ChartInput,
  { asksForMore = true, isEndIncluded = false }: SearchOptions = {}
): Planned<RowsPlan> =>
  Result.gen(function* () {
    const at = (field: string) => (path === "" ? field : `${path}.${field}`)
    const listed = yield* readList(select, at("select"), scope)
    const timeExpression = time.precise.expression
    const own = [...(timeExpression._tag === "Column" ? [timeExpression.name] : []), ...scope.implicit].map((name) => ({
      expression: column(name),
      text: name
    }))
    const items = listed.length > 0 ? listed : own
    const condition = yield* readCondition(where, whereLanguage, at("where"), scope)
    const asked = yield* readList(orderBy, at("orderBy"), scope)
    const newest: Order = { expression: timeExpression, isDescending: true }
    return {
      query: {
        _tag: "Rows",
        from: table,
        columns: items.map(({ expression }, index) => ({ name: `c${index}`, expression })),
        where: allOf([rangeCondition(time, range, { isEndIncluded, zone }), ...conditions, condition]),
        orderBy:
          asked.length === 0 ? [newest] : asked.map(({ expression, isDescending }) => ({ expression, isDescending })),
        limit: asksForMore ? limit + 1 : limit,
        offset
      },
      columns: items.map(({ expression, text }) => ({
        name: expression._tag === "Column" ? expression.name : text,
        isTime: JSON.stringify(expression) === JSON.stringify(timeExpression)
      })),
      limit
    }
  })

/** Plans the newest rows of a table: by the column of its time, or by its sorting key. */
export const planNewest = (table: ChartTable, conditions: ReadonlyArray<Expression>): RowsPlan => {
  const time = timeColumnOf(table)
  const keys = table.sortingKey.flatMap((key) => {
    const read = readExpression(key, "", table)
    return Result.isSuccess(read) ? [read.success] : []
  })
  const order = time === undefined ? keys : [column(time)]
  const names = [...table.columns.keys()]
  return {
    query: {
      _tag: "Rows",
      from: table,
      columns: names.map((name, index) => ({ name: `c${index}`, expression: column(name) })),
      where: allOf(conditions),
      orderBy: order.map((expression) => ({ expression, isDescending: true })),
      limit: mostFoundRows + 1,
      offset: 0
    },
    columns: names.map((name) => ({ name, isTime: name === time })),
    limit: mostFoundRows
  }
}
