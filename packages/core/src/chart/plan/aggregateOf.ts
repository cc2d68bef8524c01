import * as Result from "effect/Result"
import { call, type Expression } from "../expression/Expression.ts"
import { kindOf } from "../expression/kindOf.ts"
import type { RowTime } from "./RowTime.ts"
import { type Planned, readExpression, refuse, type TextScope } from "./texts.ts"

/** A value of a chart, as a select item has it. */
export interface ValueItem {
  readonly aggFn: string
  readonly valueExpression?: string | undefined
  readonly level?: number | undefined
}

interface AggregateInput {
  readonly scope: TextScope
  readonly time: RowTime
  /** The condition of the rows of this value. */
  readonly where: Expression | undefined
  /** The path of the item in the request. */
  readonly path: string
}

/** An aggregate with a level: `quantile(0.95)(x)`. */
export const withLevel = (expression: Expression, level: number): Expression =>
  expression._tag === "Call" ? { ...expression, parameters: [{ _tag: "NumberText", text: String(level) }] } : expression

/** An aggregate over the rows for which a condition holds. */
export const aggregateCall = (
  name: string,
  args: ReadonlyArray<Expression>,
  where: Expression | undefined
): Expression => (where === undefined ? call(name, ...args) : call(`${name}If`, ...args, where))

const numeric = ["sum", "avg", "min", "max", "quantile"]
const isWhole = ["count", "count_distinct", "any", "last_value"]

const wide = /^(?:(?:LowCardinality|Nullable)\()*U?Int64\)*$/

/**
 * A number that a mean is of. The engine adds whole numbers up in 64 bits and drops what does not fit, also for a mean: of ten times in
 * nanoseconds since 1970 it would be a number below all of them.
 */
const averaged = (value: Expression, { scope }: AggregateInput): Expression => {
  const type = value._tag === "Column" ? scope.columns.get(value.name)?.text : undefined
  return type !== undefined && !wide.test(type) ? value : call("toFloat64", value)
}

/** What is calculated with, of a value: numbers as they are; of texts those that are numbers, and NULL for others. */
const calculated = (value: Expression, aggFn: string, input: AggregateInput): Planned<Expression> => {
  const { path, scope } = input
  const kind = kindOf(value, scope.columns)
  switch (kind) {
    case "text":
      return Result.succeed(call("toFloat64OrNull", value))
    case "json":
    case "other":
      return Result.succeed(call("toFloat64OrNull", call("toString", value)))
    case "number":
      return Result.succeed(aggFn === "avg" ? averaged(value, input) : value)
    case "boolean":
      return Result.succeed(value)
    case "time":
    case "date":
      return aggFn === "min" || aggFn === "max"
        ? Result.succeed(value)
        : refuse(`${path}.valueExpression`, `${aggFn} needs numbers, and these values are of the kind ${kind}`)
    default:
      return refuse(`${path}.valueExpression`, `${aggFn} needs numbers, and these values are of the kind ${kind}`)
  }
}

/** The aggregate functions of charts that are functions of the engine with another name. */
const names = new Map([
  ["count_distinct", "uniqExact"],
  ["last_value", "argMax"]
])

/** The expression of a select item: an aggregate over the rows of a group. */
export const aggregateOf = (item: ValueItem, input: AggregateInput): Planned<Expression> =>
  Result.gen(function* () {
    const { path, scope, time, where } = input
    const { aggFn, level = 0.5, valueExpression = "" } = item
    if (aggFn === "increase") return yield* refuse(`${path}.aggFn`, "increase is only for metrics of the type sum")
    if (aggFn === "none") {
      if (where !== undefined)
        return yield* refuse(`${path}.where`, "A value without an aggregate function has no where")
      return yield* readExpression(valueExpression, `${path}.valueExpression`, scope, "required")
    }
    if (aggFn === "count") return aggregateCall("count", [], where)
    const value = yield* readExpression(valueExpression, `${path}.valueExpression`, scope)
    if (numeric.includes(aggFn)) {
      const numbers = yield* calculated(value, aggFn, input)
      const aggregate = aggregateCall(aggFn, [numbers], where)
      return aggFn === "quantile" ? withLevel(aggregate, level) : aggregate
    }
    if (!isWhole.includes(aggFn)) return yield* refuse(`${path}.aggFn`, `${aggFn} is not an aggregate function`)
    const args = aggFn === "last_value" ? [value, time.precise.expression] : [value]
    return aggregateCall(names.get(aggFn) ?? aggFn, args, where)
  })

/** The name of a value without an alias. */
export const valueName = ({ aggFn, level, valueExpression = "" }: ValueItem): string => {
  if (aggFn === "none") return valueExpression
  if (aggFn === "quantile") return `quantile(${level ?? 0.5})(${valueExpression})`
  return `${aggFn}(${valueExpression})`
}

/** Whether an aggregate of no rows would be the value of a row that is not there: 0 or an empty text. */
export const isEmptyWrong = ({ aggFn }: ValueItem): boolean => ["min", "max", "any", "last_value"].includes(aggFn)
