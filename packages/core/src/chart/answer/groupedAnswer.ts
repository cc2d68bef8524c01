import type { Periods } from "../plan/Periods.ts"
import { bucketName, type GroupedPlan, mostRows } from "../plan/planGrouped.ts"
import type { PlannedValue } from "../plan/planValues.ts"
import type { QueryAnswer } from "../query/TableQuery.ts"
import { bounded } from "./bounded.ts"
import { fillRows, type JoinedRow, joinRows, type Row, seriesKey, seriesOfRows, sortRows } from "./joinRows.ts"
import { type AnsweredRows, withDistinctNames } from "./rowsAnswer.ts"
import { valueReader } from "./valueReader.ts"

/** The answers of the query of a chart: of its range, and of the one before. */
export interface GroupedAnswers {
  readonly current: QueryAnswer
  readonly previous?: { readonly answer: QueryAnswer; readonly periods: Periods | undefined } | undefined
}

/** The place of the last period that does not begin after an instant. */
const periodAt = (starts: ReadonlyArray<number>, millis: number): number => {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) <= millis) low = middle + 1
    else high = middle
  }
  return Math.max(low - 1, 0)
}

/** Reads a column of an answer by its name. */
const columnReader = ({ columns }: QueryAnswer, name: string): ((row: ReadonlyArray<unknown>) => unknown) => {
  const index = columns.findIndex((one) => one.name === name)
  const read = valueReader(columns[index]?.type ?? "")
  return (row) => read(row[index]) ?? null
}

/** Reads a value: one of no rows is absent. */
const readerOf = (answer: QueryAnswer, { countedBy, result }: PlannedValue) => {
  const read = columnReader(answer, result)
  if (countedBy === undefined) return read
  const count = columnReader(answer, countedBy)
  return (row: ReadonlyArray<unknown>) => (count(row) === 0 ? null : read(row))
}

const rowsOf = (plan: GroupedPlan, answer: QueryAnswer, periods: Periods | undefined): ReadonlyArray<Row> => {
  const groups = plan.groups.map(({ result }) => columnReader(answer, result))
  const values = plan.values.map((value) => readerOf(answer, value))
  const bucket = columnReader(answer, bucketName)
  return answer.rows.slice(0, plan.limit).map((row) => ({
    groups: groups.map((read) => read(row)),
    period: periods === undefined ? 0 : periodAt(periods.starts, Number(bucket(row))),
    values: values.map((read) => read(row))
  }))
}

/** The columns before those of the period before, each with a name of its own. */
const columnsOf = (plan: GroupedPlan, { current, previous }: GroupedAnswers): AnsweredRows["columns"] => {
  const typeOf = (result: string): string => current.columns.find(({ name }) => name === result)?.type ?? ""
  const time = { name: "time", type: typeOf(bucketName), role: "time" as const }
  const columns = withDistinctNames([
    ...(plan.periods === undefined ? [] : [time]),
    ...plan.groups.map(({ name, result }) => ({ name, type: typeOf(result), role: "group" as const })),
    ...plan.values.map(({ name, numberFormat, result }) => ({
      name,
      type: typeOf(result),
      role: "value" as const,
      ...(numberFormat === undefined ? {} : { numberFormat })
    }))
  ])
  const values = columns.filter(({ role }) => role === "value")
  return [...columns, ...(previous === undefined ? [] : values.map((value) => ({ ...value, isPrevious: true })))]
}

const seriesIn = (rows: ReadonlyArray<Row>): ReadonlySet<string> => new Set(rows.map(({ groups }) => seriesKey(groups)))

/** The rows of the answer, and how many series are not in it. */
const seriesOf = (plan: GroupedPlan, { current, previous }: GroupedAnswers) => {
  const now = rowsOf(plan, current, plan.periods)
  const shown = seriesIn(now)
  const hiddenSeries = Math.max((current.groups ?? shown.size) - shown.size, 0)
  const before = previous === undefined ? [] : rowsOf(plan, previous.answer, previous.periods)
  const periods = plan.periods?.starts.length ?? 1
  // Where some series are not shown, the range before adds none.
  const kept = before.filter(
    ({ groups, period }) => period < periods && (hiddenSeries === 0 || shown.has(seriesKey(groups)))
  )
  return { joined: joinRows(now, kept), hiddenSeries }
}

const notFilled = (count: number): string =>
  `Periods without rows are not filled: there would be ${count} rows, and there may be ${mostRows}`

/** The rows in their order, and with `fillNulls` those of periods without rows. */
const arranged = (joined: ReadonlyArray<JoinedRow>, { fillsNulls, periods }: GroupedPlan) => {
  if (periods === undefined) return { rows: joined, absent: null, warnings: [] }
  const series = fillsNulls ? seriesOfRows(joined) : []
  const count = periods.starts.length * series.length
  if (fillsNulls && count <= mostRows) return { rows: fillRows(series, periods.starts.length), absent: 0, warnings: [] }
  // Without those of the range before, the rows are in the order of the query.
  const isInOrder = joined.every(({ previous }) => previous === undefined)
  const rows = isInOrder ? joined : sortRows(joined)
  return { rows, absent: null, warnings: fillsNulls ? [notFilled(count)] : [] }
}

/** The answer of a chart with a row for each group and period. */
export const groupedAnswer = (
  plan: GroupedPlan,
  answers: GroupedAnswers
): AnsweredRows & { readonly warnings: ReadonlyArray<string> } => {
  const { limit, periods, values } = plan
  const { hiddenSeries, joined } = seriesOf(plan, answers)
  const { absent, rows, warnings } = arranged(joined, plan)
  const empty = values.map(() => absent)
  const answered = rows.map(({ current = empty, groups, period, previous = empty }) => [
    ...(periods === undefined ? [] : [periods.starts[period]]),
    ...groups,
    ...current,
    ...(answers.previous === undefined ? [] : previous)
  ])
  const { rows: kept, truncated } = bounded(answered, limit)
  return {
    columns: columnsOf(plan, answers),
    rows: kept,
    hiddenSeries,
    truncated: truncated || answers.current.rows.length > limit,
    warnings
  }
}
