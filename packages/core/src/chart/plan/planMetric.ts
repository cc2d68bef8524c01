import * as Result from "effect/Result"
import { call, column, type Expression, literal, number } from "../expression/Expression.ts"
import { type ColumnType, columnTypeOf } from "../query/ColumnType.ts"
import type { GroupedQuery, Named, QuerySource } from "../query/TableQuery.ts"
import { aggregateCall, aggregateOf, valueName } from "./aggregateOf.ts"
import type { ChartInput } from "./ChartInput.ts"
import type { TimeRange } from "./Periods.ts"
import {
  bucketName,
  type GroupedConfig,
  type GroupedPlan,
  groupedPlan,
  namedGroups,
  type PlannedGroup,
  planGroups,
  planPeriods,
  planShape,
  type QueryOf
} from "./planGrouped.ts"
import { allOf, type Planned, readCondition, readExpression, refuse } from "./texts.ts"
import { periodExpression, rangeCondition, type RowTime } from "./RowTime.ts"
import type { PlannedValue } from "./planValues.ts"

/** The select item of a metric. */
interface MetricItem {
  readonly metricName?: string
  readonly metricType?: string
  readonly periodAggFn?: string
}

interface MetricConfig extends GroupedConfig {
  readonly select: ReadonlyArray<GroupedConfig["select"][number] & MetricItem>
}

/** The value of a series in a period, and the time of its last row, in the results of inner queries. */
const valueResult = "value"
const timeResult = "time"
const seriesResult = "series"

const float: ColumnType = columnTypeOf("Float64")
const innerTime: RowTime = { precise: { expression: column(timeResult), kind: "time" }, others: [] }

/** The most groups of a chart of increases. */
const mostIncreases = 20
// Every series of every period is read: the limit is that of the outer query.
const unlimited = 1_000_000_000

/** What tells one series of a metric from another. */
const seriesExpression = call(
  "cityHash64",
  ...["ScopeAttributes", "ResourceAttributes", "Attributes"].map((name) => column(name))
)

const columnsNeeded = ["MetricName", "ScopeAttributes", "ResourceAttributes", "Attributes"]

/** How a metric is read in a range: the source of the inner query, and its value for a series and period. */
interface Reading {
  readonly from: QuerySource
  readonly where: Expression | undefined
  readonly series: Expression
  readonly groups: ReadonlyArray<Named>
  readonly time: RowTime
  readonly value: Expression
}

/** What the two kinds of metrics are read from. */
interface MetricInput {
  readonly input: ChartInput
  readonly groups: ReadonlyArray<PlannedGroup>
  readonly value: Expression
  readonly where: Expression | undefined
}

const seconds = (time: Expression): Expression => call("toUnixTimestamp", time)

/** A gauge: the last value of a series in a period; with `delta`, its change over the period, were it as long as the period. */
const readGauge = (
  { groups, input, value, where }: MetricInput,
  isDelta: boolean,
  range: TimeRange,
  length: number
): Reading => {
  const { isEndIncluded = false, time, zone } = input
  const at = time.precise.expression
  const between = call("minus", seconds(call("max", at)), seconds(call("min", at)))
  const change = call("minus", call("argMax", value, at), call("argMin", value, at))
  const rate = call("divide", call("multiply", change, number(length)), between)
  return {
    from: input.table,
    where: allOf([rangeCondition(time, range, { isEndIncluded, zone }), where]),
    series: seriesExpression,
    groups: namedGroups(groups),
    time,
    value: isDelta
      ? call("if", call("equals", between, number(0)), call("toFloat64", number(0)), rate)
      : call("argMax", value, at)
  }
}

/** A sum: how much it has risen in a period. One period more on each side is read, so that the first row is no first one. */
const readSum = ({ groups, input, value, where }: MetricInput, range: TimeRange, length: number): Reading => {
  const { isEndIncluded = false, table, time, zone } = input
  const wide = { from: range.from - length * 1000, to: range.to + length * 1000 }
  const at = { precise: { expression: column(timeResult), kind: "time" as const }, others: [] }
  return {
    from: {
      _tag: "Counter",
      from: table,
      where: allOf([rangeCondition(time, wide, { zone }), where]),
      series: seriesExpression,
      time: time.precise.expression,
      value,
      isDifference: call("equals", column("AggregationTemporality"), number(1)),
      increase: valueResult,
      columns: [
        { name: timeResult, expression: time.precise.expression },
        { name: seriesResult, expression: seriesExpression },
        ...namedGroups(groups)
      ]
    },
    where: rangeCondition(at, range, { isEndIncluded }),
    series: column(seriesResult),
    groups: groups.map(({ result }) => ({ name: result, expression: column(result) })),
    time: at,
    value: call("sum", column(valueResult))
  }
}

/** The value of a chart over those of the series of a metric. */
const overSeries = (item: MetricConfig["select"][number], isSum: boolean, path: string): Planned<Expression> => {
  const isIncrease = item.aggFn === "increase" && isSum
  const scope = { columns: new Map([[valueResult, float]]), implicit: [] }
  return aggregateOf(
    { ...item, aggFn: isIncrease ? "sum" : item.aggFn, valueExpression: item.aggFn === "count" ? "" : valueResult },
    { scope, time: innerTime, where: undefined, path }
  )
}

const checkMetric = (config: MetricConfig, { path, table }: ChartInput): Planned<MetricConfig["select"][number]> => {
  const [item, ...others] = config.select
  if (item === undefined || others.length > 0 || (config.formulas?.length ?? 0) > 0 || config.asRatio === true) {
    return refuse(`${path}.select`, "Charts of metrics with several select items or formulas are not queried")
  }
  if (item.metricName === undefined || item.metricName === "") {
    return refuse(`${path}.select.0.metricName`, "A source of metrics needs the name of the metric")
  }
  const needed = item.metricType === "sum" ? [...columnsNeeded, "AggregationTemporality"] : columnsNeeded
  const missing = needed.find((name) => !table.columns.has(name))
  return missing === undefined ? Result.succeed(item) : refuse(path, `The table of the metric has no column ${missing}`)
}

const secondsOf = ({ from, to }: TimeRange): number => Math.max((to - from) / 1000, 1)

/** Plans a chart of one metric, of the type gauge or sum: first by series and period, then over the series. */
export const planMetric = (config: MetricConfig, input: ChartInput): Planned<GroupedPlan> =>
  Result.gen(function* () {
    const { conditions, path, scope } = input
    const item = yield* checkMetric(config, input)
    const isSum = item.metricType === "sum"
    const at = `${path}.select.0`
    const { alias = "", valueExpression = "" } = item
    const text = valueExpression.trim() === "" ? "Value" : valueExpression
    const value = yield* readExpression(text, `${at}.valueExpression`, scope)
    const condition = yield* readCondition(item.where ?? "", item.whereLanguage, `${at}.where`, scope)
    const named = call("equals", column("MetricName"), literal(item.metricName ?? ""))
    const groups = yield* planGroups(config, input)
    const expression = yield* overSeries(item, isSum, at)
    const values: ReadonlyArray<PlannedValue> = [
      {
        name: alias === "" ? valueName(item) : alias,
        result: "v0",
        expression,
        numberFormat: item.numberFormat ?? config.numberFormat,
        countedBy: "n0"
      }
    ]
    const { added, limit, ...shape } = yield* planShape(config, groups, values, input)
    const periods = yield* planPeriods(config, input)
    const metric: MetricInput = { input, groups, value, where: allOf([named, ...conditions, condition]) }
    const queryOf: QueryOf = (range, { seconds, zone } = { seconds: 0, range, zone: input.zone, starts: [] }) => {
      const length = seconds === 0 ? secondsOf(range) : seconds
      const reading = isSum
        ? readSum(metric, range, length)
        : readGauge(metric, item.periodAggFn === "delta", range, length)
      return outerQuery(reading, seconds === 0 ? undefined : periodExpression(reading.time, { seconds, zone }), {
        groups,
        values: [
          { name: "v0", expression },
          { name: "n0", expression: aggregateCall("count", [], undefined) },
          ...added
        ],
        ...shape,
        mostSeries: item.aggFn === "increase" && groups.length > 0 ? mostIncreases : shape.mostSeries,
        limit: limit + 1
      })
    }
    return groupedPlan(config, input, { queryOf, groups, values, periods, limit })
  })

type Outer = Pick<GroupedQuery, "values" | "having" | "orderBy" | "limit" | "mostSeries"> & {
  readonly groups: ReadonlyArray<PlannedGroup>
}

/** The query over the series of a metric. */
const outerQuery = (
  { from, groups, series, time, value, where }: Reading,
  period: Expression | undefined,
  outer: Outer
): GroupedQuery => {
  const bucket = period === undefined ? undefined : { name: bucketName, expression: period }
  return {
    _tag: "Grouped",
    from: {
      _tag: "Grouped",
      from,
      where,
      groups: [{ name: seriesResult, expression: series }, ...groups],
      bucket,
      values: [
        { name: valueResult, expression: value },
        { name: timeResult, expression: call("max", time.precise.expression) }
      ],
      orderBy: [],
      limit: unlimited
    },
    ...outer,
    groups: outer.groups.map(({ result }) => ({ name: result, expression: column(result) })),
    bucket: bucket && { name: bucketName, expression: column(bucketName) }
  }
}
