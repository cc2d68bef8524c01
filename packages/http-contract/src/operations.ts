import * as Str from "effect/String"
import type { Dialect } from "./Dialect.ts"
import { chartOperations } from "./chart/chartOperations.ts"
import { belowService } from "./dashboard/belowService.ts"
import { dashboardOperations } from "./dashboard/dashboardOperations.ts"
import { dashboardRoleOperations } from "./dashboard/dashboardRoleOperations.ts"
import {
  alertOperations,
  connectionOperations,
  savedSearchOperations,
  sourceOperations,
  webhookOperations
} from "./dashboard/sourceOperations.ts"
import { consoleOperations } from "./key/consoleOperations.ts"
import { keyOperations } from "./key/keyOperations.ts"
import { organizationOperations } from "./organization/organizationOperations.ts"
import { roleOperations } from "./key/roleOperations.ts"
import { pipeOperations } from "./pipe/pipeOperations.ts"
import { cdcScalingOperations } from "./service/cdcScalingOperations.ts"
import { endpointOperations } from "./service/endpointOperations.ts"
import { serviceOperations } from "./service/serviceOperations.ts"

/**
 * Every operation of the contract in a dialect, by noun and name. Code that handles all operations is computed from it.
 *
 * @example
 * ```ts
 * import { neutral, operations } from "@headgate/http-contract"
 *
 * const rows = Object.values(operations(neutral)).flatMap((table) => Object.values(table))
 * console.log(rows.filter(({ isRepeatable }) => !isRepeatable).every(({ method }) => method === "POST"))
 * // true
 * ```
 */
export const operations = (dialect: Dialect) => ({
  organization: organizationOperations(dialect),
  service: serviceOperations(dialect),
  cdcScaling: cdcScalingOperations(dialect),
  endpoint: endpointOperations(dialect),
  pipe: pipeOperations(dialect),
  key: keyOperations(dialect),
  role: roleOperations(dialect),
  console: consoleOperations(dialect),
  dashboard: dashboardOperations(dialect),
  serviceDashboard: belowService(dashboardOperations(dialect), dialect),
  dashboardRole: belowService(dashboardRoleOperations(dialect), dialect),
  connection: connectionOperations(dialect),
  source: sourceOperations(dialect),
  serviceSource: belowService(sourceOperations(dialect), dialect),
  savedSearch: savedSearchOperations(dialect),
  serviceSavedSearch: belowService(savedSearchOperations(dialect), dialect),
  webhook: webhookOperations(dialect),
  serviceWebhook: belowService(webhookOperations(dialect), dialect),
  alert: alertOperations(dialect),
  serviceAlert: belowService(alertOperations(dialect), dialect),
  chart: chartOperations(dialect),
  serviceChart: belowService(chartOperations(dialect), dialect)
})

/** The tables of {@link operations}. */
export type Operations = ReturnType<typeof operations>

const titleBelowService = (documents: string) => ({
  title: `${Str.capitalize(documents)} of a service`,
  description: `The ${documents} of the organization, in the management API: every service has the same.`
})

/** What OpenAPI calls each noun, and what it says of it. */
export const titles: { readonly [Noun in keyof Operations]: { readonly title: string; readonly description: string } } =
  {
    organization: { title: "Organizations", description: "The organization of the key, and who the caller is." },
    service: { title: "Services", description: "The database services of an organization, and their states." },
    cdcScaling: {
      title: "CDC scaling",
      description: "The size of the replica that the database pipes of a service share."
    },
    endpoint: { title: "Reverse private endpoints", description: "Private connections from a service to sources." },
    pipe: { title: "Pipes", description: "The ingestion pipes of a service." },
    key: { title: "Keys", description: "The API keys of an organization." },
    console: {
      title: "Console",
      description: "The sessions of the console, and the codes that open them. An addition of this server."
    },
    dashboard: { title: "Dashboards", description: "The dashboards of an organization." },
    serviceDashboard: titleBelowService("dashboards"),
    serviceSource: titleBelowService("data sources"),
    serviceSavedSearch: titleBelowService("saved searches"),
    serviceWebhook: titleBelowService("webhooks"),
    serviceAlert: titleBelowService("alerts"),
    dashboardRole: {
      title: "Roles of dashboards",
      description: "The roles of those who use dashboards. They are stored and grant nothing."
    },
    connection: { title: "Connections", description: "The connections of dashboards to databases." },
    source: { title: "Sources", description: "The data sources of dashboards." },
    savedSearch: { title: "Saved searches", description: "The saved searches of an organization, as they were sent." },
    webhook: { title: "Webhooks", description: "The webhooks of an organization, as they were sent. None is called." },
    alert: { title: "Alerts", description: "The alerts of an organization, as they were sent. None is evaluated." },
    chart: { title: "Charts", description: "The data of the charts of an organization, read from its tables." },
    serviceChart: {
      title: "Charts of a service",
      description: "The data of the same charts, in the management API: every service has the same."
    },
    role: { title: "Roles", description: "The roles of an organization. Custom roles are stored and grant nothing." }
  }
