import type { ChartData } from "../ChartQuery.ts"
import type { RowsPlan } from "../plan/planSearch.ts"
import type { QueryAnswer } from "../query/TableQuery.ts"
import { bounded } from "./bounded.ts"
import { valueReader } from "./values.ts"

/** The parts of an answer that its rows decide. */
export type AnsweredRows = Pick<ChartData, "columns" | "rows" | "hiddenSeries" | "truncated">

/** The answer of a chart of rows as they are. */
export const rowsAnswer = (
  { columns, limit }: Pick<RowsPlan, "columns" | "limit">,
  answer: QueryAnswer
): AnsweredRows => {
  const readers = answer.columns.map(({ type }) => valueReader(type))
  const rows = answer.rows.map((row) => row.map((value, index) => readers[index]?.(value) ?? null))
  return {
    columns: columns.map(({ isTime, name }, index) => ({
      name,
      type: answer.columns[index]?.type ?? "",
      role: isTime ? "time" : "value"
    })),
    ...bounded(rows, limit),
    hiddenSeries: 0
  }
}
