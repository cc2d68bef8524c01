import type { Operations } from "@headgate/http-contract"
import type { HeadgateClient } from "../../src/index.ts"

/** Where the client has the operations of each table. */
export const nounOf: { readonly [Noun in keyof Operations]: keyof HeadgateClient } = {
  organization: "organizations",
  service: "services",
  cdcScaling: "cdcScaling",
  endpoint: "privateEndpoints",
  pipe: "pipes",
  key: "keys",
  role: "roles",
  console: "console",
  dashboard: "dashboards",
  serviceDashboard: "serviceDashboards",
  serviceSource: "serviceSources",
  serviceSavedSearch: "serviceSavedSearches",
  serviceWebhook: "serviceWebhooks",
  serviceAlert: "serviceAlerts",
  dashboardRole: "dashboardRoles",
  connection: "connections",
  source: "sources",
  savedSearch: "savedSearches",
  webhook: "webhooks",
  alert: "alerts",
  chart: "charts",
  serviceChart: "serviceCharts"
}
