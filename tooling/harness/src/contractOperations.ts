import {
  type AnyOperation,
  type Dialect,
  neutral,
  type Operations,
  operations,
  successBody
} from "@headgate/http-contract"
import * as Schema from "effect/Schema"
import type { Organization } from "./Snapshot.ts"

/** What a request of an operation holds beside its path. */
export interface Sample {
  /** A valid payload in which `name` is the name; absent where the request has no body. */
  readonly payload?: (name: string) => { readonly name: string } & Readonly<Record<string, unknown>>
}

const dashboards = {
  create: { payload: (name: string) => ({ name, tiles: [{ x: 0, y: 0, w: 1, h: 1 }], tags: ["trial"] }) },
  list: {},
  validate: { payload: (name: string) => ({ name }) },
  get: {},
  update: { payload: (name: string) => ({ name, tiles: [{ x: 0, y: 0, w: 1, h: 1 }], tags: ["trial"] }) },
  delete: {}
}
/** Documents of which nothing is required but a name. */
const documents = {
  create: { payload: (name: string) => ({ name }) },
  list: {},
  get: {},
  update: { payload: (name: string) => ({ name }) },
  delete: {}
}
const kafka = { type: "kafka", format: "JSONEachRow", brokers: "b.example.com:9092", topics: "orders" }
const destination = { database: "default", table: "orders", managedTable: true, columns: [] }

/** A sample for every row of the operation tables: a new row does not compile without one. */
const samples: { readonly [Noun in keyof Operations]: { readonly [Name in keyof Operations[Noun]]: Sample } } = {
  pipe: {
    list: {},
    get: {},
    create: { payload: (name) => ({ name, source: { kafka }, destination }) },
    update: { payload: (name) => ({ name }) },
    discoverSchema: { payload: (name) => ({ name, source: { kafka } }) },
    delete: {},
    setState: { payload: (name) => ({ name, command: "stop" }) },
    resume: { payload: (name) => ({ name, from: "ledger" }) },
    adopt: {},
    scale: { payload: (name) => ({ name, replicas: 2 }) },
    settings: {},
    updateSettings: { payload: (name) => ({ name, db_max_threads: 2 }) },
    status: {},
    context: {}
  },
  organization: { list: {}, get: {}, whoami: {} },
  cdcScaling: { get: {}, update: { payload: (name) => ({ name, replicaCpuMillicores: 2000 }) } },
  endpoint: {
    list: {},
    get: {},
    create: {
      payload: (name) => ({ name, description: name, type: "VPC_ENDPOINT_SERVICE", vpcEndpointServiceName: "vpce-svc" })
    },
    update: { payload: (name) => ({ name, customPrivateDnsMappings: [] }) },
    delete: {}
  },
  service: { list: {}, get: {}, setState: { payload: (name) => ({ name, command: "start" }) } },
  key: {
    list: {},
    get: {},
    create: { payload: (name) => ({ name, roles: ["query_endpoints"] }) },
    update: { payload: (name) => ({ name }) },
    delete: {}
  },
  role: {
    list: {},
    get: {},
    create: { payload: (name) => ({ name, actors: [], policies: [] }) },
    update: { payload: (name) => ({ name }) },
    delete: {}
  },
  dashboard: dashboards,
  serviceDashboard: dashboards,
  connection: {
    create: { payload: (name) => ({ name, host: "localhost:8123" }) },
    list: {},
    get: {},
    update: { payload: (name) => ({ name, host: "localhost:8123" }) },
    delete: {}
  },
  source: {
    create: { payload: (name) => ({ name, kind: "log", connection: "65f5e4a3b9e77c001a567890" }) },
    list: {},
    get: {},
    update: { payload: (name) => ({ name, kind: "log", connection: "65f5e4a3b9e77c001a567890" }) },
    delete: {}
  },
  savedSearch: documents,
  webhook: documents,
  alert: documents
}

/** The two APIs of the contract, each with its own credentials and shape of errors. */
export type ApiName = AnyOperation["api"]

/** An operation of the contract with all that a trial needs to call it and to check its answer. */
export interface ContractOperation extends Pick<AnyOperation, "api" | "method" | "path">, Sample {
  /** `pipe.get` */
  readonly name: string
  readonly payloadSchema: AnyOperation["payload"]
  /** What is wrong with the body of a success; `undefined` if nothing is. */
  readonly faultOf: (body: unknown) => string | undefined
}

const decoder = (operation: AnyOperation) => {
  const decode = Schema.decodeUnknownSync(successBody(operation))
  return (body: unknown): string | undefined => {
    try {
      decode(body)
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}

/** Every operation of the operation tables. */
export const contractOperations = (dialect: Dialect = neutral): ReadonlyArray<ContractOperation> =>
  Object.entries<Readonly<Record<string, AnyOperation>>>(operations(dialect)).flatMap(([noun, rows]) =>
    Object.entries(rows).map(([name, row]) => {
      const of: Readonly<Record<string, Sample>> = samples[noun as keyof Operations] // the nouns are those of the tables
      const { api, method, path } = row
      return {
        name: `${noun}.${name}`,
        api,
        method,
        path,
        payloadSchema: row.payload,
        faultOf: decoder(row),
        ...of[name]
      }
    })
  )

/** The API that a path belongs to (contract: docs/wire-contract.md#operations). */
export const apiOf = (path: string): ApiName => (path.startsWith("/api/") ? "observability" : "management")

/** The path of an operation for an organization's service; every other parameter is the id of the resource. */
export const pathFor = (
  { path }: Pick<AnyOperation, "path">,
  { id, serviceId }: Pick<Organization, "id" | "serviceId">,
  resourceId: string
): string => {
  const values: Readonly<Record<string, string>> = { organizationId: id, serviceId }
  return path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? resourceId)
}
