import type { ManagementClient, ObservabilityClient } from "@headgate/client"
import { call } from "./call.ts"

type Of<Noun extends keyof ManagementClient, Name extends keyof ManagementClient[Noun]> = ManagementClient[Noun][Name]
type Observed<
  Noun extends keyof ObservabilityClient,
  Name extends keyof ObservabilityClient[Noun]
> = ObservabilityClient[Noun][Name]

type Connections = ObservabilityClient["connections"]
type Sources = ObservabilityClient["sources"]
type Dashboards = ObservabilityClient["dashboards"]

/** One document, whose id the client takes beside the request. */
interface Identified {
  readonly id: string
}
type ConnectionUpdate = Identified & Parameters<Connections["update"]>[1]
type SourceUpdate = Identified & Parameters<Sources["update"]>[1]
type DashboardUpdate = Identified & Parameters<Dashboards["update"]>[1]

const organization = "/v1/organizations/:organizationId"
const keys = `${organization}/keys` as const
const service = `${organization}/services/:serviceId` as const
const pipes = `${service}/dbpipes` as const
const pipe = `${pipes}/:pipeId` as const
const connections = "/api/v2/connections"
const sources = "/api/v2/sources"
const dashboards = "/api/v2/dashboards"
const dashboard = `${dashboards}/:id` as const

/** Every operation that the pages call, by noun: the only list of paths. */
export const calls = {
  organization: {
    list: call<Of<"organizations", "list">>("GET", "/v1/organizations"),
    whoami: call<Of<"organizations", "whoami">>("GET", "/v1/whoami")
  },
  service: {
    list: call<Of<"services", "list">>("GET", `${organization}/services`)
  },
  pipe: {
    list: call<Of<"pipes", "list">>("GET", pipes),
    create: call<Of<"pipes", "create">>("POST", pipes, true),
    discoverSchema: call<Of<"pipes", "discoverSchema">>("POST", `${pipes}/schemaDiscovery`),
    get: call<Of<"pipes", "get">>("GET", pipe),
    statuses: call<Of<"pipes", "statuses">>("GET", `${pipes}/statuses`),
    status: call<Of<"pipes", "status">>("GET", `${pipe}/status`),
    events: call<Of<"pipes", "events">>("GET", `${pipe}/events`),
    errors: call<Of<"pipes", "errors">>("GET", `${pipe}/errors`),
    history: call<Of<"pipes", "history">>("GET", `${pipe}/history`),
    setState: call<Of<"pipes", "setState">>("PATCH", `${pipe}/state`),
    resume: call<Of<"pipes", "resume">>("POST", `${pipe}/resume`, true),
    adopt: call<Of<"pipes", "adopt">>("POST", `${pipe}/adopt`, true),
    scale: call<Of<"pipes", "scale">>("PATCH", `${pipe}/scaling`),
    updateSettings: call<Of<"pipes", "updateSettings">>("PUT", `${pipe}/settings`),
    update: call<Of<"pipes", "update">>("PATCH", pipe),
    delete: call<Of<"pipes", "delete">>("DELETE", pipe)
  },
  chart: {
    query: call<Observed<"charts", "query">>("POST", "/api/v2/charts/query")
  },
  key: {
    list: call<Of<"keys", "list">>("GET", keys),
    create: call<Of<"keys", "create">>("POST", keys, true),
    update: call<Of<"keys", "update">>("PATCH", `${keys}/:keyId`),
    delete: call<Of<"keys", "delete">>("DELETE", `${keys}/:keyId`)
  },
  dashboard: {
    list: call<Dashboards["list"]>("GET", dashboards),
    get: call<(request: Identified) => ReturnType<Dashboards["get"]>>("GET", dashboard),
    create: call<Dashboards["create"]>("POST", dashboards, true),
    update: call<(request: DashboardUpdate) => ReturnType<Dashboards["update"]>>("PUT", dashboard),
    delete: call<(request: Identified) => ReturnType<Dashboards["delete"]>>("DELETE", dashboard)
  },
  connection: {
    list: call<Connections["list"]>("GET", connections),
    get: call<(request: Identified) => ReturnType<Connections["get"]>>("GET", `${connections}/:id`),
    create: call<Connections["create"]>("POST", connections, true),
    update: call<(request: ConnectionUpdate) => ReturnType<Connections["update"]>>("PUT", `${connections}/:id`),
    delete: call<(request: Identified) => ReturnType<Connections["delete"]>>("DELETE", `${connections}/:id`)
  },
  source: {
    list: call<Sources["list"]>("GET", sources),
    get: call<(request: Identified) => ReturnType<Sources["get"]>>("GET", `${sources}/:id`),
    create: call<Sources["create"]>("POST", sources, true),
    update: call<(request: SourceUpdate) => ReturnType<Sources["update"]>>("PUT", `${sources}/:id`),
    delete: call<(request: Identified) => ReturnType<Sources["delete"]>>("DELETE", `${sources}/:id`)
  }
} as const
