import type { BelowServiceClient } from "./BelowServiceClient.ts"
import type { Closeable } from "./Closeable.ts"
import type { ChartsClient } from "./chart/ChartsClient.ts"
import type { DashboardRolesClient } from "./dashboard/DashboardRolesClient.ts"
import type { DashboardsClient } from "./dashboard/DashboardsClient.ts"
import type { AlertsClient, SavedSearchesClient, WebhooksClient } from "./dashboard/DocumentsClient.ts"
import type { ConnectionsClient, SourcesClient } from "./dashboard/SourcesClient.ts"
import type { ConsoleClient } from "./key/ConsoleClient.ts"
import type { KeysClient } from "./key/KeysClient.ts"
import type { OrganizationsClient } from "./organization/OrganizationsClient.ts"
import type { RolesClient } from "./key/RolesClient.ts"
import type { Requests } from "./Requests.ts"
import type { PipesClient } from "./pipe/PipesClient.ts"
import type { CdcScalingClient } from "./service/CdcScalingClient.ts"
import type { PrivateEndpointsClient } from "./service/PrivateEndpointsClient.ts"
import type { ServicesClient } from "./service/ServicesClient.ts"

/** The nouns of the management API. */
export interface ManagementMethods {
  /** Organizations, and who calls. */
  readonly organizations: OrganizationsClient
  /** The database services of an organization. */
  readonly services: ServicesClient
  /** The size of the replica that the database pipes of a service share. */
  readonly cdcScaling: CdcScalingClient
  /** The reverse private endpoints of a service. */
  readonly privateEndpoints: PrivateEndpointsClient
  /** The pipes of a service. */
  readonly pipes: PipesClient
  /** The API keys of an organization. */
  readonly keys: KeysClient
  /** The roles of an organization. */
  readonly roles: RolesClient
  /** The sessions of the console. */
  readonly console: ConsoleClient
  /** The dashboards of the organization, reached through a service with an API key. */
  readonly serviceDashboards: BelowServiceClient<DashboardsClient>
  /** The data sources of the organization, reached through a service with an API key. */
  readonly serviceSources: BelowServiceClient<SourcesClient>
  /** The saved searches of the organization, reached through a service with an API key. */
  readonly serviceSavedSearches: BelowServiceClient<SavedSearchesClient>
  /** The webhooks of the organization, reached through a service with an API key: without `url` for the role `developer`. */
  readonly serviceWebhooks: BelowServiceClient<WebhooksClient>
  /** The alerts of the organization, reached through a service with an API key. */
  readonly serviceAlerts: BelowServiceClient<AlertsClient>
  /** The roles of those who use dashboards, reached through a service. */
  readonly dashboardRoles: BelowServiceClient<DashboardRolesClient>
  /** The data of the organization's charts, reached through a service with an API key. */
  readonly serviceCharts: BelowServiceClient<ChartsClient>
}

/** The nouns of the observability API. */
export interface ObservabilityMethods {
  /** The dashboards of the organization of the token. */
  readonly dashboards: DashboardsClient
  /** The connections of dashboards to databases. */
  readonly connections: ConnectionsClient
  /** The data sources of dashboards. */
  readonly sources: SourcesClient
  /** The saved searches. */
  readonly savedSearches: SavedSearchesClient
  /** The webhooks that alerts are sent to. */
  readonly webhooks: WebhooksClient
  /** The alerts. */
  readonly alerts: AlertsClient
  /** The data of charts. */
  readonly charts: ChartsClient
}

/** A client of the management API. */
export interface ManagementClient extends Closeable, Requests, ManagementMethods {}

/** A client of the observability API. */
export interface ObservabilityClient extends Closeable, Requests, ObservabilityMethods {}

/**
 * A client of both APIs, as `createClient` and `createTestClient` return it: code that takes one runs with either.
 *
 * @example
 * ```ts
 * import type { HeadgateClient } from "@headgate/client"
 *
 * export const titles = async (headgate: HeadgateClient): Promise<ReadonlyArray<string>> => {
 *   const dashboards = await headgate.dashboards.list()
 *   return dashboards.map(({ name }) => name)
 * }
 * ```
 */
export interface HeadgateClient extends ManagementClient, ObservabilityClient {}

/** A client of which the compiler does not know the APIs: the methods of an API that was not given are `undefined`. */
export type PartialClient = Closeable & Requests & Partial<HeadgateClient>
