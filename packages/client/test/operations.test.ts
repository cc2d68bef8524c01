import { neutral, type Operations, operations } from "@headgate/http-contract"
import { assert, describe, it } from "vitest"
import type { HeadgateClient } from "../src/index.ts"
import { createTestClient } from "../src/testing/index.ts"

/** Where the client has the operations of each table. */
const groups: { readonly [Noun in keyof Operations]: keyof HeadgateClient } = {
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

describe("every operation of the contract is a method", () => {
  const headgate = createTestClient()
  const address = { organizationId: "", serviceId: "" }
  const client = {
    ...headgate,
    serviceDashboards: headgate.serviceDashboards.of(address),
    serviceSources: headgate.serviceSources.of(address),
    serviceSavedSearches: headgate.serviceSavedSearches.of(address),
    serviceWebhooks: headgate.serviceWebhooks.of(address),
    serviceAlerts: headgate.serviceAlerts.of(address),
    dashboardRoles: headgate.dashboardRoles.of(address),
    serviceCharts: headgate.serviceCharts.of(address)
  }
  const tables = Object.entries(operations(neutral)).flatMap(([noun, table]) =>
    Object.keys(table).map((name) => [noun, name] as const)
  )
  it.each(tables)("%s.%s", (noun, name) => {
    const group: unknown = Reflect.get(client, Reflect.get(groups, noun))
    assert.isTrue(typeof group === "object" && group !== null && typeof Reflect.get(group, name) === "function")
  })
})
