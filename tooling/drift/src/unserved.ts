/** A path of the real service that this server does not serve, with all paths below it. */
export interface UnservedPath {
  readonly path: string
  readonly reason: string
  /** Whether no published document has it: it is known from the source of the real service. */
  readonly isUnpublished?: true
}

const organization = "/v1/organizations/{organizationId}"
const service = `${organization}/services/{serviceId}`

const below = (above: string, reasons: Readonly<Record<string, string>>): ReadonlyArray<UnservedPath> =>
  Object.entries(reasons).map(([name, reason]) => ({ path: `${above}/${name}`, reason }))

/**
 * From this, `npm run drift:write` makes the list of the server (`apps/server/src/http/unservedPaths.ts`) and that of
 * `docs/compatibility.md`. `npm run check` holds that it covers every published path that is not served.
 */
export const unservedPaths: ReadonlyArray<UnservedPath> = [
  ...below(organization, {
    activeBalances: "bills",
    activities: "activity",
    byocInfrastructure: "infrastructure in an account of the caller",
    creditBalances: "bills",
    invitations: "people",
    members: "people",
    notificationTypes: "notifications",
    notifications: "notifications",
    postgres: "Postgres services",
    privateEndpointConfig: "endpoints of services",
    prometheus: "metrics of services",
    quotas: "quotas",
    serviceProfiles: "sizes of services",
    udfUploads: "user-defined functions",
    udfs: "user-defined functions",
    usageCost: "usage"
  }),
  ...below(service, {
    backupBucket: "backups",
    backupConfiguration: "backups",
    backups: "backups",
    clickhouseSettings: "settings of the database",
    password: "the database",
    privateEndpoint: "endpoints of services",
    privateEndpointConfig: "endpoints of services",
    prometheus: "metrics of services",
    "query-api-endpoints": "query endpoints",
    replicaAwareRouting: "routing of queries",
    replicaScaling: "scaling",
    "saved-queries": "queries of the database",
    scaling: "scaling",
    scalingSchedule: "scaling",
    serviceQueryEndpoint: "query endpoints",
    snapshotConfiguration: "backups",
    snapshots: "backups",
    upgradeWindow: "upgrades"
  }),
  // The document of this API has the dashboards alone.
  ...below("/api/v2", {
    roles: "roles of dashboards",
    team: "teams of dashboards",
    teams: "teams of dashboards"
  }).map((unserved) => ({ ...unserved, isUnpublished: true as const }))
]
