export type { ObservabilityClientOptions, ObservabilityOptions } from "../ClientOptions.ts"
export { createClient } from "../chart/charts.ts"
export type {
  AnyChartData,
  ChartColumn,
  ChartData,
  ChartDataByDisplayType,
  ChartQuery,
  ChartsClient,
  ChartSearch,
  ChartSeries,
  ChartValue,
  ConfigChartQuery,
  FoundRows,
  GroupChartData,
  NumberChartData,
  SearchChartData,
  SeriesRow,
  TextChartData,
  TimeChartData
} from "../chart/ChartsClient.ts"
export type { TileConfig } from "../dashboard/DashboardsClient.ts"
export { ChartNotFoundError } from "../error/errorClasses.ts"
export * from "../everywhere.ts"
