import type { OrganizationId } from "@headgate/core"
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

/** The five operations on one kind of documents, on those of the token's organization. */
const documentHandlers = <
  Params extends { readonly [name: string]: string },
  Request,
  Document,
  Missing extends NotFound
>(
  dialect: Dialect,
  notFound: Missing["_tag"],
  of: (organizationId: OrganizationId) => OwnedDocuments<Params, Request, Document, Missing>
) => {
  const isToday = tilesOf(dialect) === "config"
  const portOf = ({ principal }: OperationRequest<unknown, unknown>) => {
    const port = of(principal.organizationId)
    return isToday ? withObjectIds(port, notFound) : port
  }
  return {
    create: (request: OperationRequest<{}, Request>) => portOf(request).create(request.payload),
    list: (request: OperationRequest<{}, undefined>) => portOf(request).list(),
    get: (request: OperationRequest<Params, undefined>) => portOf(request).get(request.params),
    update: (request: OperationRequest<Params, Request>) => portOf(request).update(request.params, request.payload),
    delete: (request: OperationRequest<Params, undefined>) => portOf(request).delete(request.params)
  }
}

/** The operations on connections. Contract: docs/wire-contract.md#connections-and-data-sources. */
export const connectionHandlers = (dialect: Dialect) =>
  Effect.map(OrganizationConnections, ({ of }) => documentHandlers(dialect, "ConnectionNotFound", of))

/** The operations on data sources. Contract: docs/wire-contract.md#connections-and-data-sources. */
export const sourceHandlers = (dialect: Dialect) =>
  Effect.map(OrganizationSources, ({ of }) => documentHandlers(dialect, "SourceNotFound", of))

/** The operations on saved searches. Contract: docs/wire-contract.md#saved-searches-webhooks-and-alerts. */
export const savedSearchHandlers = (dialect: Dialect) =>
  Effect.map(OrganizationDocuments, ({ of }) =>
    documentHandlers(dialect, "SavedSearchNotFound", (id: OrganizationId) => of(id).savedSearches)
  )

/** The operations on webhooks. Contract: docs/wire-contract.md#saved-searches-webhooks-and-alerts. */
export const webhookHandlers = (dialect: Dialect) =>
  Effect.map(OrganizationDocuments, ({ of }) =>
    documentHandlers(dialect, "WebhookNotFound", (id: OrganizationId) => of(id).webhooks)
  )

/** The operations on alerts. Contract: docs/wire-contract.md#saved-searches-webhooks-and-alerts. */
export const alertHandlers = (dialect: Dialect) =>
  Effect.map(OrganizationDocuments, ({ of }) =>
    documentHandlers(dialect, "AlertNotFound", (id: OrganizationId) => of(id).alerts)
  )
