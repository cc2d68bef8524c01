import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { ChartQuery } from "../ChartQuery.ts"
import type { Dashboard } from "../../dashboard/Dashboard.ts"
import { type JsonObject, objectOf, objectsOf } from "../../dashboard/config/Issues.ts"
import { variableOf } from "../../dashboard/config/filters.ts"
import { call, type Expression, literal, number } from "../expression/Expression.ts"
import { kindOf } from "../expression/kindOf.ts"
import { anyOf, type Planned, readCondition, readExpression, refuse, type TextScope } from "./texts.ts"

/** What is chosen for a filter. */
export type Chosen = NonNullable<ChartQuery["filters"]>[number]

/** A filter of a dashboard, and what is chosen for it. */
export interface ChosenFilter {
  readonly filter: JsonObject
  readonly chosen: Chosen
  readonly path: string
}

/** The filters of a dashboard that something is chosen for: named by their ids, or by their names or those of their variables. */
export const chosenFilters = (
  dashboard: Dashboard | undefined,
  chosen: ReadonlyArray<Chosen>
): Planned<ReadonlyArray<ChosenFilter>> => {
  const filters = objectsOf(dashboard?.filters)
  return Result.all(
    chosen.map((one, index): Planned<ChosenFilter> => {
      const path = `filters.${index}`
      const { filterId } = one
      const filter =
        filters.find(({ id }) => id === filterId) ??
        filters.find((filter) => filter.name === filterId || variableOf(filter) === filterId)
      return filter === undefined
        ? refuse(`${path}.filterId`, `The dashboard has no filter ${JSON.stringify(filterId)}`)
        : Result.succeed({ filter, chosen: one, path })
    })
  )
}

/** Whether a filter filters the rows of a source. */
export const filtersSource = ({ filter }: ChosenFilter, sourceId: string): boolean => {
  const { appliesToSourceIds, isBroadcastEnabled, type } = filter
  if (isBroadcastEnabled === false || (type !== "QUERY_EXPRESSION" && type !== "SOURCE_FILTER")) return false
  const listed = Array.isArray(appliesToSourceIds) ? appliesToSourceIds : []
  return listed.length === 0 || filter.sourceId === sourceId || listed.includes(sourceId)
}

const plainNumber = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A value of a filter as one of its expression. `undefined`: the expression has no such value. */
const valueOf = (text: string, kind: string): Expression | undefined => {
  switch (kind) {
    case "number": {
      if (!plainNumber.test(text)) return undefined
      const digits: Expression = { _tag: "Literal", value: { _tag: "NumberText", text: text.replace(/^-/, "") } }
      return text.startsWith("-") ? call("negate", digits) : digits
    }
    case "boolean":
      return text === "true" || text === "false" ? literal(text === "true") : undefined
    case "time":
      return call("parseDateTime64BestEffort", literal(text), number(9), literal("UTC"))
    case "date":
      return call("toDate", call("parseDateTime64BestEffort", literal(text), number(9), literal("UTC")))
    default:
      return literal(text)
  }
}

const membership = (
  expression: Expression,
  texts: ReadonlyArray<string>,
  kind: string,
  path: string
): Planned<Expression | undefined> => {
  const values: Array<Expression> = []
  for (const [index, text] of texts.entries()) {
    const value = valueOf(text, kind)
    if (value === undefined) return refuse(`${path}.${index}`, `Expected a ${kind}, as the values of the filter are`)
    values.push(value)
  }
  if (values.length === 0) return Result.succeed(undefined)
  return Result.succeed(
    values.every(({ _tag }) => _tag === "Literal")
      ? call("in", expression, call("tuple", ...values))
      : anyOf(values.map((value) => call("equals", expression, value)))
  )
}

/** The condition of what is chosen for a filter. */
const conditionOf = ({ chosen, filter, path }: ChosenFilter, scope: TextScope): Planned<ReadonlyArray<Expression>> =>
  Result.gen(function* () {
    const text = Predicate.isString(filter.expression) ? filter.expression : ""
    const expression = yield* readExpression(text, `${path}.expression`, scope)
    const kind = kindOf(expression, scope.columns)
    const included = yield* membership(expression, chosen.in ?? [], kind, `${path}.in`)
    const excluded = yield* membership(expression, chosen.notIn ?? [], kind, `${path}.notIn`)
    const isTime = kind === "time" || kind === "date"
    const bound = (value: number) =>
      isTime ? call("fromUnixTimestamp64Milli", number(Math.round(value))) : number(value)
    const [least, most] = chosen.between ?? []
    return [
      ...(included === undefined ? [] : [included]),
      ...(excluded === undefined ? [] : [call("not", excluded)]),
      ...(least === undefined ? [] : [call("greaterOrEquals", expression, bound(least))]),
      ...(most === undefined ? [] : [call("lessOrEquals", expression, bound(most))])
    ]
  })

/** The SQL conditions that are set when a dashboard is opened. */
export const savedConditions = (
  dashboard: Dashboard | undefined
): ReadonlyArray<{ readonly condition: string; readonly path: string }> =>
  (dashboard?.savedFilterValues ?? []).flatMap((saved: unknown, index) => {
    const { condition } = objectOf(saved) ?? {}
    return Predicate.isString(condition) ? [{ condition, path: `dashboard.savedFilterValues.${index}.condition` }] : []
  })

/**
 * The conditions around a chart: the saved query of its dashboard, `where` of the request, and what is chosen for the filters. Without
 * `filters` in the request it is what is chosen when the dashboard is opened.
 */
export const dashboardConditions = (
  { filters, where = "", whereLanguage }: Pick<ChartQuery, "filters" | "where" | "whereLanguage">,
  dashboard: Dashboard | undefined,
  sourceId: string,
  scope: TextScope
): Planned<ReadonlyArray<Expression>> =>
  Result.gen(function* () {
    const found: Array<Expression | undefined> = []
    const { savedQuery, savedQueryLanguage } = dashboard ?? {}
    found.push(yield* readCondition(savedQuery ?? "", savedQueryLanguage, "dashboard.savedQuery", scope))
    found.push(yield* readCondition(where, whereLanguage, "where", scope))
    for (const one of yield* chosenFilters(dashboard, filters ?? [])) {
      if (filtersSource(one, sourceId)) found.push(...(yield* conditionOf(one, scope)))
    }
    for (const { condition, path } of filters === undefined ? savedConditions(dashboard) : []) {
      found.push(yield* readCondition(condition, "sql", path, scope))
    }
    return found.filter((one) => one !== undefined)
  })
