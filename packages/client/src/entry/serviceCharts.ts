export type { BelowServiceClient } from "../BelowServiceClient.ts"
export type { ApiKeyCredentials, ManagementClientOptions, ManagementOptions } from "../ClientOptions.ts"
export { createClient } from "../chart/serviceCharts.ts"
export type { ServiceAddress } from "../addresses.ts"
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
