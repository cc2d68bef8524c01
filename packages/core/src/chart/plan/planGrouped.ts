import * as Result from "effect/Result"
import { column, type Expression } from "../expression/Expression.ts"
import type { GroupedQuery, Named, Order } from "../query/TableQuery.ts"
import type { ChartInput } from "./ChartInput.ts"
import { type Periods, periodsOf, type TimeRange } from "./Periods.ts"
import { ResultNames } from "./ResultNames.ts"
import { allOf, type Planned, readList } from "./texts.ts"
import { periodExpression, rangeCondition } from "./RowTime.ts"
import { type PlannedValue, planValues, type ValueConfig } from "./planValues.ts"

/** The name of the beginning of the period in results. */
export const bucketName = "bucket"

/** A group of a chart in the result of its query. */
export interface PlannedGroup {
  readonly name: string
  readonly result: string
  readonly expression: Expression
}

/** The query of a range, with its periods if the chart is one over time. */
export type QueryOf = (range: TimeRange, periods: Periods | undefined) => GroupedQuery

/** A chart with a row for each group and period. */
export interface GroupedPlan {
  readonly displayType: string
  readonly queryOf: QueryOf
  readonly groups: ReadonlyArray<PlannedGroup>
  readonly values: ReadonlyArray<PlannedValue>
  readonly range: TimeRange
  readonly periods: Periods | undefined
  /** Whether a period without a row has 0. */
  readonly fillsNulls: boolean
  /** The most rows of the answer. */
  readonly limit: number
}

/** The fields of charts with groups. */
export interface GroupedConfig extends ValueConfig {
  readonly groupBy?: string
  readonly having?: string
  readonly orderBy?: string
  readonly limit?: number
  readonly seriesLimit?: number
  readonly fillNulls?: boolean
  readonly alignDateRangeToGranularity?: boolean
}

/** The most rows of a chart over time. */
export const mostRows = 100_000
const mostTableRows = 200
const mostCategories = 500
const mostSeries = 250

const overTime = ["line", "stacked_bar", "stacked_line", "heatmap"]

/** Whether a chart has periods. */
export const isOverTime = (displayType: string): boolean => overTime.includes(displayType)

/** How a chart is cut and sorted. */
export interface Shape {
  readonly having?: Expression | undefined
  readonly orderBy: ReadonlyArray<Order>
  readonly limit: number
  readonly mostSeries?: number | undefined
  /** What the order and `having` need. */
  readonly added: ReadonlyArray<Named>
}

const limitOf = ({ displayType, limit = 0 }: GroupedConfig): number => {
  if (displayType === "number") return 1
  if (displayType === "table") return mostTableRows
  if (isOverTime(displayType)) return mostRows
  return limit > 0 ? Math.min(limit, mostCategories) : mostCategories
}

const ascending = (names: ReadonlyArray<string>): ReadonlyArray<Order> =>
  names.map((name) => ({ expression: column(name), isDescending: false }))

/** How many series a chart over time has at most: 0 in its `seriesLimit` is no limit. */
const seriesOf = ({ displayType, seriesLimit = mostSeries }: GroupedConfig, groups: number): number | undefined =>
  groups > 0 && isOverTime(displayType) && seriesLimit > 0 ? seriesLimit : undefined

/** How the rows of a chart are sorted and cut. Rows that are equal in the asked order are sorted by their groups. */
export const planShape = (
  config: GroupedConfig,
  groups: ReadonlyArray<PlannedGroup>,
  values: ReadonlyArray<PlannedValue>,
  { path, scope }: Pick<ChartInput, "path" | "scope">
): Planned<Shape> =>
  Result.gen(function* () {
    const { displayType, having = "", orderBy = "" } = config
    const names = new ResultNames([...values, ...groups], scope)
    const byGroups = ascending(groups.map(({ result }) => result))
    const shape = { limit: limitOf(config), mostSeries: seriesOf(config, groups.length) }
    if (isOverTime(displayType)) return { ...shape, orderBy: [...ascending([bucketName]), ...byGroups], added: [] }
    const condition = displayType === "table" ? yield* names.readCondition(having, `${path}.having`) : undefined
    const asked = displayType === "number" ? [] : yield* names.readOrder(orderBy, `${path}.orderBy`)
    const isCategory = displayType === "pie" || displayType === "bar"
    const first = isCategory && asked.length === 0 ? [{ expression: column("v0"), isDescending: true }] : asked
    return { ...shape, having: condition, orderBy: [...first, ...byGroups], added: names.added }
  })

/** The groups of a chart: a number has none. */
export const planGroups = (
  { displayType, groupBy = "" }: GroupedConfig,
  { path, scope }: Pick<ChartInput, "path" | "scope">
): Planned<ReadonlyArray<PlannedGroup>> =>
  displayType === "number"
    ? Result.succeed([])
    : Result.map(readList(groupBy, `${path}.groupBy`, scope), (items) =>
        items.map(({ expression, text }, index) => ({ name: text, result: `g${index}`, expression }))
      )

/** The periods of a chart over time. */
export const planPeriods = (
  { alignDateRangeToGranularity: isAligned = true, displayType }: GroupedConfig,
  { granularity, range, zone }: ChartInput
): Planned<Periods | undefined> =>
  isOverTime(displayType) ? periodsOf(range, { granularity, zone, isAligned }) : Result.succeed(undefined)

/** The columns of a result that groups are. */
export const namedGroups = (groups: ReadonlyArray<PlannedGroup>): ReadonlyArray<Named> =>
  groups.map(({ expression, result }) => ({ name: result, expression }))

/** A plan of its parts. */
export const groupedPlan = (
  { displayType, fillNulls = true }: GroupedConfig,
  { range }: ChartInput,
  parts: Pick<GroupedPlan, "queryOf" | "groups" | "values" | "periods" | "limit">
): GroupedPlan => ({ displayType, range: parts.periods?.range ?? range, fillsNulls: fillNulls, ...parts })

/** Plans a chart with a row for each group and period, over the rows of a table. */
export const planGrouped = (config: GroupedConfig, input: ChartInput): Planned<GroupedPlan> =>
  Result.gen(function* () {
    const { conditions, isEndIncluded = false, path, scope, table, time } = input
    const { columns, values, where } = yield* planValues(config, path, scope, time)
    const groups = yield* planGroups(config, input)
    const { added, limit, ...shape } = yield* planShape(config, groups, values, input)
    const periods = yield* planPeriods(config, input)
    const queryOf: QueryOf = (range, { seconds, zone } = { seconds: 0, range, zone: input.zone, starts: [] }) => ({
      _tag: "Grouped",
      from: table,
      where: allOf([rangeCondition(time, range, { isEndIncluded, zone: input.zone }), ...conditions, where]),
      groups: namedGroups(groups),
      bucket: seconds === 0 ? undefined : { name: bucketName, expression: periodExpression(time, { seconds, zone }) },
      values: [...columns, ...added],
      ...shape,
      limit: limit + 1
    })
    return groupedPlan(config, input, { queryOf, groups, values, periods, limit })
  })
