export type { BelowServiceClient } from "../BelowServiceClient.ts"
export type { ApiKeyCredentials, ManagementClientOptions, ManagementOptions } from "../ClientOptions.ts"
export { createClient } from "../dashboard/dashboardRoles.ts"
export type { ServiceAddress } from "../addresses.ts"
export type {
  DashboardRole,
  DashboardRoleCreate,
  DashboardRolesClient,
  DashboardRoleUpdate
} from "../dashboard/DashboardRolesClient.ts"
export { DashboardRoleNotFoundError, ServiceNotFoundError } from "../error/errorClasses.ts"
export * from "../everywhere.ts"
