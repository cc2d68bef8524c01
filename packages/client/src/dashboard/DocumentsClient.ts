import * as Core from "@headgate/core"
import type { OwnedDocuments } from "@headgate/core/adapter"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { CallOptions } from "../CallOptions.ts"
import type { CallPromise, List } from "../CallPromise.ts"
import type { Input } from "../Input.ts"
import type { Plain } from "../Plain.ts"
import { promiseMethods } from "../PromiseClient.ts"
import type { Run } from "../Runner.ts"

/** A saved search. Every field is kept as it was sent. */
export type SavedSearch = Plain<Core.SavedSearch>

/** A request to create or replace a saved search. Fields beside these are stored as they are sent. */
export type SavedSearchCreate = Input<Core.SavedSearchCreate>

/** A webhook, without its headers and the parameters of its query. */
export type Webhook = Plain<Core.Webhook>

/**
 * A request to create or replace a webhook. In a replacement, `headers` and `queryParams` stay if they are absent, and `null`
 * removes them. Fields beside these are stored as they are sent.
 */
export type WebhookCreate = Input<Core.WebhookCreate>

/** An alert. Every field is kept as it was sent. */
export type Alert = Plain<Core.Alert>

/** A request to create or replace an alert. Fields beside these are stored as they are sent. */
export type AlertCreate = Input<Core.AlertCreate>

/** The documents of one kind: `SavedSearch`, `Webhook` or `Alert`. */
export interface DocumentsClient<Document, Request> {
  /** Lists all of them; their order is not promised. */
  readonly list: (options?: CallOptions) => List<Document>
  /** Reads one. */
  readonly get: (id: string, options?: CallOptions) => CallPromise<Document>
  /** Creates one. */
  readonly create: (request: Request, options?: CallOptions) => CallPromise<Document>
  /** Replaces one: a field that is absent is gone. */
  readonly update: (id: string, request: Request, options?: CallOptions) => CallPromise<Document>
  /** Deletes one. */
  readonly delete: (id: string, options?: CallOptions) => CallPromise<void>
}

/** The saved searches. `get`, `update` and `delete` reject with `SavedSearchNotFoundError` if there is no such saved search. */
export type SavedSearchesClient = DocumentsClient<SavedSearch, SavedSearchCreate>

/** The webhooks. `get`, `update` and `delete` reject with `WebhookNotFoundError` if there is no such webhook. */
export type WebhooksClient = DocumentsClient<Webhook, WebhookCreate>

/** The alerts. `get`, `update` and `delete` reject with `AlertNotFoundError` if there is no such alert. */
export type AlertsClient = DocumentsClient<Alert, AlertCreate>

/** The methods of one kind of documents, over the adapter that runs the calls. */
const documentsClient = <Port, Id, Address, Request, Document, Missing extends Core.PortError>(
  run: Run<Port>,
  port: Context.Key<Port, OwnedDocuments<Address, Request, Document, Missing>>,
  id: Schema.Codec<Id, unknown>,
  request: Schema.Codec<Request, unknown>,
  addressOf: (id: Id) => Address
) => {
  const { listAll, method, methodOf } = promiseMethods<Port, OwnedDocuments<Address, Request, Document, Missing>>(run, {
    use: (call) => Effect.flatMap(port, call)
  })
  return {
    create: method(request, (documents, request) => documents.create(request)),
    list: listAll((documents) => documents.list()),
    get: method(id, (documents, id) => documents.get(addressOf(id))),
    update: methodOf(id, request, (documents, id, request) => documents.update(addressOf(id), request)),
    delete: method(id, (documents, id) => documents.delete(addressOf(id)))
  }
}

/** The methods of saved searches, over the adapter that runs the calls. */
export const savedSearchesClient = (run: Run<Core.SavedSearches>): SavedSearchesClient =>
  documentsClient(run, Core.SavedSearches, Core.SavedSearchId, Core.SavedSearchCreate, (savedSearchId) => ({
    savedSearchId
  }))

/** The methods of webhooks, over the adapter that runs the calls. */
export const webhooksClient = (run: Run<Core.Webhooks>): WebhooksClient =>
  documentsClient(run, Core.Webhooks, Core.WebhookId, Core.WebhookCreate, (webhookId) => ({ webhookId }))

/** The methods of alerts, over the adapter that runs the calls. */
export const alertsClient = (run: Run<Core.Alerts>): AlertsClient =>
  documentsClient(run, Core.Alerts, Core.AlertId, Core.AlertCreate, (alertId) => ({ alertId }))
