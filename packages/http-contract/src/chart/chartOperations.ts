import { ChartData, ChartQuery, ChartSearch, ChartSeries, FoundRows, SeriesData } from "@headgate/core"
import type { Dialect } from "../Dialect.ts"
import { noParams, type Operation } from "../Operation.ts"

/**
 * The operations on the data of charts in the observability API: the same in every dialect. They change nothing. Contract:
 * docs/wire-contract.md#charts.
 *
 * @example
 * ```ts
 * import { chartOperations, neutral } from "@headgate/http-contract"
 *
 * const { method, path, permission } = chartOperations(neutral).query
 * console.log(method, path, permission) // POST /api/v2/charts/query chart:query
 * ```
 */
export const chartOperations = (_dialect: Dialect) =>
  ({
    query: {
      api: "observability",
      method: "POST",
      path: "/api/v2/charts/query",
      permission: "chart:query",
      params: noParams,
      payload: ChartQuery,
      success: ChartData,
      notFound: "ChartNotFound",
      errors: ["NOT_FOUND", "FAILED_DEPENDENCY"],
      isRepeatable: true,
      stability: "beta",
      documentsSession: true,
      summary: "Read the data of a chart"
    } satisfies Operation<{}, ChartQuery, ChartData, "ChartNotFound">,
    series: {
      api: "observability",
      method: "POST",
      path: "/api/v2/charts/series",
      permission: "chart:query",
      params: noParams,
      payload: ChartSeries,
      success: SeriesData,
      notFound: "ChartNotFound",
      errors: ["NOT_FOUND", "FAILED_DEPENDENCY"],
      errorField: "error",
      isRepeatable: true,
      stability: "beta",
      summary: "Read series over time"
    } satisfies Operation<{}, ChartSeries, SeriesData, "ChartNotFound">,
    search: {
      api: "observability",
      method: "POST",
      path: "/api/v2/search",
      permission: "chart:query",
      params: noParams,
      payload: ChartSearch,
      success: FoundRows,
      envelope: "none",
      notFound: "ChartNotFound",
      errors: ["NOT_FOUND", "FAILED_DEPENDENCY"],
      isRepeatable: true,
      stability: "beta",
      summary: "Search the rows of a data source"
    } satisfies Operation<{}, ChartSearch, FoundRows, "ChartNotFound">
  }) as const
