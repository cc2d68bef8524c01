import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { call, column, type Expression, number } from "../expression/Expression.ts"
import type { AnsweredRows } from "../answer/rowsAnswer.ts"
import { bounded } from "../answer/bounded.ts"
import { valueReader } from "../answer/valueReader.ts"
import type { GroupedQuery, QueryAnswer } from "../query/TableQuery.ts"
import { aggregateCall, withLevel } from "./aggregateOf.ts"
import type { ChartInput } from "./ChartInput.ts"
import { type Periods, periodsOf } from "./Periods.ts"
import { bucketName, mostRows } from "./planGrouped.ts"
import type { QueryRunner } from "./runChart.ts"
import { allOf, type Planned, readCondition, readExpression } from "./texts.ts"
import { periodExpression, rangeCondition } from "./RowTime.ts"
import type { Format } from "./planValues.ts"

interface HeatmapConfig {
  readonly select: ReadonlyArray<{
    readonly valueExpression: string
    readonly countExpression?: string
    readonly heatmapScaleType?: string
  }>
  readonly where?: string
  readonly whereLanguage?: string
  readonly numberFormat?: Format
}

/** The least and the greatest value that the rows of a heatmap divide. */
interface Bounds {
  readonly least: number
  readonly most: number
}

/** The distribution of a value: its bounds are asked for first. */
interface HeatmapPlan {
  readonly boundsQuery: GroupedQuery
  readonly queryOf: (bounds: Bounds) => GroupedQuery
  readonly isLogarithmic: boolean
  readonly periods: Periods
  readonly numberFormat: Format | undefined
}

/** The ranges of values between the bounds: below and above them are two more. */
const rangeCount = 80
const rowResult = "g0"
const countResult = "v0"

const scaled = (value: Expression, { least }: Bounds, isLogarithmic: boolean): Expression =>
  isLogarithmic ? call("log", call("greatest", value, number(least))) : value

/** Plans the distribution of a value over time. Values below 0, NaN and NULL are left out. */
export const planHeatmap = (config: HeatmapConfig, input: ChartInput): Planned<HeatmapPlan> =>
  Result.gen(function* () {
    const { conditions, granularity, path, range, scope, table, time, zone } = input
    const [item = { valueExpression: "" }] = config.select
    const value = yield* readExpression(item.valueExpression, `${path}.select.0.valueExpression`, scope)
    const { countExpression = "", heatmapScaleType = "log" } = item
    const counted =
      countExpression.trim() === ""
        ? call("count")
        : yield* readExpression(countExpression, `${path}.select.0.countExpression`, scope, "required")
    const condition = yield* readCondition(config.where ?? "", config.whereLanguage, `${path}.where`, scope)
    const periods = yield* periodsOf(range, { granularity, zone, isAligned: true })
    const where = allOf([
      rangeCondition(time, periods.range, { zone }),
      ...conditions,
      condition,
      call("greaterOrEquals", value, number(0))
    ])
    const isLogarithmic = heatmapScaleType !== "linear"
    const lower = withLevel(aggregateCall("quantile", [value], undefined), isLogarithmic ? 0.01 : 0.001)
    const base = { _tag: "Grouped", from: table, where } as const
    return {
      boundsQuery: {
        ...base,
        groups: [],
        values: [
          { name: "least", expression: lower },
          { name: "most", expression: call("max", value) },
          { name: "count", expression: call("count") }
        ],
        orderBy: [],
        limit: 1
      },
      queryOf: (bounds) => {
        const end = (bound: number) => number(isLogarithmic ? Math.log(bound) : bound)
        const row = call(
          "widthBucket",
          scaled(value, bounds, isLogarithmic),
          end(bounds.least),
          end(bounds.most),
          number(rangeCount)
        )
        return {
          ...base,
          groups: [{ name: rowResult, expression: row }],
          bucket: { name: bucketName, expression: periodExpression(time, periods) },
          values: [{ name: countResult, expression: counted }],
          orderBy: [bucketName, rowResult].map((name) => ({ expression: column(name), isDescending: false })),
          limit: mostRows + 1
        }
      },
      isLogarithmic,
      periods,
      numberFormat: config.numberFormat
    }
  })

/** The bounds that a query answered, which differ and of which a logarithm has one; `undefined` without rows. */
const boundsOf = ({ rows }: QueryAnswer, isLogarithmic: boolean): Bounds | undefined => {
  const [least, most, count] = (rows[0] ?? []).map((value) => (value === null ? Number.NaN : Number(value)))
  if (least === undefined || most === undefined || !Number.isFinite(most) || !(Number(count) > 0)) return undefined
  const lowest = isLogarithmic && !(least > 0) ? (most > 0 ? most / 1e6 : 1) : Number.isFinite(least) ? least : 0
  return { least: lowest, most: most > lowest ? most : lowest === 0 ? 1 : lowest * 2 }
}

/** The values where a row of the heatmap begins and ends; `null` where it has no bound. */
const rowBounds = (
  row: number,
  { least, most }: Bounds,
  isLogarithmic: boolean
): readonly [number | null, number | null] => {
  const at = (index: number): number => {
    const part = index / rangeCount
    return isLogarithmic ? least * (most / least) ** part : least + (most - least) * part
  }
  return [row <= 0 ? null : at(row - 1), row > rangeCount ? null : at(row)]
}

const answered = (plan: HeatmapPlan, answer: QueryAnswer, bounds: Bounds): AnsweredRows => {
  const { isLogarithmic, numberFormat } = plan
  const index = (name: string) => answer.columns.findIndex((column) => column.name === name)
  const typeOf = (name: string) => answer.columns[index(name)]?.type ?? ""
  const read = (name: string) => {
    const reader = valueReader(typeOf(name))
    const at = index(name)
    return (row: ReadonlyArray<unknown>) => reader(row[at]) ?? null
  }
  const [time, row, count] = [read(bucketName), read(rowResult), read(countResult)]
  const rows = answer.rows.map((one) => {
    const place = Number(row(one))
    return [time(one), place, ...rowBounds(place, bounds, isLogarithmic), count(one)]
  })
  return {
    columns: [
      { name: "time", type: typeOf(bucketName), role: "time" },
      { name: "row", type: typeOf(rowResult), role: "group" },
      { name: "from", type: "Nullable(Float64)", role: "group", ...(numberFormat && { numberFormat }) },
      { name: "to", type: "Nullable(Float64)", role: "group", ...(numberFormat && { numberFormat }) },
      { name: "count", type: typeOf(countResult), role: "value" }
    ],
    ...bounded(rows, mostRows),
    hiddenSeries: 0
  }
}

const noRows: AnsweredRows = { columns: [], rows: [], hiddenSeries: 0, truncated: false }

/** The data of a heatmap: a row for each period and range of values in which there are some. */
export const runHeatmap = Effect.fnUntraced(function* (plan: HeatmapPlan, runner: QueryRunner) {
  const { boundsQuery, isLogarithmic, periods, queryOf } = plan
  const bounds = boundsOf(yield* runner.run(boundsQuery), isLogarithmic)
  const rows = bounds === undefined ? noRows : answered(plan, yield* runner.run(queryOf(bounds)), bounds)
  return runner.dataOf({ ...rows, granularitySeconds: periods.seconds }, periods.range, "heatmap")
})
