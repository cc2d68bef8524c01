import {
  apiKeyCredentialsLaws,
  apiKeysLaws,
  authenticatorLaws,
  connectionsLaws,
  dashboardsLaws,
  idempotentCreationsLaws,
  dashboardSourcesLaws,
  organizationDashboardsLaws,
  organizationDocumentsLaws,
  organizationLimitsLaws,
  cdcScalingLaws,
  organizationsLaws,
  reversePrivateEndpointsLaws,
  pipeRequestsLaws,
  pipesLaws,
  pipeStatesLaws,
  servicesLaws,
  snapshotsLaws,
  storedServicesLaws,
  rolesLaws,
  tokensLaws,
  versionsLaws
} from "@headgate/conformance"
import { Connections, DashboardSources, type OrganizationId, type Snapshot, Snapshots } from "@headgate/core"
import { OrganizationConnections, OrganizationSources } from "@headgate/core/adapter"
import * as Layer from "effect/Layer"
import { SqlAdapter } from "../../src/index.ts"

type Ports = Layer.Success<ReturnType<typeof SqlAdapter.layerSqlite>>

/** The laws of every port, each over a new and empty database. */
export const adapterLaws = <E>(name: string, empty: Layer.Layer<Ports, E>) => {
  const layer = (snapshot: Snapshot) =>
    Layer.effectDiscard(Snapshots.use((snapshots) => snapshots.import(snapshot))).pipe(Layer.provideMerge(empty))

  /** With the ports to the documents of one organization. */
  const ofOrganization = (snapshot: Snapshot, organizationId: OrganizationId) =>
    Layer.mergeAll(
      SqlAdapter.layerDashboards(organizationId),
      Layer.effect(
        Connections,
        OrganizationConnections.useSync((connections) => connections.of(organizationId))
      ),
      Layer.effect(
        DashboardSources,
        OrganizationSources.useSync((sources) => sources.of(organizationId))
      )
    ).pipe(Layer.provideMerge(layer(snapshot)))

  pipeRequestsLaws({ name, layer })
  pipesLaws({ name, layer })
  pipeStatesLaws({ name, layer })
  organizationsLaws({ name, layer })
  servicesLaws({ name, layer })
  cdcScalingLaws({ name, layer })
  reversePrivateEndpointsLaws({ name, layer })
  storedServicesLaws({ name, layer })
  apiKeysLaws({ name, layer })
  apiKeyCredentialsLaws({ name, layer })
  dashboardsLaws({ name, layer: ofOrganization })
  connectionsLaws({ name, layer: ofOrganization })
  dashboardSourcesLaws({ name, layer: ofOrganization })
  organizationDashboardsLaws({ name, layer })
  organizationDocumentsLaws({ name, layer })
  organizationLimitsLaws({ name, layer })
  authenticatorLaws({ name, layer })
  idempotentCreationsLaws({ name, layer })
  tokensLaws({ name, layer })
  rolesLaws({ name, layer })
  snapshotsLaws({ name, layer })
  versionsLaws(["pipe", "key", "role", "reversePrivateEndpoint", "dashboard", "connection", "source"], {
    name,
    layer: ofOrganization
  })
}
