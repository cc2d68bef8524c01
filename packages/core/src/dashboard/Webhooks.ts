import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CallError } from "../error/CallError.ts"
import { FieldIssue } from "../error/FieldIssue.ts"
import type { ServiceNotFound, WebhookNotFound } from "../error/NotFound.ts"
import { WebhookId } from "../id/dashboard.ts"
import { knownString, secret, secretText } from "../schema/fieldSchemas.ts"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { anyText, boundedText, oneOf, setTime, textUpTo } from "./documentFields.ts"
import type { OwnedDocuments } from "./OwnedDocuments.ts"

const services = ["slack", "incidentio", "generic"] as const

const textsByName = (label: string) => secret(Schema.Record(Schema.String, Schema.String), label)

const writeOnly = {
  headers: nullish(textsByName("headers"), "The headers that it sends: at most 100. Not for `slack`. Write-only."),
  queryParams: nullish(
    textsByName("queryParams"),
    "What it adds to the query of `url`: at most 100 parameters. Not for `slack`. Write-only."
  )
}

/** The fields of a webhook that are secrets. */
export const webhookSecrets = {
  url: nullish(
    secretText("url"),
    "The URL that it calls. It is a secret, as most services put a token into it: absent for a key without the role `admin`."
  ),
  ...writeOnly
}

/**
 * A webhook, as the service answers it: without its `headers` and `queryParams`. Unknown fields are kept. Contract:
 * docs/wire-contract.md#saved-searches-webhooks-and-alerts.
 */
export const Webhook = looseStruct({
  id: WebhookId,
  name: anyText("The name."),
  url: webhookSecrets.url,
  service: nullish(knownString([...services, "slack_api", "pagerduty_api"]), "What takes the requests."),
  description: anyText("What the webhook is for."),
  body: anyText("The template of the body that it sends."),
  createdAt: setTime("When it was created."),
  updatedAt: setTime("When it was last replaced.")
}).pipe(withIdentifier("Webhook", "A URL that alerts are sent to."))
export type Webhook = typeof Webhook.Type

/**
 * The request for a webhook, and to replace one. No other webhook of the organization has its `service` and `name`. Its `url` is one
 * of `http` or `https`, of at most 2,048 characters, and not of a private or reserved address. `headers` and `queryParams` are
 * write-only, each of at most 8,192 characters as JSON: in a request to replace a webhook, what is absent stays if `service` and `url`
 * stay, too, and `null` or `{}` removes it. Unknown fields are dropped. Contract:
 * docs/wire-contract.md#saved-searches-webhooks-and-alerts.
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
export const WebhookCreate = looseStruct({
  name: boundedText(1024, "The name"),
  service: oneOf(services).annotate({ description: "What takes the requests." }),
  url: secretText(
    "url",
    "The URL that it calls: `http` or `https`, at most 2,048 characters, no private or reserved address."
  ),
  ...writeOnly,
  description: nullish(textUpTo(2048), "What the webhook is for: at most 2,048 characters."),
  body: nullish(textUpTo(16_384), "The template of the body that it sends: at most 16,384 characters. Not for `slack`.")
}).pipe(withIdentifier("WebhookCreate", "The request for a webhook."))
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

/**
 * The port to the webhooks of one organization, as `Connections` is to its connections. `list` returns all of them, also where
 * the service answers in pages. `delete` fails with `Conflict` while an alert is sent to the webhook.
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
    /**
     * Tells whether the fields of a document are those that `create` takes, and which are wrong. Whether the name is taken is not
     * looked up. Stores nothing.
     */
    readonly validate: (document: WebhookDocument) => Effect.Effect<WebhookValidation, ServiceNotFound | CallError>
  }
>()("@headgate/core/dashboard/Webhooks") {}
