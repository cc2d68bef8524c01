export { assignIds } from "./assignIds.ts"
export { Dashboard } from "./Dashboard.ts"
export { DashboardCreate } from "./DashboardCreate.ts"
export { DashboardDocuments } from "./DashboardDocuments.ts"
export { DashboardId, TileId } from "./DashboardId.ts"
export { Dashboards } from "./Dashboards.ts"
export { OrganizationDashboards } from "./OrganizationDashboards.ts"
export {
  aggregationFunctions,
  dataSources,
  metricDataTypes,
  Series,
  SeriesCreate,
  seriesTypes,
  whereLanguages
} from "./Series.ts"
export { Tile, TileCreate } from "./Tile.ts"
