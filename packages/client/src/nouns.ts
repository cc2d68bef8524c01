import type { ManagementMethods, ObservabilityMethods } from "./HeadgateClient.ts"
import type { ManagementNouns, ObservabilityNouns } from "./Noun.ts"
import { charts } from "./chart/charts.ts"
import { serviceCharts } from "./chart/serviceCharts.ts"
import { alerts } from "./dashboard/alerts.ts"
import { connections } from "./dashboard/connections.ts"
import { dashboardRoles } from "./dashboard/dashboardRoles.ts"
import { dashboards } from "./dashboard/dashboards.ts"
import { savedSearches } from "./dashboard/savedSearches.ts"
import { serviceAlerts } from "./dashboard/serviceAlerts.ts"
import { serviceDashboards } from "./dashboard/serviceDashboards.ts"
import { serviceSavedSearches } from "./dashboard/serviceSavedSearches.ts"
import { serviceSources } from "./dashboard/serviceSources.ts"
import { serviceWebhooks } from "./dashboard/serviceWebhooks.ts"
import { sources } from "./dashboard/sources.ts"
import { webhooks } from "./dashboard/webhooks.ts"
import { console } from "./key/console.ts"
import { keys } from "./key/keys.ts"
import { roles } from "./key/roles.ts"
import { organizations } from "./organization/organizations.ts"
import { pipes } from "./pipe/pipes.ts"
import { cdcScaling } from "./service/cdcScaling.ts"
import { privateEndpoints } from "./service/privateEndpoints.ts"
import { services } from "./service/services.ts"

/** The nouns of the management API. Each has an entry point of its own. */
export const managementNouns: ManagementNouns<ManagementMethods> = {
  organizations,
  services,
  cdcScaling,
  privateEndpoints,
  pipes,
  keys,
  roles,
  console,
  serviceDashboards,
  serviceSources,
  serviceSavedSearches,
  serviceWebhooks,
  serviceAlerts,
  dashboardRoles,
  serviceCharts
}

/** The nouns of the observability API. Each has an entry point of its own. */
export const observabilityNouns: ObservabilityNouns<ObservabilityMethods> = {
  dashboards,
  connections,
  sources,
  savedSearches,
  webhooks,
  alerts,
  charts
}
