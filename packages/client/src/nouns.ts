import * as Core from "@headgate/core"
import {
  alertOperations,
  cdcScalingOperations,
  connectionOperations,
  dashboardOperations,
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
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import type { Closeable, ManagementClient, ObservabilityClient } from "./HeadgateClient.ts"
import { validateInput } from "./Input.ts"
import { promisesOf } from "./promisesOf.ts"
import type { Run } from "./Runner.ts"
import type { DashboardsClient } from "./dashboard/DashboardsClient.ts"
import type { AlertsClient, SavedSearchesClient, WebhooksClient } from "./dashboard/DocumentsClient.ts"
import type { ConnectionsClient, SourcesClient } from "./dashboard/SourcesClient.ts"
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

const dashboards = <Id>(run: Run<Id>, port: Effect.Effect<Core.Dashboards["Service"], Core.PortError, Id>) =>
  promisesOf<DashboardsClient>()(run, port, dashboardOperations(neutral))

const validateService = validateInput(Core.ServiceAddress)

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
  // The same methods as those of `dashboards`, over the dashboards of one service.
  serviceDashboards: (run: Run<Core.ServiceDashboards>) => ({
    of: (address) =>
      dashboards(
        run,
        Effect.flatMap(validateService(address), (valid) =>
          Core.ServiceDashboards.use((services) => Effect.succeed(services.of(valid)))
        )
      )
  })
} satisfies Nouns<any, ManagementClient>

/** The nouns of the observability API. */
export const observabilityNouns = {
  dashboards: (run: Run<Core.Dashboards>) => dashboards(run, Core.Dashboards),
  connections: (run: Run<Core.Connections>) =>
    promisesOf<ConnectionsClient>()(run, Core.Connections, connectionOperations(neutral)),
  sources: (run: Run<Core.DashboardSources>) =>
    promisesOf<SourcesClient>()(run, Core.DashboardSources, sourceOperations(neutral)),
  savedSearches: (run: Run<Core.SavedSearches>) =>
    promisesOf<SavedSearchesClient>()(run, Core.SavedSearches, savedSearchOperations(neutral)),
  webhooks: (run: Run<Core.Webhooks>) => promisesOf<WebhooksClient>()(run, Core.Webhooks, webhookOperations(neutral)),
  alerts: (run: Run<Core.Alerts>) => promisesOf<AlertsClient>()(run, Core.Alerts, alertOperations(neutral))
} satisfies Nouns<any, ObservabilityClient>
