import * as Result from "effect/Result"
import { withDistinctNames } from "../answer/rowsAnswer.ts"
import type { NumberFormat } from "../../dashboard/config/chartParts.ts"
import { call, type Expression } from "../expression/Expression.ts"
import type { Named } from "../query/TableQuery.ts"
import { aggregateCall, aggregateOf, isEmptyWrong, type ValueItem, valueName } from "./aggregateOf.ts"
import { formulaExpression } from "./formulaExpression.ts"
import { anyOf, type Planned, readCondition, type TextScope } from "./texts.ts"
import type { RowTime } from "./RowTime.ts"

export type Format = typeof NumberFormat.Type

/** A value of a chart in the result of its query. */
export interface PlannedValue {
  /** As callers see it. */
  readonly name: string
  /** Its name in the result. */
  readonly result: string
  readonly expression: Expression
  readonly numberFormat?: Format | undefined
  /** The name of the number of rows that it is of: without any, there is no value. */
  readonly countedBy?: string | undefined
}

/** The values of a chart. */
export interface PlannedValues {
  readonly values: ReadonlyArray<PlannedValue>
  /** The columns of the query: those of `values`, and the numbers of rows. */
  readonly columns: ReadonlyArray<Named>
  /** The condition that a row is in one of the values, if each has one. */
  readonly where: Expression | undefined
}

/** What select items, and the chart around them, say of values. */
export interface ValueConfig {
  readonly displayType: string
  readonly select: ReadonlyArray<
    ValueItem & {
      readonly alias?: string
      readonly where?: string
      readonly whereLanguage?: string
      readonly numberFormat?: Format
    }
  >
  readonly asRatio?: boolean
  readonly numberFormat?: Format
  readonly formulas?: ReadonlyArray<{
    readonly expression: string
    readonly alias?: string
    readonly numberFormat?: Format
  }>
  readonly showOperandSeries?: boolean
}

interface Unnamed {
  readonly name: string
  readonly expression: Expression
  readonly numberFormat?: Format | undefined
  readonly count?: Expression | undefined
}

const withFormulas = (items: ReadonlyArray<Unnamed>, config: ValueConfig): ReadonlyArray<Unnamed> => {
  const { asRatio = false, displayType, formulas = [], showOperandSeries = true } = config
  const [first, second] = items
  if (asRatio && first !== undefined && second !== undefined) {
    const name = `${first.name} / ${second.name}`
    return [{ name, expression: call("divide", first.expression, second.expression) }]
  }
  if (formulas.length === 0) return displayType === "number" ? items.slice(0, 1) : items
  const operands = items.map(({ expression }) => expression)
  const computed = formulas.map(({ alias = "", expression, numberFormat }) => ({
    name: alias === "" ? expression : alias,
    expression: formulaExpression(expression, operands),
    numberFormat
  }))
  return showOperandSeries && displayType !== "number" ? [...items, ...computed] : computed
}

/** The values of a chart, from its select items. `path` is that of the chart in the request. */
export const planValues = (
  config: ValueConfig,
  path: string,
  scope: TextScope,
  time: RowTime
): Planned<PlannedValues> =>
  Result.gen(function* () {
    const items: Array<Unnamed> = []
    const conditions: Array<Expression | undefined> = []
    for (const [index, item] of config.select.entries()) {
      const at = `${path}.select.${index}`
      const where = yield* readCondition(item.where ?? "", item.whereLanguage, `${at}.where`, scope)
      const { alias = "", numberFormat } = item
      conditions.push(where)
      items.push({
        name: alias === "" ? valueName(item) : alias,
        expression: yield* aggregateOf(item, { scope, time, where, path: at }),
        numberFormat,
        count: isEmptyWrong(item) ? aggregateCall("count", [], where) : undefined
      })
    }
    const values = withDistinctNames(withFormulas(items, config)).map(
      ({ count, expression, name, numberFormat = config.numberFormat }, index) => ({
        value: { name, result: `v${index}`, expression, numberFormat, countedBy: count && `n${index}` },
        columns: [
          { name: `v${index}`, expression },
          ...(count === undefined ? [] : [{ name: `n${index}`, expression: count }])
        ]
      })
    )
    return {
      values: values.map(({ value }) => value),
      columns: values.flatMap(({ columns }) => columns),
      where: conditions.every((one) => one !== undefined) ? anyOf(conditions) : undefined
    }
  })
