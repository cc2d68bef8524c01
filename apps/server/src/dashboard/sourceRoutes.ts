import type { AlertId, ConnectionId, OrganizationId, SavedSearchId, SourceId, WebhookId } from "@headgate/core"
import {
  type NotFound,
  OrganizationConnections,
  OrganizationDocuments,
  OrganizationSources,
  type OwnedDocuments
} from "@headgate/core/adapter"
import type { Dialect } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import type { OperationRequest } from "../http/operationRoutes.ts"
import { tilesOf, withObjectIds } from "./todaysDashboards.ts"

/** The five operations on one kind of documents, on those of the token's organization. `idOf` reads the id in the path. */
const documentHandlers = <Params, Id extends string, Request, Document, Missing extends NotFound>(
  dialect: Dialect,
  notFound: Missing["_tag"],
  of: (organizationId: OrganizationId) => OwnedDocuments<Id, Request, Document, Missing>,
  idOf: (params: Params) => Id
) => {
  const isToday = tilesOf(dialect) === "config"
  const portOf = ({ principal }: OperationRequest<unknown, unknown>) => {
    const port = of(principal.organizationId)
    return isToday ? withObjectIds(port, notFound) : port
  }
  return {
    create: (request: OperationRequest<{}, Request>) => portOf(request).create(request.payload),
    list: (request: OperationRequest<{}, undefined>) => portOf(request).list(),
    get: (request: OperationRequest<Params, undefined>) => portOf(request).get(idOf(request.params)),
    update: (request: OperationRequest<Params, Request>) =>
      portOf(request).update(idOf(request.params), request.payload),
    delete: (request: OperationRequest<Params, undefined>) => portOf(request).delete(idOf(request.params))
  }
}

/** The operations on connections. Contract: docs/wire-contract.md#connections-and-data-sources. */
export const connectionHandlers = (dialect: Dialect) =>
  Effect.map(OrganizationConnections, ({ of }) =>
    documentHandlers(
      dialect,
      "ConnectionNotFound",
      of,
      ({ connectionId }: { readonly connectionId: ConnectionId }) => connectionId
    )
  )

/** The operations on data sources. Contract: docs/wire-contract.md#connections-and-data-sources. */
export const sourceHandlers = (dialect: Dialect) =>
  Effect.map(OrganizationSources, ({ of }) =>
    documentHandlers(dialect, "SourceNotFound", of, ({ sourceId }: { readonly sourceId: SourceId }) => sourceId)
  )

/** The operations on saved searches. Contract: docs/wire-contract.md#saved-searches-webhooks-and-alerts. */
export const savedSearchHandlers = (dialect: Dialect) =>
  Effect.map(OrganizationDocuments, ({ of }) =>
    documentHandlers(
      dialect,
      "SavedSearchNotFound",
      (id: OrganizationId) => of(id).savedSearches,
      ({ savedSearchId }: { readonly savedSearchId: SavedSearchId }) => savedSearchId
    )
  )

/** The operations on webhooks. Contract: docs/wire-contract.md#saved-searches-webhooks-and-alerts. */
export const webhookHandlers = (dialect: Dialect) =>
  Effect.map(OrganizationDocuments, ({ of }) =>
    documentHandlers(
      dialect,
      "WebhookNotFound",
      (id: OrganizationId) => of(id).webhooks,
      ({ webhookId }: { readonly webhookId: WebhookId }) => webhookId
    )
  )

/** The operations on alerts. Contract: docs/wire-contract.md#saved-searches-webhooks-and-alerts. */
export const alertHandlers = (dialect: Dialect) =>
  Effect.map(OrganizationDocuments, ({ of }) =>
    documentHandlers(
      dialect,
      "AlertNotFound",
      (id: OrganizationId) => of(id).alerts,
      ({ alertId }: { readonly alertId: AlertId }) => alertId
    )
  )
