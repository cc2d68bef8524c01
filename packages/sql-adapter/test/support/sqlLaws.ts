import { adapterLaws } from "@headgate/conformance"
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
  OrganizationSources,
  documentsBelowService
} from "@headgate/core/adapter"
import * as Layer from "effect/Layer"
import { SqlAdapter } from "../../src/index.ts"

type Ports = Layer.Success<ReturnType<typeof SqlAdapter.layerSqlite>>

const documentsOf = <Port>(organizationId: OrganizationId, portOf: (stores: DocumentStores) => Port) =>
  OrganizationDocuments.useSync((documents) => portOf(documents.of(organizationId)))

/** The laws of every port, each over a new and empty database. */
export const sqlLaws = <E>(name: string, empty: Layer.Layer<Ports, E>) => {
  const layer = (snapshot: Snapshot) =>
    Layer.effectDiscard(Snapshots.use((snapshots) => snapshots.import(snapshot))).pipe(Layer.provideMerge(empty))

  /** With the ports to the documents of one organization. */
  const ofOrganization = (snapshot: Snapshot, organizationId: OrganizationId) =>
    Layer.mergeAll(
      documentsBelowService,
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

  adapterLaws({ name, layer: ofOrganization, leftOut: {} })
}
