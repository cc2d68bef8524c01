import type { ChartData } from "../ChartQuery.ts"
import type { RowsPlan } from "../plan/planSearch.ts"
import type { QueryAnswer } from "../query/TableQuery.ts"
import { bounded } from "./bounded.ts"
import { valueReader } from "./valueReader.ts"

/** The parts of an answer that its rows decide. */
export type AnsweredRows = Pick<ChartData, "columns" | "rows" | "hiddenSeries" | "truncated">

/** Columns with names of their own: a repeated one gets its place. */
export const withDistinctNames = <Column extends { readonly name: string }>(
  columns: ReadonlyArray<Column>
): ReadonlyArray<Column> => {
  const seen = new Set<string>()
  return columns.map((column, index) => {
    let { name } = column
    while (seen.has(name)) name = `${name}__${index}`
    seen.add(name)
    return { ...column, name }
  })
}

/** The answer of a chart of rows as they are. */
export const rowsAnswer = (
  { columns, limit }: Pick<RowsPlan, "columns" | "limit">,
  answer: QueryAnswer
): AnsweredRows => {
  const readers = answer.columns.map(({ type }) => valueReader(type))
  const rows = answer.rows.map((row) => row.map((value, index) => readers[index]?.(value) ?? null))
  return {
    columns: withDistinctNames(
      columns.map(({ isTime, name }, index) => ({
        name,
        type: answer.columns[index]?.type ?? "",
        role: isTime ? "time" : "value"
      }))
    ),
    ...bounded(rows, limit),
    hiddenSeries: 0
  }
}
