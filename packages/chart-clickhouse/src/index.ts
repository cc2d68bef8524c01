export {
  type ChartConnection,
  type ChartWarehouse,
  ClickHouseChartEngines,
  type ClickHouseChartEnginesOptions,
  type QueryLimits
} from "./ClickHouseChartEngines.ts"
