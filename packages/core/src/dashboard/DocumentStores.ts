import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CallError } from "../error/CallError.ts"
import { FieldIssue } from "../error/FieldIssue.ts"
import type { AlertNotFound, SavedSearchNotFound, ServiceNotFound, WebhookNotFound } from "../error/NotFound.ts"
import { secret, secretText } from "../schema/fieldSchemas.ts"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { boundedText } from "./Connections.ts"
import { AlertId, SavedSearchId, WebhookId } from "../id/dashboard.ts"
import type { OwnedDocuments } from "./OwnedDocuments.ts"

const text = (description: string) => nullish(Schema.String, description)

const name = text("The name.")
const requestedName = nullish(boundedText(255, "The name"), "The name.")

const searchFields = {
  sourceId: text("The id of the data source."),
  select: text("The columns, separated by commas."),
  where: text("The condition on rows."),
  whereLanguage: text("The language of `where`."),
  orderBy: text("The order of rows."),
  tags: nullish(Schema.Array(Schema.String), "The tags.")
}

/**
 * A search that callers have saved. Every field is kept as it was sent, those that are not named here too. Contract:
 * docs/wire-contract.md#saved-searches-webhooks-and-alerts.
 */
export const SavedSearch = looseStruct({ id: SavedSearchId, name, ...searchFields }).pipe(
  withIdentifier("SavedSearch", "A saved search.")
)
export type SavedSearch = typeof SavedSearch.Type

/**
 * The request for a saved search, and to replace one. Contract:
 * docs/wire-contract.md#saved-searches-webhooks-and-alerts.
 */
export const SavedSearchCreate = looseStruct({ name: requestedName, ...searchFields }).pipe(
  withIdentifier("SavedSearchCreate", "The request for a saved search. Every field is stored as it is sent.")
)
export type SavedSearchCreate = typeof SavedSearchCreate.Type

const url = nullish(
  secretText("url"),
  "The URL that it calls. It is a secret, as most services put a token into it: absent for a key without the role `admin`."
)

const textsByName = (label: string) => secret(Schema.Record(Schema.String, Schema.String), label)

/** The fields of a webhook that are secrets. */
export const webhookSecrets = {
  url,
  headers: nullish(textsByName("headers"), "The headers that it sends. Write-only."),
  queryParams: nullish(textsByName("queryParams"), "What it adds to the query of `url`. Write-only.")
}

const webhookFields = {
  service: text("What takes the requests, such as `slack` or `generic`."),
  description: text("What the webhook is for."),
  body: text("The template of the body that it sends.")
}

/**
 * A webhook, as the service answers it: without its `headers` and `queryParams`. Every other field is kept as it was
 * sent. Contract: docs/wire-contract.md#saved-searches-webhooks-and-alerts.
 */
export const Webhook = looseStruct({ id: WebhookId, name, url, ...webhookFields }).pipe(
  withIdentifier("Webhook", "A URL that alerts are sent to.")
)
export type Webhook = typeof Webhook.Type

/**
 * The request for a webhook, and to replace one. Each secret has at most 8192 characters as JSON. `headers` and
 * `queryParams` are write-only: in a request to replace a webhook, what is absent stays and `null` removes it.
 * Contract: docs/wire-contract.md#saved-searches-webhooks-and-alerts.
 *
 * @example
 * ```ts
 * import type { WebhookCreate } from "@headgate/core"
 * import * as Redacted from "effect/Redacted"
 *
 * export const request: WebhookCreate = {
 *   name: "On call",
 *   service: "generic",
 *   url: Redacted.make("https://hooks.example.com/T0/secret"),
 *   headers: Redacted.make({ authorization: "Bearer secret" })
 * }
 * ```
 */
export const WebhookCreate = looseStruct({ name: requestedName, ...webhookSecrets, ...webhookFields }).pipe(
  withIdentifier("WebhookCreate", "The request for a webhook. Every field is stored as it is sent.")
)
export type WebhookCreate = typeof WebhookCreate.Type

/** Any JSON object: a request for a webhook that may be wrong. */
export const WebhookDocument = looseStruct({}).pipe(
  withIdentifier("WebhookDocument", "A request for a webhook, which may be wrong.")
)
export type WebhookDocument = typeof WebhookDocument.Type

/** Whether a service would create a webhook, and why not. */
export const WebhookValidation = looseStruct({
  valid: Schema.Boolean.annotate({ description: "Whether a webhook can be created from the request." }),
  errors: Schema.Array(FieldIssue).annotate({
    description: "What is wrong with it: the path of each field, and what is expected. Empty if it is valid."
  }),
  normalized: nullish(WebhookDocument, "The request without its secrets. Null if it is not valid.")
}).pipe(withIdentifier("WebhookValidation", "Whether a webhook can be created from a request."))
export type WebhookValidation = typeof WebhookValidation.Type

const alertFields = {
  source: text("What the alert watches: `saved_search` or `tile`."),
  savedSearchId: text("The id of the saved search."),
  dashboardId: text("The id of the dashboard."),
  tileId: text("The id of the tile."),
  groupBy: text("The expression that rows are grouped by."),
  threshold: nullish(Schema.Finite, "The value that it compares with."),
  thresholdType: text("Whether values `above` or `below` the threshold raise it."),
  interval: text("How often it is evaluated, such as `5m`."),
  message: text("The message."),
  channel: nullish(
    looseStruct({
      type: text("What is notified, such as `webhook`."),
      webhookId: text("The id of the webhook.")
    }).pipe(withIdentifier("AlertChannel", "Where an alert is sent.")),
    "Where it is sent."
  )
}

/**
 * An alert. Every field is kept as it was sent, those that are not named here too; nothing is evaluated. Contract:
 * docs/wire-contract.md#saved-searches-webhooks-and-alerts.
 */
export const Alert = looseStruct({ id: AlertId, name, ...alertFields }).pipe(withIdentifier("Alert", "An alert."))
export type Alert = typeof Alert.Type

/** The request for an alert, and to replace one. Contract: docs/wire-contract.md#saved-searches-webhooks-and-alerts. */
export const AlertCreate = looseStruct({ name: requestedName, ...alertFields }).pipe(
  withIdentifier("AlertCreate", "The request for an alert. Every field is stored as it is sent.")
)
export type AlertCreate = typeof AlertCreate.Type

/**
 * The port to the saved searches of one organization, as `Connections` is to its connections.
 *
 * @example
 * ```ts
 * import { SavedSearches } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * export const names = SavedSearches.use((searches) =>
 *   Effect.map(searches.list(), (all) => all.map(({ name }) => name))
 * )
 * ```
 */
export class SavedSearches extends Context.Service<
  SavedSearches,
  OwnedDocuments<{ readonly savedSearchId: SavedSearchId }, SavedSearchCreate, SavedSearch, SavedSearchNotFound>
>()("@headgate/core/dashboard/SavedSearches") {}

/**
 * The port to the webhooks of one organization, as `Connections` is to its connections. `list` returns all of them, also where
 * the service answers in pages.
 *
 * @example
 * ```ts
 * import { Webhooks } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * // The ids of the webhooks that call nothing.
 * export const silent = Effect.gen(function* () {
 *   const webhooks = yield* Webhooks
 *   return (yield* webhooks.list()).flatMap(({ id, url }) => (url ? [] : [id]))
 * })
 * ```
 */
export class Webhooks extends Context.Service<
  Webhooks,
  OwnedDocuments<{ readonly webhookId: WebhookId }, WebhookCreate, Webhook, WebhookNotFound> & {
    /** Tells whether `create` would take a document, and which fields are wrong. Stores nothing. */
    readonly validate: (document: WebhookDocument) => Effect.Effect<WebhookValidation, ServiceNotFound | CallError>
  }
>()("@headgate/core/dashboard/Webhooks") {}

/**
 * The port to the alerts of one organization, as `Connections` is to its connections.
 *
 * @example
 * ```ts
 * import { Alerts } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * export const names = Alerts.use((alerts) => Effect.map(alerts.list(), (all) => all.map(({ name }) => name)))
 * ```
 */
export class Alerts extends Context.Service<
  Alerts,
  OwnedDocuments<{ readonly alertId: AlertId }, AlertCreate, Alert, AlertNotFound>
>()("@headgate/core/dashboard/Alerts") {}
