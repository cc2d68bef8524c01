import {
  Alert,
  AlertCreate,
  AlertId,
  Connection,
  ConnectionCreate,
  ConnectionId,
  DashboardSource,
  DashboardSourceCreate,
  SavedSearch,
  SavedSearchCreate,
  SavedSearchId,
  SourceId,
  Webhook,
  WebhookCreate,
  WebhookDocument,
  WebhookId,
  WebhookValidation
} from "@headgate/core"
import type { NotFound, Permission } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"
import type { Dialect } from "../Dialect.ts"
import { noContent, noParams, noPayload, type Operation, pathSegment } from "../Operation.ts"

interface Kind<Params, Request, Update, Document, Missing extends NotFound["_tag"]> {
  readonly path: `/${string}`
  /** The name of the path parameter. */
  readonly parameter: string
  readonly params: Schema.Codec<Params, { readonly [name: string]: string }>
  readonly request: Schema.Codec<Request, unknown>
  /** The request to replace one. */
  readonly update: Schema.Codec<Update, unknown>
  readonly document: Schema.Codec<Document, unknown>
  readonly notFound: Missing
  /** The message of a 404 where it is JSON. */
  readonly notFoundMessage?: string
  readonly read: Permission
  readonly write: Permission
  /** Whether the list comes in pages. */
  readonly isPaged?: boolean
  /** What the summaries call one, and several. */
  readonly one: string
  readonly many: string
}

/** The five operations on one kind of documents. */
export const documentOperations = <Params, Request, Update, Document, Missing extends NotFound["_tag"]>({
  document,
  isPaged = false,
  many,
  notFound,
  notFoundMessage,
  one,
  parameter,
  params,
  path,
  read,
  request,
  update,
  write
}: Kind<Params, Request, Update, Document, Missing>) =>
  ({
    create: {
      api: "observability",
      method: "POST",
      path,
      permission: write,
      params: noParams,
      payload: request,
      success: document,
      errors: ["CONFLICT"],
      isRepeatable: false,
      canValidateOnly: true,
      stability: "beta",
      summary: `Create ${one}`
    } satisfies Operation<{}, Request, Document>,
    list: {
      api: "observability",
      method: "GET",
      path,
      permission: read,
      params: noParams,
      payload: noPayload,
      success: Schema.Array(document),
      errors: [],
      isRepeatable: true,
      stability: "beta",
      isPaged,
      summary: `List all ${many}`
    } satisfies Operation<{}, undefined, ReadonlyArray<Document>>,
    get: {
      api: "observability",
      method: "GET",
      path: `${path}/:${parameter}`,
      permission: read,
      params,
      payload: noPayload,
      success: document,
      notFound,
      notFoundMessage,
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: `Read ${one}`
    } satisfies Operation<Params, undefined, Document, Missing>,
    update: {
      api: "observability",
      method: "PUT",
      path: `${path}/:${parameter}`,
      permission: write,
      params,
      payload: update,
      success: document,
      notFound,
      notFoundMessage,
      errors: ["CONFLICT"],
      isRepeatable: true,
      stability: "beta",
      summary: `Replace ${one}`
    } satisfies Operation<Params, Update, Document, Missing>,
    delete: {
      api: "observability",
      method: "DELETE",
      path: `${path}/:${parameter}`,
      permission: write,
      params,
      payload: noPayload,
      success: noContent,
      notFound,
      notFoundMessage,
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: `Delete ${one}`
    } satisfies Operation<Params, undefined, void, Missing>
  }) as const

/**
 * The operations on connections: the same in every dialect. Contract:
 * docs/wire-contract.md#connections-and-data-sources.
 *
 * @example
 * ```ts
 * import { connectionOperations, neutral } from "@headgate/http-contract"
 *
 * const { method, path } = connectionOperations(neutral).update
 * console.log(method, path) // PUT /api/v2/connections/:connectionId
 * ```
 */
export const connectionOperations = (_dialect: Dialect) =>
  documentOperations({
    path: "/api/v2/connections",
    parameter: "connectionId",
    params: Schema.Struct({ connectionId: ConnectionId.check(pathSegment("connection")) }),
    request: ConnectionCreate,
    update: ConnectionCreate,
    document: Connection,
    notFound: "ConnectionNotFound",
    read: "connection:read",
    write: "connection:write",
    one: "a connection",
    many: "connections"
  })

/**
 * The operations on data sources: the same in every dialect. Contract:
 * docs/wire-contract.md#connections-and-data-sources.
 *
 * @example
 * ```ts
 * import { neutral, sourceOperations } from "@headgate/http-contract"
 *
 * const { method, path } = sourceOperations(neutral).list
 * console.log(method, path) // GET /api/v2/sources
 * ```
 */
export const sourceOperations = (_dialect: Dialect) =>
  documentOperations({
    path: "/api/v2/sources",
    parameter: "sourceId",
    params: Schema.Struct({ sourceId: SourceId.check(pathSegment("source")) }),
    request: DashboardSourceCreate,
    update: DashboardSourceCreate,
    document: DashboardSource,
    notFound: "SourceNotFound",
    notFoundMessage: "Source not found",
    read: "source:read",
    write: "source:write",
    one: "a data source",
    many: "data sources"
  })

/**
 * The operations on saved searches: the same in every dialect. Their list comes in pages. Contract:
 * docs/wire-contract.md#saved-searches-webhooks-and-alerts.
 *
 * @example
 * ```ts
 * import { neutral, savedSearchOperations } from "@headgate/http-contract"
 *
 * console.log(savedSearchOperations(neutral).get.path) // /api/v2/saved-searches/:savedSearchId
 * ```
 */
export const savedSearchOperations = (_dialect: Dialect) =>
  documentOperations({
    path: "/api/v2/saved-searches",
    parameter: "savedSearchId",
    params: Schema.Struct({ savedSearchId: SavedSearchId.check(pathSegment("saved search")) }),
    request: SavedSearchCreate,
    update: SavedSearchCreate,
    document: SavedSearch,
    notFound: "SavedSearchNotFound",
    notFoundMessage: "Saved search not found",
    read: "savedSearch:read",
    write: "savedSearch:write",
    isPaged: true,
    one: "a saved search",
    many: "saved searches"
  })

/**
 * The operations on webhooks: the same in every dialect. Their list comes in pages. Contract:
 * docs/wire-contract.md#saved-searches-webhooks-and-alerts.
 *
 * @example
 * ```ts
 * import { neutral, webhookOperations } from "@headgate/http-contract"
 *
 * const { isPaged, path } = webhookOperations(neutral).list
 * console.log(path, isPaged) // /api/v2/webhooks true
 * ```
 */
export const webhookOperations = (_dialect: Dialect) =>
  ({
    ...documentOperations({
      path: "/api/v2/webhooks",
      parameter: "webhookId",
      params: Schema.Struct({ webhookId: WebhookId.check(pathSegment("webhook")) }),
      request: WebhookCreate,
      update: WebhookCreate,
      document: Webhook,
      notFound: "WebhookNotFound",
      notFoundMessage: "Webhook not found",
      read: "webhook:read",
      write: "webhook:write",
      isPaged: true,
      one: "a webhook",
      many: "webhooks"
    }),
    validate: {
      api: "observability",
      method: "POST",
      path: "/api/v2/webhooks/validate",
      permission: "webhook:read",
      params: noParams,
      payload: WebhookDocument,
      success: WebhookValidation,
      envelope: "none",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Validate the request for a webhook"
    } satisfies Operation<{}, WebhookDocument, WebhookValidation>
  }) as const

/**
 * The operations on alerts: the same in every dialect. Their list comes in pages. Contract:
 * docs/wire-contract.md#saved-searches-webhooks-and-alerts.
 *
 * @example
 * ```ts
 * import { alertOperations, neutral } from "@headgate/http-contract"
 *
 * console.log(alertOperations(neutral).create.summary) // Create an alert
 * ```
 */
export const alertOperations = (_dialect: Dialect) => {
  const table = documentOperations({
    path: "/api/v2/alerts",
    parameter: "alertId",
    params: Schema.Struct({ alertId: AlertId.check(pathSegment("alert")) }),
    request: AlertCreate,
    update: AlertCreate,
    document: Alert,
    notFound: "AlertNotFound",
    read: "alert:read",
    write: "alert:write",
    isPaged: true,
    one: "an alert",
    many: "alerts"
  })
  return { ...table, delete: { ...table.delete, notFoundMessage: "Alert not found" } } as const
}
