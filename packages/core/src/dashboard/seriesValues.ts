/**
 * The known chart types of a series: those of the service. Contract: docs/wire-contract.md#dashboards.
 */
export const seriesTypes = ["time", "table", "number", "histogram", "search", "markdown"] as const
/** The known data sources of a series, as {@link seriesTypes}. */
export const dataSources = ["events", "metrics"] as const
/** The known aggregation functions, as {@link seriesTypes}. */
export const aggregationFunctions = [
  "avg",
  "count",
  "count_distinct",
  "last_value",
  "max",
  "min",
  "quantile",
  "sum",
  "any",
  "none",
  "increase"
] as const
/** The known languages of a filter expression, as {@link seriesTypes}. */
export const whereLanguages = ["lucene", "sql", "promql"] as const
/** The known types of a metric, as {@link seriesTypes}. */
export const metricDataTypes = ["sum", "gauge", "histogram", "summary", "exponential histogram"] as const
