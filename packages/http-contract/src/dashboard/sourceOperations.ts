import {
  Connection,
  ConnectionCreate,
  ConnectionId,
  DashboardSource,
  DashboardSourceCreate,
  SourceId
} from "@headgate/core"
import type { NotFound, Permission } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"
import type { Dialect } from "../Dialect.ts"
import { noContent, noParams, noPayload, type Operation, pathSegment } from "../Operation.ts"

interface Kind<Params, Request, Document, Missing extends NotFound["_tag"]> {
  readonly path: `/${string}`
  /** The name of the path parameter. */
  readonly parameter: string
  readonly params: Schema.Codec<Params, { readonly [name: string]: string }>
  readonly request: Schema.Codec<Request, unknown>
  readonly document: Schema.Codec<Document, unknown>
  readonly notFound: Missing
  readonly read: Permission
  readonly write: Permission
  /** What the summaries call one, and several. */
  readonly one: string
  readonly many: string
  readonly example: { readonly request: Schema.JsonObject; readonly document: Schema.JsonObject }
}

/** The five operations on one kind of documents. */
const documentOperations = <Params, Request, Document, Missing extends NotFound["_tag"]>({
  document,
  example,
  many,
  notFound,
  one,
  parameter,
  params,
  path,
  read,
  request,
  write
}: Kind<Params, Request, Document, Missing>) =>
  ({
    create: {
      api: "observability",
      method: "POST",
      path,
      permission: write,
      params: noParams,
      payload: request,
      success: document,
      errors: ["CONFLICT"],
      isRepeatable: false,
      stability: "beta",
      summary: `Create a ${one}`,
      example: { payload: example.request, success: example.document }
    } satisfies Operation<{}, Request, Document>,
    list: {
      api: "observability",
      method: "GET",
      path,
      permission: read,
      params: noParams,
      payload: noPayload,
      success: Schema.Array(document),
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: `List all ${many}`,
      example: { success: [example.document] }
    } satisfies Operation<{}, undefined, ReadonlyArray<Document>>,
    get: {
      api: "observability",
      method: "GET",
      path: `${path}/:${parameter}`,
      permission: read,
      params,
      payload: noPayload,
      success: document,
      notFound,
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: `Read a ${one}`,
      example: { success: example.document }
    } satisfies Operation<Params, undefined, Document, Missing>,
    update: {
      api: "observability",
      method: "PUT",
      path: `${path}/:${parameter}`,
      permission: write,
      params,
      payload: request,
      success: document,
      notFound,
      errors: ["CONFLICT"],
      isRepeatable: true,
      stability: "beta",
      summary: `Replace a ${one}`,
      example: { payload: example.request, success: example.document }
    } satisfies Operation<Params, Request, Document, Missing>,
    delete: {
      api: "observability",
      method: "DELETE",
      path: `${path}/:${parameter}`,
      permission: write,
      params,
      payload: noPayload,
      success: noContent,
      notFound,
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: `Delete a ${one}`,
      example: {}
    } satisfies Operation<Params, undefined, void, Missing>
  }) as const

const connection = { name: "production", host: "https://db.example.com:8443", username: "dashboards" }

/**
 * The operations on connections: the same in every dialect. Contract: section 6 of the life cycle.
 *
 * @example
 * ```ts
 * import { connectionOperations, neutral } from "@headgate/http-contract"
 *
 * const { method, path } = connectionOperations(neutral).update
 * console.log(method, path) // PUT /api/v2/connections/:connectionId
 * ```
 */
export const connectionOperations = (_dialect: Dialect) =>
  documentOperations({
    path: "/api/v2/connections",
    parameter: "connectionId",
    params: Schema.Struct({ connectionId: ConnectionId.check(pathSegment("connection")) }),
    request: ConnectionCreate,
    document: Connection,
    notFound: "ConnectionNotFound",
    read: "connection:read",
    write: "connection:write",
    one: "connection",
    many: "connections",
    example: {
      request: { ...connection, password: "secret" },
      document: { id: "65f5e4a3b9e77c001a567890", ...connection }
    }
  })

const source = {
  name: "Logs",
  kind: "log",
  connection: "65f5e4a3b9e77c001a567890",
  from: { databaseName: "default", tableName: "otel_logs" }
}

/**
 * The operations on data sources: the same in every dialect. Contract: section 6 of the life cycle.
 *
 * @example
 * ```ts
 * import { neutral, sourceOperations } from "@headgate/http-contract"
 *
 * const { method, path } = sourceOperations(neutral).list
 * console.log(method, path) // GET /api/v2/sources
 * ```
 */
export const sourceOperations = (_dialect: Dialect) =>
  documentOperations({
    path: "/api/v2/sources",
    parameter: "sourceId",
    params: Schema.Struct({ sourceId: SourceId.check(pathSegment("source")) }),
    request: DashboardSourceCreate,
    document: DashboardSource,
    notFound: "SourceNotFound",
    read: "source:read",
    write: "source:write",
    one: "data source",
    many: "data sources",
    example: { request: source, document: { id: "65f5e4a3b9e77c001a567891", ...source } }
  })
