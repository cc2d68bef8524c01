import type { ManagementClient, ObservabilityClient } from "@headgate/client"
import { call } from "./call.ts"

type Of<Noun extends keyof ManagementClient, Name extends keyof ManagementClient[Noun]> = ManagementClient[Noun][Name]
type Observed<
  Noun extends keyof ObservabilityClient,
  Name extends keyof ObservabilityClient[Noun]
> = ObservabilityClient[Noun][Name]

const organization = "/v1/organizations/:organizationId"
const keys = `${organization}/keys` as const
const service = `${organization}/services/:serviceId` as const
const pipes = `${service}/dbpipes` as const
const pipe = `${pipes}/:pipeId` as const

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
    get: call<Of<"pipes", "get">>("GET", pipe),
    statuses: call<Of<"pipes", "statuses">>("GET", `${pipes}/statuses`)
  },
  key: {
    list: call<Of<"keys", "list">>("GET", keys),
    create: call<Of<"keys", "create">>("POST", keys, true),
    update: call<Of<"keys", "update">>("PATCH", `${keys}/:keyId`),
    delete: call<Of<"keys", "delete">>("DELETE", `${keys}/:keyId`)
  },
  connection: {
    list: call<Observed<"connections", "list">>("GET", "/api/v2/connections")
  }
} as const
