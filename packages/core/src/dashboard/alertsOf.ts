import { type JsonObject, objectOf, objectsOf } from "./config/Issues.ts"
import type { NamedResource } from "./DocumentRule.ts"

const idsOf = (alerts: ReadonlyArray<NamedResource>): ReadonlyArray<string> => alerts.map(({ id }) => id)

/** The ids of the alerts that watch a saved search. */
export const alertsOfSearch = (alerts: ReadonlyArray<NamedResource>, savedSearchId: string): ReadonlyArray<string> =>
  idsOf(alerts.filter((alert) => alert.savedSearchId === savedSearchId))

/**
 * The ids of the alerts that go with a dashboard that is deleted, or with its tiles that are not in `left`: the tiles of what
 * replaces it.
 *
 * @example
 * ```ts
 * import { alertsOfDashboard } from "@headgate/core/adapter"
 *
 * const alerts = [
 *   { id: "a1", dashboardId: "d1", tileId: "t1" },
 *   { id: "a2", dashboardId: "d1", tileId: "t2" }
 * ]
 * console.log(alertsOfDashboard(alerts, "d1", [{ id: "t2" }])) // [ 'a1' ]
 * console.log(alertsOfDashboard(alerts, "d1")) // [ 'a1', 'a2' ]
 * ```
 */
export const alertsOfDashboard = (
  alerts: ReadonlyArray<NamedResource>,
  dashboardId: string,
  left: ReadonlyArray<{ readonly id?: unknown }> = []
): ReadonlyArray<string> => {
  const tileIds = new Set(left.map(({ id }) => id))
  return idsOf(alerts.filter((alert) => alert.dashboardId === dashboardId && !tileIds.has(alert.tileId)))
}

/** Where an alert is sent: `channels`, or `channel` of one that was stored without them. */
export const channelsOf = ({ channel, channels }: JsonObject): ReadonlyArray<JsonObject> => {
  const several = objectsOf(channels)
  const one = objectOf(channel)
  return several.length > 0 || one === undefined ? several : [one]
}

/** The ids of the alerts that are sent to a webhook. */
export const alertsOfWebhook = (alerts: ReadonlyArray<NamedResource>, webhookId: string): ReadonlyArray<string> =>
  idsOf(alerts.filter((alert) => channelsOf(alert).some((channel) => channel.webhookId === webhookId)))
