export type { ObservabilityClientOptions, ObservabilityOptions } from "../ClientOptions.ts"
export { createClient } from "../dashboard/dashboards.ts"
export type {
  Dashboard,
  DashboardCreate,
  DashboardDocument,
  DashboardsClient,
  DashboardUpdate,
  DashboardValidation,
  TileConfig
} from "../dashboard/DashboardsClient.ts"
export { DashboardNotFoundError } from "../error/errorClasses.ts"
export * from "../everywhere.ts"
