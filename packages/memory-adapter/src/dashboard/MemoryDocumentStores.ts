import { Alerts, type OrganizationId, SavedSearches, Webhooks } from "@headgate/core"
import {
  type DocumentKind,
  type DocumentKindName,
  documentRules,
  documentStores,
  OrganizationDocuments
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { MemoryStore } from "../MemoryStore.ts"
import { memoryDocuments } from "./memoryDocuments.ts"

const documentsOf = (counted: DocumentKindName, kind: DocumentKind) =>
  memoryDocuments({
    counted,
    mapOf: (store) => store[counted],
    idIn: kind.idIn,
    notFound: kind.notFound,
    ...documentRules(kind)
  })

const layerByOrganization: Layer.Layer<OrganizationDocuments, never, MemoryStore | SecureRandom> = Layer.effect(
  OrganizationDocuments,
  documentStores(documentsOf)
)

const layer = (
  organizationId: OrganizationId
): Layer.Layer<Alerts | SavedSearches | Webhooks, never, OrganizationDocuments> => {
  const own = OrganizationDocuments.useSync((documents) => documents.of(organizationId))
  return Layer.mergeAll(
    Layer.effect(
      SavedSearches,
      Effect.map(own, ({ savedSearches }) => savedSearches)
    ),
    Layer.effect(
      Webhooks,
      Effect.map(own, ({ webhooks }) => webhooks)
    ),
    Layer.effect(
      Alerts,
      Effect.map(own, ({ alerts }) => alerts)
    )
  )
}

/**
 * The ports to saved searches, webhooks, alerts and roles of dashboards over a `MemoryStore`, as `MemoryDashboards` has those to
 * dashboards.
 */
export const MemoryDocumentStores = { layer, layerByOrganization }
