import * as Schema from "effect/Schema"

/**
 * The id of a dashboard. It is any string, `""` included. Contract: docs/wire-contract.md#fields-of-a-dashboard.
 */
export const DashboardId = Schema.String.pipe(Schema.brand("DashboardId")).annotate({
  description: "The id of the dashboard."
})
export type DashboardId = typeof DashboardId.Type

/**
 * The id of a tile, assigned by the service: any string, `""` included. Contract:
 * docs/wire-contract.md#fields-of-a-dashboard.
 */
export const TileId = Schema.String.pipe(Schema.brand("TileId")).annotate({
  description: "The id of the tile, assigned by the service."
})
export type TileId = typeof TileId.Type

/** The id of a connection, assigned by the service. Contract: docs/wire-contract.md#connections-and-data-sources. */
export const ConnectionId = Schema.String.pipe(Schema.brand("ConnectionId")).annotate({
  description: "The id of the connection."
})
export type ConnectionId = typeof ConnectionId.Type

/**
 * The id of a data source of dashboards, assigned by the service. Contract:
 * docs/wire-contract.md#connections-and-data-sources.
 */
export const SourceId = Schema.String.pipe(Schema.brand("SourceId")).annotate({
  description: "The id of the data source."
})
export type SourceId = typeof SourceId.Type

/**
 * The id of a saved search, assigned by the service. Contract:
 * docs/wire-contract.md#saved-searches-webhooks-and-alerts.
 */
export const SavedSearchId = Schema.String.pipe(Schema.brand("SavedSearchId")).annotate({
  description: "The id of the saved search."
})
export type SavedSearchId = typeof SavedSearchId.Type

/** The id of a webhook, assigned by the service. Contract: docs/wire-contract.md#saved-searches-webhooks-and-alerts. */
export const WebhookId = Schema.String.pipe(Schema.brand("WebhookId")).annotate({
  description: "The id of the webhook."
})
export type WebhookId = typeof WebhookId.Type

/** The id of an alert, assigned by the service. Contract: docs/wire-contract.md#saved-searches-webhooks-and-alerts. */
export const AlertId = Schema.String.pipe(Schema.brand("AlertId")).annotate({ description: "The id of the alert." })
export type AlertId = typeof AlertId.Type

/** The id of a role of dashboards, assigned by the service. Contract: docs/wire-contract.md#roles-of-dashboards. */
export const DashboardRoleId = Schema.String.pipe(Schema.brand("DashboardRoleId")).annotate({
  description: "The id of the role of dashboards."
})
export type DashboardRoleId = typeof DashboardRoleId.Type
