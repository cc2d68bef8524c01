import type { DocumentKindName } from "@headgate/core/adapter"

/** The tables whose rows belong to a service, and have a column `service_id`. */
export const tablesUnderService = ["pipe", "reverse_private_endpoint"] as const

/** The table of each kind of documents beside dashboards. */
export const documentTables: { readonly [Name in DocumentKindName]: string } = {
  savedSearches: "saved_search",
  webhooks: "webhook",
  alerts: "alert"
}

/** The tables whose rows belong to an organization, and have a column `organization_id`: in the order that foreign keys demand. */
export const ownedTables = [
  ...Object.values(documentTables),
  "connection",
  "dashboard_source",
  "dashboard",
  "token",
  "api_key",
  "custom_role",
  ...tablesUnderService,
  "service"
] as const

/** The tables with what a store keeps of an organization beside its resources: they have a column `organization_id`. */
export const organizationRecords = ["idempotent_creation", "organization_usage"] as const

/** The tables of a snapshot's kinds, in the order that foreign keys demand. */
export const snapshotTables = [...ownedTables, "organization"] as const
