import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { DashboardSource } from "../../dashboard/DashboardSources.ts"
import { objectOf, objectsOf } from "../../dashboard/config/Issues.ts"
import type { ChartTable } from "../query/TableQuery.ts"
import { type Planned, readList, refuse, type TextScope } from "./texts.ts"

/** A text that a source has beside its known fields; empty if it has none. */
export const sourceText = (source: DashboardSource, field: string): string => {
  const value = source[field]
  return Predicate.isString(value) ? value : ""
}

/** The settings of queries that a source asks for. */
export const querySettings = (
  source: DashboardSource
): ReadonlyArray<{ readonly setting: string; readonly value: string }> =>
  objectsOf(source.querySettings).flatMap(({ setting, value }) =>
    Predicate.isString(setting) && (Predicate.isString(value) || Predicate.isNumber(value))
      ? [{ setting, value: String(value) }]
      : []
  )

/** The types of metrics that are queried. */
const queriedMetrics = ["gauge", "sum"]

/** The name of the table of a source, for a source of metrics that of a type of metrics. `path` is that of the type in the request. */
export const tableNameOf = (source: DashboardSource, metricType: string | undefined, path: string): Planned<string> => {
  if (source.kind === "promql") return refuse(path, "Sources of the kind promql are not queried")
  if (source.kind !== "metric") {
    const name = source.from?.tableName ?? ""
    return name === "" ? refuse(path, "The source names no table: set from.tableName") : Result.succeed(name)
  }
  if (metricType === undefined) return refuse(path, "A source of metrics needs the type of the metric")
  if (!queriedMetrics.includes(metricType)) {
    return refuse(path, `Metrics of the type ${metricType} are not queried`)
  }
  const name = objectOf(source.metricTables)?.[metricType]
  return Predicate.isString(name) && name !== ""
    ? Result.succeed(name)
    : refuse(path, `The source names no table for metrics of the type ${metricType}`)
}

/** What the texts of charts of a source may name. */
export const scopeOf = (source: DashboardSource, { columns }: ChartTable): TextScope => {
  const implicit = sourceText(source, "implicitColumnExpression").trim()
  const text = implicit === "" ? sourceText(source, "bodyExpression") : implicit
  const items = Result.getOrElse(readList(text, "", { columns }), () => [])
  return {
    columns,
    implicit: items.flatMap(({ expression }) => (expression._tag === "Column" ? [expression.name] : []))
  }
}
