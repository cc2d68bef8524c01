export type { BelowServiceClient } from "../BelowServiceClient.ts"
export type { ApiKeyCredentials, ManagementClientOptions, ManagementOptions } from "../ClientOptions.ts"
export { createClient } from "../dashboard/serviceDashboards.ts"
export type { ServiceAddress } from "../addresses.ts"
export type {
  Dashboard,
  DashboardCreate,
  DashboardDocument,
  DashboardsClient,
  DashboardUpdate,
  DashboardValidation,
  TileConfig
} from "../dashboard/DashboardsClient.ts"
export { DashboardNotFoundError, ServiceNotFoundError } from "../error/errorClasses.ts"
export * from "../everywhere.ts"
