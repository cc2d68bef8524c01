import * as Context from "effect/Context"
import type * as Schema from "effect/Schema"
import type { OrganizationId } from "../id/organization.ts"
import { notFound } from "../error/notFoundErrors.ts"
import { looseStruct } from "../schema/LooseStruct.ts"
import {
  Alert,
  AlertCreate,
  Alerts,
  SavedSearch,
  SavedSearchCreate,
  SavedSearches,
  Webhook,
  WebhookCreate,
  Webhooks,
  webhookSecrets
} from "./DocumentStores.ts"
import { DashboardRole, DashboardRoleCreate, DashboardRoles, DashboardRoleUpdate } from "./DashboardRoles.ts"
import { AlertId, DashboardRoleId, SavedSearchId, WebhookId } from "../id/dashboard.ts"
import type { OwnedDocuments } from "./OwnedDocuments.ts"

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
  /** The fields of a stored document that stay if a request to replace it does not have them. */
  readonly kept: ReadonlyArray<string>
  /** What the service sets in a document, whatever a request says. `stored`: the document that is replaced. */
  readonly assigned: (now: string, stored?: object) => object
  /** The document as it is answered. */
  readonly Document: Schema.Codec<Document, unknown>
  readonly notFound: (id: Id) => Missing
  /** The fields that are secrets: they are stored apart from the document. */
  readonly Secrets: Schema.Codec<object, unknown> & { readonly schema: { readonly fields: Schema.Struct.Fields } }
  /** The secrets that no answer holds. A request to replace a document keeps those that it does not have. */
  readonly writeOnly: ReadonlyArray<string>
}

/** Documents that are what the last request said. */
const asSent = { kept: [], assigned: () => ({}) }

const noSecrets = { Secrets: looseStruct({}), writeOnly: [] }

/**
 * The documents beside dashboards: the name of each kind in a snapshot and in the limits, and what differs between them.
 * Saved searches, webhooks and alerts are stored as they are sent. In a role of dashboards the service sets `isPredefined`
 * and the times, and an update keeps the `name` and the `description` that it does not have. Snapshots, the stores and
 * their laws are computed from it. Contract: docs/wire-contract.md#saved-searches-webhooks-and-alerts and
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
    ...asSent,
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
    ...asSent,
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
    ...asSent,
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
    kept: ["name", "description"],
    assigned: (now: string, stored: { readonly createdAt?: unknown; readonly isPredefined?: unknown } = {}) => {
      const { createdAt = now, isPredefined = false } = stored
      return { isPredefined, createdAt, updatedAt: now }
    },
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
