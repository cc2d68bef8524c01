import * as Context from "effect/Context"
import type * as Schema from "effect/Schema"
import type { OrganizationId } from "../id/organization.ts"
import { notFound } from "../error/notFoundErrors.ts"
import { looseStruct } from "../schema/LooseStruct.ts"
import { alertRule } from "./alertRule.ts"
import { Alert, AlertCreate, Alerts } from "./Alerts.ts"
import { DashboardRole, DashboardRoleCreate, DashboardRoles, DashboardRoleUpdate } from "./DashboardRoles.ts"
import { AlertId, DashboardRoleId, SavedSearchId, WebhookId } from "../id/dashboard.ts"
import { type DocumentRule, noRule, timesOf } from "./DocumentRule.ts"
import type { OwnedDocuments } from "./OwnedDocuments.ts"
import { SavedSearch, SavedSearchCreate, SavedSearches } from "./SavedSearches.ts"
import { savedSearchRule } from "./savedSearchRule.ts"
import { Webhook, WebhookCreate, Webhooks, webhookSecrets } from "./Webhooks.ts"
import { webhookRule } from "./webhookRule.ts"

/** All that tells one kind of stored documents from another. */
export interface DocumentKind<
  Id extends string = any,
  Address = any,
  Request extends object = any,
  Document extends object = any,
  Missing = any,
  Update extends object = any
> {
  /** The name of one, as in the names of its secrets. */
  readonly noun: string
  /** The port to the documents of one organization. */
  readonly port: Context.Key<any, OwnedDocuments<Address, Request, Document, Missing, Update>>
  /** What a snapshot says of its documents. */
  readonly description: string
  readonly Id: Schema.Codec<Id, string>
  /** The id in the address of a document. */
  readonly idIn: (address: Address) => Id
  readonly Request: Schema.Codec<Request, unknown>
  /** The request to replace a document. */
  readonly Update: Schema.Codec<Update, unknown>
  /** What else is required of a request, what the stored document is, and what goes with it when it is deleted. */
  readonly rule: DocumentRule
  /** The document as it is answered. */
  readonly Document: Schema.Codec<Document, unknown>
  readonly notFound: (id: Id) => Missing
  /** The fields that are secrets: they are stored apart from the document. */
  readonly Secrets: Schema.Codec<object, unknown> & { readonly schema: { readonly fields: Schema.Struct.Fields } }
  /** The secrets that no answer holds. A request to replace a document keeps those that it does not have. */
  readonly writeOnly: ReadonlyArray<string>
}

/** A role is stored as it was sent, and an update keeps the name and the description that it does not have. */
const roleRule: DocumentRule = {
  ...noRule,
  document: (request, context) => {
    const { description, isPredefined = false, name } = context.stored ?? {}
    const kept = context.removed.includes("description") ? {} : { description }
    return { name, ...kept, ...request, isPredefined, ...timesOf(context) }
  }
}

const noSecrets = { Secrets: looseStruct({}), writeOnly: [] }

/**
 * The documents beside dashboards: the name of each kind in a snapshot and in the limits, and what differs between them.
 * Snapshots, the stores and their laws are computed from it. Contract: docs/wire-contract.md#saved-searches-webhooks-and-alerts and
 * docs/wire-contract.md#roles-of-dashboards.
 *
 * @example
 * ```ts
 * import { documentKinds } from "@headgate/core/adapter"
 *
 * console.log(Object.keys(documentKinds)) // [ 'savedSearches', 'webhooks', 'alerts', 'dashboardRoles' ]
 * ```
 */
export const documentKinds = {
  savedSearches: {
    noun: "savedSearch",
    port: SavedSearches,
    description: "The saved searches.",
    Id: SavedSearchId,
    idIn: ({ savedSearchId }: { readonly savedSearchId: SavedSearchId }) => savedSearchId,
    Request: SavedSearchCreate,
    Update: SavedSearchCreate,
    rule: savedSearchRule,
    Document: SavedSearch,
    notFound: (savedSearchId: SavedSearchId) => notFound("SavedSearchNotFound", { savedSearchId }),
    ...noSecrets
  },
  webhooks: {
    noun: "webhook",
    port: Webhooks,
    description: "The webhooks that alerts are sent to. An import takes their `headers` and `queryParams`.",
    Id: WebhookId,
    idIn: ({ webhookId }: { readonly webhookId: WebhookId }) => webhookId,
    Request: WebhookCreate,
    Update: WebhookCreate,
    rule: webhookRule,
    Document: Webhook,
    notFound: (webhookId: WebhookId) => notFound("WebhookNotFound", { webhookId }),
    Secrets: looseStruct(webhookSecrets),
    writeOnly: ["headers", "queryParams"]
  },
  alerts: {
    noun: "alert",
    port: Alerts,
    description: "The alerts.",
    Id: AlertId,
    idIn: ({ alertId }: { readonly alertId: AlertId }) => alertId,
    Request: AlertCreate,
    Update: AlertCreate,
    rule: alertRule,
    Document: Alert,
    notFound: (alertId: AlertId) => notFound("AlertNotFound", { alertId }),
    ...noSecrets
  },
  dashboardRoles: {
    noun: "dashboardRole",
    port: DashboardRoles,
    description: "The roles of those who use dashboards.",
    Id: DashboardRoleId,
    idIn: ({ dashboardRoleId }: { readonly dashboardRoleId: DashboardRoleId }) => dashboardRoleId,
    Request: DashboardRoleCreate,
    Update: DashboardRoleUpdate,
    rule: roleRule,
    Document: DashboardRole,
    notFound: (dashboardRoleId: DashboardRoleId) => notFound("DashboardRoleNotFound", { dashboardRoleId }),
    ...noSecrets
  }
} as const

/** The name of a kind of documents. */
export type DocumentKindName = keyof typeof documentKinds

type Kinds = typeof documentKinds

/** The ports to the documents of one organization, by kind. */
export type DocumentStores = { readonly [Name in DocumentKindName]: Kinds[Name]["port"]["Service"] }

/**
 * The ports to the saved searches, webhooks, alerts and roles of dashboards of every organization in a store, as
 * `OrganizationDashboards` is for dashboards.
 *
 * @example
 * ```ts
 * import { OrganizationDocuments, type TokenPrincipal } from "@headgate/core/adapter"
 *
 * export const listFor = (caller: TokenPrincipal) =>
 *   OrganizationDocuments.use((documents) => documents.of(caller.organizationId).webhooks.list())
 * ```
 */
export class OrganizationDocuments extends Context.Service<
  OrganizationDocuments,
  {
    /** The ports of one organization. Nothing is read until a method is called. */
    readonly of: (organizationId: OrganizationId) => DocumentStores
  }
>()("@headgate/core/dashboard/OrganizationDocuments") {}
