import type {
  AlertId,
  ConnectionId,
  OrganizationId,
  PortError,
  SavedSearchId,
  SourceId,
  WebhookId
} from "@headgate/core"
import {
  OrganizationConnections,
  OrganizationDocuments,
  OrganizationSources,
  type OwnedDocuments
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type { OperationRequest } from "../http/operationRoutes.ts"

/** The five operations on one kind of documents, on those of the token's organization. `idOf` reads the id in the path. */
const documentHandlers = <Params, Id, Request, Document, Missing extends PortError>(
  of: (organizationId: OrganizationId) => OwnedDocuments<Id, Request, Document, Missing>,
  idOf: (params: Params) => Id
) => ({
  create: ({ payload, principal }: OperationRequest<{}, Request>) => of(principal.organizationId).create(payload),
  list: ({ principal }: OperationRequest<{}, undefined>) => of(principal.organizationId).list(),
  get: ({ params, principal }: OperationRequest<Params, undefined>) => of(principal.organizationId).get(idOf(params)),
  update: ({ params, payload, principal }: OperationRequest<Params, Request>) =>
    of(principal.organizationId).update(idOf(params), payload),
  delete: ({ params, principal }: OperationRequest<Params, undefined>) =>
    of(principal.organizationId).delete(idOf(params))
})

/** The operations on connections. Contract: section 6 of the life cycle. */
export const connectionHandlers = Effect.map(OrganizationConnections, ({ of }) =>
  documentHandlers(of, ({ connectionId }: { readonly connectionId: ConnectionId }) => connectionId)
)

/** The operations on data sources. Contract: section 6 of the life cycle. */
export const sourceHandlers = Effect.map(OrganizationSources, ({ of }) =>
  documentHandlers(of, ({ sourceId }: { readonly sourceId: SourceId }) => sourceId)
)

/** The operations on saved searches. Contract: section 6 of the life cycle. */
export const savedSearchHandlers = Effect.map(OrganizationDocuments, ({ of }) =>
  documentHandlers(
    (id: OrganizationId) => of(id).savedSearches,
    ({ savedSearchId }: { readonly savedSearchId: SavedSearchId }) => savedSearchId
  )
)

/** The operations on webhooks. Contract: section 6 of the life cycle. */
export const webhookHandlers = Effect.map(OrganizationDocuments, ({ of }) =>
  documentHandlers(
    (id: OrganizationId) => of(id).webhooks,
    ({ webhookId }: { readonly webhookId: WebhookId }) => webhookId
  )
)

/** The operations on alerts. Contract: section 6 of the life cycle. */
export const alertHandlers = Effect.map(OrganizationDocuments, ({ of }) =>
  documentHandlers(
    (id: OrganizationId) => of(id).alerts,
    ({ alertId }: { readonly alertId: AlertId }) => alertId
  )
)
