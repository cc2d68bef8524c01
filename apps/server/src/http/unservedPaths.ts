import type { Route } from "./Dispatcher.ts"

const organization = "/v1/organizations/:organizationId"
const service = `${organization}/services/:serviceId`

/**
 * The paths of the real service that this server does not serve, with all paths below them. They get a 405: its official
 * clients read a 404 as "the resource is gone" and drop the resource from their state. `docs/compatibility.md` lists them.
 */
export const unservedPaths: ReadonlyArray<Route["path"]> = [
  ...[
    "activeBalances",
    "activities",
    "byocInfrastructure",
    "creditBalances",
    "invitations",
    "members",
    "postgres",
    "privateEndpointConfig",
    "prometheus",
    "quotas",
    "serviceProfiles",
    "udfUploads",
    "udfs",
    "usageCost"
  ].map((name) => `${organization}/${name}` as const),
  ...[
    "backupBucket",
    "backupConfiguration",
    "backups",
    "clickhouseSettings",
    "clickstack/alerts",
    "clickstack/roles",
    "clickstack/saved-searches",
    "clickstack/sources",
    "clickstack/webhooks",
    "password",
    "privateEndpoint",
    "privateEndpointConfig",
    "prometheus",
    "query-api-endpoints",
    "replicaScaling",
    "scaling",
    "scalingSchedule",
    "serviceQueryEndpoint",
    "snapshotConfiguration",
    "snapshots",
    "upgradeWindow"
  ].map((name) => `${service}/${name}` as const),
  ...["charts", "roles", "teams"].map((name) => `/api/v2/${name}` as const)
]
