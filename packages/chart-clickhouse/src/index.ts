export { ClickHouseChartEngines } from "./ClickHouseChartEngines.ts"
export type { ChartConnection, ChartWarehouse, ClickHouseChartEnginesOptions, QueryLimits } from "./engine/options.ts"
