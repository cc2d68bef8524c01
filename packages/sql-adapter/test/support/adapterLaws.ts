import {
  alertsLaws,
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
  movedPipesLaws,
  pipeStatesLaws,
  servicesLaws,
  snapshotsLaws,
  storedServicesLaws,
  rolesLaws,
  savedSearchesLaws,
  tokensLaws,
  versionsLaws,
  webhooksLaws
} from "@headgate/conformance"
import {
  Alerts,
  Connections,
  DashboardSources,
  type OrganizationId,
  SavedSearches,
  type Snapshot,
  Snapshots,
  Webhooks
} from "@headgate/core"
import {
  type DocumentStores,
  OrganizationConnections,
  OrganizationDocuments,
  OrganizationSources
} from "@headgate/core/adapter"
import * as Layer from "effect/Layer"
import { SqlAdapter } from "../../src/index.ts"

type Ports = Layer.Success<ReturnType<typeof SqlAdapter.layerSqlite>>

const documentsOf = <Port>(organizationId: OrganizationId, portOf: (stores: DocumentStores) => Port) =>
  OrganizationDocuments.useSync((documents) => portOf(documents.of(organizationId)))

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
      ),
      Layer.effect(
        SavedSearches,
        documentsOf(organizationId, ({ savedSearches }) => savedSearches)
      ),
      Layer.effect(
        Webhooks,
        documentsOf(organizationId, ({ webhooks }) => webhooks)
      ),
      Layer.effect(
        Alerts,
        documentsOf(organizationId, ({ alerts }) => alerts)
      )
    ).pipe(Layer.provideMerge(layer(snapshot)))

  pipeRequestsLaws({ name, layer })
  pipesLaws({ name, layer })
  movedPipesLaws({ name, layer })
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
  savedSearchesLaws({ name, layer: ofOrganization })
  webhooksLaws({ name, layer: ofOrganization })
  alertsLaws({ name, layer: ofOrganization })
  organizationDashboardsLaws({ name, layer })
  organizationDocumentsLaws({ name, layer })
  organizationLimitsLaws({ name, layer })
  authenticatorLaws({ name, layer })
  idempotentCreationsLaws({ name, layer })
  tokensLaws({ name, layer })
  rolesLaws({ name, layer })
  snapshotsLaws({ name, layer })
  versionsLaws(
    [
      "pipe",
      "key",
      "role",
      "reversePrivateEndpoint",
      "dashboard",
      "connection",
      "source",
      "savedSearch",
      "webhook",
      "alert"
    ],
    {
      name,
      layer: ofOrganization
    }
  )
}
