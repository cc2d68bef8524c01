import { BelowService, ServiceAddress, versionOf, type Webhook, Webhooks } from "@headgate/core"
import {
  isAuthorized,
  OrganizationConnections,
  OrganizationDocuments,
  OrganizationSources,
  type Principal,
  withVersion
} from "@headgate/core/adapter"
import type { Dialect, Operations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { handlersOf } from "../http/handlersOf.ts"
import { tilesOf, withObjectIds } from "./configDashboards.ts"

const withoutUrl = (webhook: Webhook): Webhook => {
  const { url: _, ...others } = webhook
  const version = versionOf(webhook)
  return version === undefined ? others : withVersion(others, version)
}

/** The webhooks as a caller sees them: `url` is a secret, and who may not change a webhook does not see it. */
const webhooksFor = (principal: Principal, webhooks: Webhooks["Service"]): Webhooks["Service"] =>
  isAuthorized(principal, "webhook:write")
    ? webhooks
    : {
        ...webhooks,
        list: () => Effect.map(webhooks.list(), (all) => all.map(withoutUrl)),
        get: (address) => Effect.map(webhooks.get(address), withoutUrl)
      }

/**
 * The operations on the documents beside dashboards, on those of the token's organization. Contract:
 * docs/wire-contract.md#connections-and-data-sources.
 */
export const documentHandlers = Effect.fnUntraced(function* (dialect: Dialect, tables: Operations) {
  const connections = yield* OrganizationConnections
  const sources = yield* OrganizationSources
  const documents = yield* OrganizationDocuments
  const handlers = {
    connection: handlersOf(tables.connection, ({ principal }) => connections.of(principal.organizationId)),
    source: handlersOf(tables.source, ({ principal }) => sources.of(principal.organizationId)),
    savedSearch: handlersOf(
      tables.savedSearch,
      ({ principal }) => documents.of(principal.organizationId).savedSearches
    ),
    webhook: handlersOf(tables.webhook, ({ principal }) =>
      webhooksFor(principal, documents.of(principal.organizationId).webhooks)
    ),
    alert: handlersOf(tables.alert, ({ principal }) => documents.of(principal.organizationId).alerts)
  }
  return tilesOf(dialect) === "config" ? withObjectIds(tables, handlers) : handlers
})

/** The webhooks below each service of the key's organization. */
export const serviceWebhookHandlers = (table: Operations["serviceWebhook"]) =>
  Effect.map(BelowService(Webhooks), (webhooks) =>
    handlersOf(table, ({ params, principal }) => webhooksFor(principal, webhooks.of(params)), ServiceAddress.fields)
  )
