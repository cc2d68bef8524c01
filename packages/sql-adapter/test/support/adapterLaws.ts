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
  tokensLaws
} from "@headgate/conformance"
import { Connections, DashboardSources, type Snapshot, Snapshots } from "@headgate/core"
import { OrganizationConnections, OrganizationSources } from "@headgate/core/adapter"
import * as Layer from "effect/Layer"
import { SqlAdapter } from "../../src/index.ts"

type Ports = Layer.Success<ReturnType<typeof SqlAdapter.layerSqlite>>

/** The laws of every port, each over a new and empty database. */
export const adapterLaws = <E>(name: string, empty: Layer.Layer<Ports, E>) => {
  const layer = (snapshot: Snapshot) =>
    Layer.effectDiscard(Snapshots.use((snapshots) => snapshots.import(snapshot))).pipe(Layer.provideMerge(empty))

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
  dashboardsLaws({
    name,
    layer: (snapshot, organizationId) => Layer.provide(SqlAdapter.layerDashboards(organizationId), layer(snapshot))
  })
  connectionsLaws({
    name,
    layer: (snapshot, organizationId) =>
      Layer.effect(
        Connections,
        OrganizationConnections.useSync((connections) => connections.of(organizationId))
      ).pipe(Layer.provide(layer(snapshot)))
  })
  dashboardSourcesLaws({
    name,
    layer: (snapshot, organizationId) =>
      Layer.effect(
        DashboardSources,
        OrganizationSources.useSync((sources) => sources.of(organizationId))
      ).pipe(Layer.provide(layer(snapshot)))
  })
  organizationDashboardsLaws({ name, layer })
  organizationDocumentsLaws({ name, layer })
  organizationLimitsLaws({ name, layer })
  authenticatorLaws({ name, layer })
  idempotentCreationsLaws({ name, layer })
  tokensLaws({ name, layer })
  rolesLaws({ name, layer })
  snapshotsLaws({ name, layer })
}
