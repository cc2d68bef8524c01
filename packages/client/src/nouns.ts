import * as Core from "@headgate/core"
import { ConsoleSessions } from "@headgate/core/adapter"
import {
  alertOperations,
  cdcScalingOperations,
  chartOperations,
  connectionOperations,
  consoleOperations,
  dashboardOperations,
  dashboardRoleOperations,
  endpointOperations,
  keyOperations,
  neutral,
  organizationOperations,
  pipeOperations,
  roleOperations,
  savedSearchOperations,
  serviceOperations,
  sourceOperations,
  webhookOperations
} from "@headgate/http-contract"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import type { Closeable, ManagementClient, ObservabilityClient } from "./HeadgateClient.ts"
import { validateInput } from "./Input.ts"
import { promisesOf } from "./promisesOf.ts"
import type { Run } from "./Runner.ts"
import type { ChartsClient, UntypedChartsClient } from "./chart/ChartsClient.ts"
import type { DashboardRolesClient } from "./dashboard/DashboardRolesClient.ts"
import type { BelowServiceClient, DashboardsClient } from "./dashboard/DashboardsClient.ts"
import type { AlertsClient, SavedSearchesClient, WebhooksClient } from "./dashboard/DocumentsClient.ts"
import type { ConnectionsClient, SourcesClient } from "./dashboard/SourcesClient.ts"
import type { ConsoleClient } from "./key/ConsoleClient.ts"
import type { KeysClient } from "./key/KeysClient.ts"
import type { RolesClient } from "./key/RolesClient.ts"
import type { OrganizationsClient } from "./organization/OrganizationsClient.ts"
import type { PipesClient } from "./pipe/PipesClient.ts"
import { waitFor } from "./pipe/waitFor.ts"
import type { CdcScalingClient } from "./service/CdcScalingClient.ts"
import type { PrivateEndpointsClient } from "./service/PrivateEndpointsClient.ts"
import type { ServicesClient } from "./service/ServicesClient.ts"

/** How each noun of a client is made, over the adapter that runs the calls. */
type Nouns<R, Client> = {
  readonly [Noun in Exclude<keyof Client, keyof Closeable>]: (run: Run<R>) => Client[Noun]
}

/** Makes the nouns of a client. */
export const nounsOf = <R, Client>(
  run: Run<R>,
  nouns: { readonly [Noun in keyof Client]: (run: Run<R>) => Client[Noun] }
): Client =>
  // The compiler does not connect a name with its method.
  Record.map<string, (run: Run<R>) => unknown, unknown>(nouns, (make) => make(run)) as Client

/** What gives the port that a method calls. */
type PortOf<Identifier extends { readonly Service: unknown }, Id> = Effect.Effect<
  Identifier["Service"],
  Core.PortError,
  Id
>

// The documents that are reached in both APIs, over the port of either.
const dashboards = <Id>(run: Run<Id>, port: PortOf<typeof Core.Dashboards, Id>) =>
  promisesOf<DashboardsClient>()(run, port, dashboardOperations(neutral))
const sources = <Id>(run: Run<Id>, port: PortOf<typeof Core.DashboardSources, Id>) =>
  promisesOf<SourcesClient>()(run, port, sourceOperations(neutral))
const savedSearches = <Id>(run: Run<Id>, port: PortOf<typeof Core.SavedSearches, Id>) =>
  promisesOf<SavedSearchesClient>()(run, port, savedSearchOperations(neutral))
const webhooks = <Id>(run: Run<Id>, port: PortOf<typeof Core.Webhooks, Id>) =>
  promisesOf<WebhooksClient>()(run, port, webhookOperations(neutral))
const alerts = <Id>(run: Run<Id>, port: PortOf<typeof Core.Alerts, Id>) =>
  promisesOf<AlertsClient>()(run, port, alertOperations(neutral))
const charts = <Id>(run: Run<Id>, port: PortOf<typeof Core.Charts, Id>) =>
  // A chart is answered with the display type of its config, which the operation does not say.
  promisesOf<UntypedChartsClient>()(run, port, chartOperations(neutral)) as ChartsClient

const validateService = validateInput(Core.ServiceAddress)

/** The same methods as those of the observability API, over the documents of one service. */
const belowService =
  <Identifier, Port, Client>(
    key: Context.Key<Identifier, Port>,
    methodsOf: (
      run: Run<Core.BelowService<Identifier>>,
      port: Effect.Effect<Port, Core.PortError, Core.BelowService<Identifier>>
    ) => Client
  ) =>
  (run: Run<Core.BelowService<Identifier>>): BelowServiceClient<Client> => ({
    of: (address) =>
      methodsOf(
        run,
        Effect.flatMap(validateService(address), (valid) => Core.BelowService(key).useSync(({ of }) => of(valid)))
      )
  })

/** The nouns of the management API. */
export const managementNouns = {
  organizations: (run: Run<Core.Organizations>) =>
    promisesOf<OrganizationsClient>()(run, Core.Organizations, organizationOperations(neutral)),
  services: (run: Run<Core.Services>) => promisesOf<ServicesClient>()(run, Core.Services, serviceOperations(neutral)),
  cdcScaling: (run: Run<Core.CdcScaling>) =>
    promisesOf<CdcScalingClient>()(run, Core.CdcScaling, cdcScalingOperations(neutral)),
  privateEndpoints: (run: Run<Core.ReversePrivateEndpoints>) =>
    promisesOf<PrivateEndpointsClient>()(run, Core.ReversePrivateEndpoints, endpointOperations(neutral)),
  pipes: (run: Run<Core.Pipes>) => {
    const pipes = promisesOf<PipesClient>()(run, Core.Pipes, pipeOperations(neutral))
    return {
      ...pipes,
      waitFor: (address, state, options = {}) => waitFor(pipes.get, address, state, options)
    } satisfies PipesClient
  },
  keys: (run: Run<Core.ApiKeys>) => promisesOf<KeysClient>()(run, Core.ApiKeys, keyOperations(neutral)),
  roles: (run: Run<Core.Roles>) => promisesOf<RolesClient>()(run, Core.Roles, roleOperations(neutral)),
  console: (run: Run<ConsoleSessions>) => promisesOf<ConsoleClient>()(run, ConsoleSessions, consoleOperations(neutral)),
  serviceDashboards: belowService(Core.Dashboards, dashboards),
  serviceSources: belowService(Core.DashboardSources, sources),
  serviceSavedSearches: belowService(Core.SavedSearches, savedSearches),
  serviceWebhooks: belowService(Core.Webhooks, webhooks),
  serviceAlerts: belowService(Core.Alerts, alerts),
  dashboardRoles: belowService(Core.DashboardRoles, (run, port) =>
    promisesOf<DashboardRolesClient>()(run, port, dashboardRoleOperations(neutral))
  ),
  serviceCharts: belowService(Core.Charts, charts)
} satisfies Nouns<any, ManagementClient>

/** The nouns of the observability API. */
export const observabilityNouns = {
  dashboards: (run: Run<Core.Dashboards>) => dashboards(run, Core.Dashboards),
  connections: (run: Run<Core.Connections>) =>
    promisesOf<ConnectionsClient>()(run, Core.Connections, connectionOperations(neutral)),
  sources: (run: Run<Core.DashboardSources>) => sources(run, Core.DashboardSources),
  savedSearches: (run: Run<Core.SavedSearches>) => savedSearches(run, Core.SavedSearches),
  webhooks: (run: Run<Core.Webhooks>) => webhooks(run, Core.Webhooks),
  alerts: (run: Run<Core.Alerts>) => alerts(run, Core.Alerts),
  charts: (run: Run<Core.Charts>) => charts(run, Core.Charts)
} satisfies Nouns<any, ObservabilityClient>
