import {
  type AnyOperation,
  type Dialect,
  type Example,
  examples,
  hasQuery,
  neutral,
  type Operations,
  operations,
  successBody
} from "@headgate/http-contract"
import { exampleIds } from "@headgate/core/adapter"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import type { Organization } from "./Snapshot.ts"

/** What a request of an operation holds beside its path. */
interface Request {
  /** A valid payload in which `name` is the name; absent where the request has no body. */
  readonly payload?: (name: string) => { readonly name: string } & Readonly<Record<string, unknown>>
}

/** The two APIs of the contract, each with its own credentials and shape of errors. */
export type ApiName = AnyOperation["api"]

/** An operation of the contract with all that a trial needs to call it and to check its answer. */
export interface ContractOperation extends Pick<AnyOperation, "api" | "method" | "path">, Request {
  /** `pipe.get` */
  readonly name: string
  readonly payloadSchema: AnyOperation["payload"]
  /** Whether it may be answered 304. */
  readonly isConditional: boolean
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

const dashboard = () => ({ tiles: [{ x: 0, y: 0, w: 1, h: 1 }], tags: ["trial"] })
const nothing = () => ({})

/**
 * What a trial sends in place of an example that names other documents, that changes the key or the service of its caller, or
 * in which something else has a name, too.
 */
const instead: Readonly<Record<string, (name: string) => Readonly<Record<string, unknown>>>> = {
  "dashboard.create": dashboard,
  "dashboard.update": dashboard,
  "endpoint.create": (name) => ({
    description: name,
    type: "VPC_ENDPOINT_SERVICE",
    vpcEndpointServiceName: "vpce-svc"
  }),
  "key.update": nothing,
  "pipe.update": nothing,
  "service.setState": () => ({ command: "start" }),
  "serviceDashboard.create": dashboard,
  "serviceDashboard.update": dashboard
}

const requestOf = (operation: string, { payload }: Example): Request =>
  Predicate.isObject(payload) ? { payload: (name) => ({ ...(instead[operation]?.(name) ?? payload), name }) } : {}

const namedIds = ["connectionId", "sourceId", "savedSearchId", "webhookId"] as const

/** A payload in which the documents that an example names have another id. */
export const naming = <Payload>(payload: Payload, id: string): Payload =>
  JSON.parse(namedIds.reduce((text, name) => text.replaceAll(exampleIds[name], id), JSON.stringify(payload)))

/** The documents that the examples name, in an organization of a snapshot, with other ids. */
export const namedDocuments = (
  ids: { readonly [Name in (typeof namedIds)[number]]: string } = exampleIds,
  url = "https://hooks.example.com/T0"
) => {
  const { connectionId, savedSearchId, sourceId, webhookId } = ids
  return {
    connections: [{ id: connectionId, name: connectionId, host: "localhost:8123" }],
    sources: [{ id: sourceId, name: sourceId, kind: "log", connection: connectionId }],
    savedSearches: [{ id: savedSearchId, name: savedSearchId, sourceId }],
    webhooks: [{ id: webhookId, name: webhookId, service: "generic", url }]
  }
}

/** Every operation of the operation tables, with the requests of the examples. */
export const contractOperations = (dialect: Dialect = neutral): ReadonlyArray<ContractOperation> => {
  const given: { readonly [Noun in keyof Operations]: Readonly<Record<string, Example>> } = examples(dialect)
  return Record.toEntries(operations(dialect)).flatMap(([noun, rows]) =>
    Object.entries<AnyOperation>(rows).map(([name, row]) => ({
      name: `${noun}.${name}`,
      api: row.api,
      method: row.method,
      isConditional: row.isConditional ?? false,
      path: row.path,
      payloadSchema: row.payload,
      faultOf: decoder(row),
      // The fields of a query may all be left out.
      ...(hasQuery(row) ? {} : requestOf(`${noun}.${name}`, given[noun][name] ?? {}))
    }))
  )
}

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
