import type { Route } from "./Dispatcher.ts"

/**
 * The paths of the real service that this server does not serve, with all paths below them. They get a 405: its official
 * clients read a 404 as "the resource is gone" and drop the resource from their state. `npm run drift:write` makes this
 * file of `tooling/drift/src/unserved.ts`.
 */
export const unservedPaths: ReadonlyArray<Route["path"]> = [
  "/v1/organizations/:organizationId/activeBalances",
  "/v1/organizations/:organizationId/activities",
  "/v1/organizations/:organizationId/byocInfrastructure",
  "/v1/organizations/:organizationId/creditBalances",
  "/v1/organizations/:organizationId/invitations",
  "/v1/organizations/:organizationId/members",
  "/v1/organizations/:organizationId/notificationTypes",
  "/v1/organizations/:organizationId/notifications",
  "/v1/organizations/:organizationId/postgres",
  "/v1/organizations/:organizationId/privateEndpointConfig",
  "/v1/organizations/:organizationId/prometheus",
  "/v1/organizations/:organizationId/quotas",
  "/v1/organizations/:organizationId/serviceProfiles",
  "/v1/organizations/:organizationId/udfUploads",
  "/v1/organizations/:organizationId/udfs",
  "/v1/organizations/:organizationId/usageCost",
  "/v1/organizations/:organizationId/services/:serviceId/backupBucket",
  "/v1/organizations/:organizationId/services/:serviceId/backupConfiguration",
  "/v1/organizations/:organizationId/services/:serviceId/backups",
  "/v1/organizations/:organizationId/services/:serviceId/clickhouseSettings",
  "/v1/organizations/:organizationId/services/:serviceId/password",
  "/v1/organizations/:organizationId/services/:serviceId/privateEndpoint",
  "/v1/organizations/:organizationId/services/:serviceId/privateEndpointConfig",
  "/v1/organizations/:organizationId/services/:serviceId/prometheus",
  "/v1/organizations/:organizationId/services/:serviceId/query-api-endpoints",
  "/v1/organizations/:organizationId/services/:serviceId/replicaAwareRouting",
  "/v1/organizations/:organizationId/services/:serviceId/replicaScaling",
  "/v1/organizations/:organizationId/services/:serviceId/saved-queries",
  "/v1/organizations/:organizationId/services/:serviceId/scaling",
  "/v1/organizations/:organizationId/services/:serviceId/scalingSchedule",
  "/v1/organizations/:organizationId/services/:serviceId/serviceQueryEndpoint",
  "/v1/organizations/:organizationId/services/:serviceId/snapshotConfiguration",
  "/v1/organizations/:organizationId/services/:serviceId/snapshots",
  "/v1/organizations/:organizationId/services/:serviceId/upgradeWindow",
  "/api/v2/roles",
  "/api/v2/team",
  "/api/v2/teams"
]
