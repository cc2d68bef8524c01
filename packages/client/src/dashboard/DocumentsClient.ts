import type * as Core from "@headgate/core"
import type { CallOptions } from "../CallOptions.ts"
import type { CallPromise, List } from "../CallPromise.ts"
import type { Input } from "../Input.ts"
import type { Plain } from "../Plain.ts"

/** A saved search. */
export type SavedSearch = Plain<Core.SavedSearch>

/** A request to create or replace a saved search. The service sets what is absent to its default. */
export type SavedSearchCreate = Input<Core.SavedSearchCreate>

/** A webhook, without its headers and the parameters of its query; without `url` for a key that may not change it. */
export type Webhook = Plain<Core.Webhook>

/**
 * A request to create or replace a webhook. In a replacement with the same `url` and `service`, `headers` and `queryParams` stay
 * if they are absent, and `null` removes them.
 */
export type WebhookCreate = Input<Core.WebhookCreate>

/** A request for a webhook that may be wrong: any JSON object. */
export type WebhookDocument = Input<Core.WebhookDocument>

/** Whether a service would create a webhook, and why not. */
export type WebhookValidation = Plain<Core.WebhookValidation>

/** An alert. */
export type Alert = Plain<Core.Alert>

/** A request to create or replace an alert. What it names must be there. */
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
export interface WebhooksClient extends DocumentsClient<Webhook, WebhookCreate> {
  /** Tells whether `create` would take a document, and which fields are wrong. Stores nothing. */
  readonly validate: (document: WebhookDocument, options?: CallOptions) => CallPromise<WebhookValidation>
}

/** The alerts. `get`, `update` and `delete` reject with `AlertNotFoundError` if there is no such alert. */
export type AlertsClient = DocumentsClient<Alert, AlertCreate>
