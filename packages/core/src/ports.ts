import { Charts } from "./chart/Charts.ts"
import { BelowService } from "./dashboard/BelowService.ts"
import type { ConnectionCredentials } from "./dashboard/ConnectionCredentials.ts"
import { Connections, type OrganizationConnections } from "./dashboard/Connections.ts"
import { DashboardRoles } from "./dashboard/DashboardRoles.ts"
import { Dashboards, type OrganizationDashboards } from "./dashboard/Dashboards.ts"
import { DashboardSources, type OrganizationSources } from "./dashboard/DashboardSources.ts"
import type { OrganizationDocuments } from "./dashboard/documentKinds.ts"
import { Alerts } from "./dashboard/Alerts.ts"
import { SavedSearches } from "./dashboard/SavedSearches.ts"
import { Webhooks } from "./dashboard/Webhooks.ts"
import type { Authenticator } from "./access/Authenticator.ts"
import { ConsoleSessions, type ConsoleSignIn } from "./access/ConsoleSessions.ts"
import type { Tokens } from "./access/Tokens.ts"
import { ApiKeys } from "./key/ApiKeys.ts"
import { Roles } from "./key/Roles.ts"
import { Organizations } from "./organization/Organizations.ts"
import type { MovedPipes } from "./pipe/MovedPipes.ts"
import { Pipes } from "./pipe/Pipes.ts"
import type { PipeSimulation } from "./pipe/PipeSimulation.ts"
import type { PipeTables } from "./pipe/PipeTables.ts"
import { CdcScaling } from "./service/CdcScaling.ts"
import { ReversePrivateEndpoints } from "./service/ReversePrivateEndpoints.ts"
import { Services, type StoredServices } from "./service/Services.ts"
import type { Snapshots } from "./snapshot/Snapshots.ts"

/**
 * The ports of the operations of the contract, by API and by noun: the unions of ports, the adapter over HTTP and the gateway
 * are derived from it.
 *
 * @example
 * ```ts
 * import { ports } from "@headgate/core/adapter"
 *
 * console.log(Object.keys(ports.observability).join(" "))
 * // dashboard connection source savedSearch webhook alert chart
 * ```
 */
export const ports = {
  management: {
    organization: Organizations,
    service: Services,
    cdcScaling: CdcScaling,
    endpoint: ReversePrivateEndpoints,
    pipe: Pipes,
    key: ApiKeys,
    role: Roles,
    console: ConsoleSessions,
    serviceDashboard: BelowService(Dashboards),
    serviceSource: BelowService(DashboardSources),
    serviceSavedSearch: BelowService(SavedSearches),
    serviceWebhook: BelowService(Webhooks),
    serviceAlert: BelowService(Alerts),
    dashboardRole: BelowService(DashboardRoles),
    serviceChart: BelowService(Charts)
  },
  observability: {
    dashboard: Dashboards,
    connection: Connections,
    source: DashboardSources,
    savedSearch: SavedSearches,
    webhook: Webhooks,
    alert: Alerts,
    chart: Charts
  }
} as const

type Identifiers<Ports extends { readonly [Noun in keyof Ports]: { readonly Identifier: unknown } }> =
  Ports[keyof Ports]["Identifier"]

/** A port of the management API. */
export type ManagementPort = Identifiers<typeof ports.management>
/** A port of the observability API. */
export type ObservabilityPort = Identifiers<typeof ports.observability>

/** A port that every adapter provides which stores what both APIs answer, of all organizations. */
export type StorePort =
  | Exclude<ManagementPort, BelowService<unknown>>
  | Authenticator
  | ConnectionCredentials
  | ConsoleSignIn
  | MovedPipes
  | OrganizationConnections
  | OrganizationDashboards
  | OrganizationDocuments
  | OrganizationSources
  | PipeSimulation
  | PipeTables
  | Snapshots
  | StoredServices
  | Tokens
