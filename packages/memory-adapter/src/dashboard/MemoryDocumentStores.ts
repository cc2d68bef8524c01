import {
  type AlertId,
  Alerts,
  type OrganizationId,
  SavedSearches,
  type SavedSearchId,
  type WebhookId,
  Webhooks
} from "@headgate/core"
import {
  type DocumentKind,
  type DocumentKindName,
  documentKinds,
  documentRules,
  OrganizationDocuments
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { MemoryStore } from "../MemoryStore.ts"
import { memoryDocuments } from "./memoryDocuments.ts"

const documentsOf = <Id extends string, Address, Request extends object, Document extends object, Missing>(
  counted: DocumentKindName,
  name: string,
  kind: DocumentKind<Id, Request, Document, Missing>,
  idIn: (address: Address) => Id
) =>
  memoryDocuments({
    counted,
    name,
    mapOf: (store) => store[counted],
    idIn,
    notFound: kind.notFound,
    ...documentRules(kind)
  })

const layerByOrganization: Layer.Layer<OrganizationDocuments, never, MemoryStore | SecureRandom> = Layer.effect(
  OrganizationDocuments,
  Effect.gen(function* () {
    const savedSearches = yield* documentsOf(
      "savedSearches",
      "MemorySavedSearches",
      documentKinds.savedSearches,
      ({ savedSearchId }: { readonly savedSearchId: SavedSearchId }) => savedSearchId
    )
    const webhooks = yield* documentsOf(
      "webhooks",
      "MemoryWebhooks",
      documentKinds.webhooks,
      ({ webhookId }: { readonly webhookId: WebhookId }) => webhookId
    )
    const alerts = yield* documentsOf(
      "alerts",
      "MemoryAlerts",
      documentKinds.alerts,
      ({ alertId }: { readonly alertId: AlertId }) => alertId
    )
    return {
      of: (organizationId) => ({
        savedSearches: savedSearches(organizationId),
        webhooks: webhooks(organizationId),
        alerts: alerts(organizationId)
      })
    }
  })
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

/** The ports to saved searches, webhooks and alerts over a `MemoryStore`, as `MemoryDashboards` has those to dashboards. */
export const MemoryDocumentStores = { layer, layerByOrganization }
