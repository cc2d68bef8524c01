import {
  ChartData,
  ChartQuery,
  ChartSearch,
  ChartSeries,
  Dashboard,
  DashboardCreate,
  DashboardUpdate
} from "@headgate/core"
import { chartSchemas, configSchemas, type NotFound } from "@headgate/core/adapter"
import type * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as Struct from "effect/Struct"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import type { Dialect } from "./Dialect.ts"
import { successBody } from "./Envelope.ts"
import { forGenerators } from "./forGenerators.ts"
import { maxCursorPage, maxPage } from "./Paging.ts"
import {
  type ErrorCode,
  errorDescriptions,
  errorStatuses,
  ManagementErrorBody,
  ObservabilityErrorBody,
  plainTextErrors
} from "./ErrorBody.ts"
import {
  type AnyOperation,
  errorCodesOf,
  type Example,
  hasQuery,
  isChange,
  isCreation,
  isOfVersioned,
  noParams,
  noPayload,
  type Operation
} from "./Operation.ts"
import { examples } from "./examples.ts"
import { withStrictBodies } from "./strictBodies.ts"
import { type Operations, operations, titles } from "./operations.ts"

const describe = (description: string) => Context.make(OpenApi.Description, description)

const basic = HttpApiSecurity.basic.pipe(
  HttpApiSecurity.annotateMerge(describe("The key ID as user name, the key secret as password."))
)

const bearer = HttpApiSecurity.bearer.pipe(HttpApiSecurity.annotateMerge(describe("A token that the server created.")))

const consoleSession = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotateMerge(describe("The token of a session of the console, which stands for its API key."))
)

/**
 * HTTP Basic with the key ID and key secret of an API key: the management API. Contract: docs/wire-contract.md#access.
 */
class ManagementSecurity extends HttpApiMiddleware.Service<ManagementSecurity>()(
  "@headgate/http-contract/ManagementSecurity",
  { security: { basic } }
) {}

/** A bearer token: the observability API. Contract: docs/wire-contract.md#access. */
class ObservabilitySecurity extends HttpApiMiddleware.Service<ObservabilitySecurity>()(
  "@headgate/http-contract/ObservabilitySecurity",
  { security: { bearer } }
) {}

// The same two beside a session, for the operations of `documentsSession`.
class ManagementSessionSecurity extends HttpApiMiddleware.Service<ManagementSessionSecurity>()(
  "@headgate/http-contract/ManagementSessionSecurity",
  { security: { basic, consoleSession } }
) {}

class ObservabilitySessionSecurity extends HttpApiMiddleware.Service<ObservabilitySessionSecurity>()(
  "@headgate/http-contract/ObservabilitySessionSecurity",
  { security: { bearer, consoleSession } }
) {}

// A server that has not read the path does not know the API.
const beforePath: ReadonlyArray<ErrorCode> = ["REQUEST_TIMEOUT", "HEADERS_TOO_LARGE"]

const errorsOf = (operation: AnyOperation) =>
  errorCodesOf(operation).map((code) => {
    const body: Schema.Top =
      operation.api === "management" || beforePath.includes(code) ? ManagementErrorBody : ObservabilityErrorBody
    return body.pipe(HttpApiSchema.status(errorStatuses[code]))
  })

const successExample = ({ api, envelope, hasCursor, isPaged }: AnyOperation, { success }: Example) => {
  if (envelope === "none") return success
  if (isPaged && api === "observability") return { data: success, meta: { total: 1, limit: maxPage, offset: 0 } }
  if (api === "observability") return success === undefined ? {} : { data: success }
  return {
    status: 200,
    requestId: "5e42fc02-2880-4671-9cc7-625bfc5b8619",
    ...(success === undefined ? {} : { result: success }),
    ...(hasCursor ? { limit: maxCursorPage, totalCount: 1, nextCursor: null } : {})
  }
}

const etag = {
  description: "The version of the resource: it counts the changes of callers. Send it as `If-Match`.",
  schema: { type: "string", pattern: '^"[1-9][0-9]*"$' },
  example: '"3"'
}

const contentTag = {
  description: "A weak tag of the content; absent if the list is longer than 1 MiB. Send it as `If-None-Match`.",
  schema: { type: "string", pattern: '^W/"[A-Za-z0-9_-]+"$' },
  example: 'W/"p2bL0ZQvGkWlGf3sJ9yXoA"'
}

const totalCount = {
  description: "How many elements the whole list has, as `meta.total`.",
  schema: { type: "integer", minimum: 0 },
  example: 1
}

const ifNoneMatch = {
  name: "If-None-Match",
  in: "header",
  required: false,
  schema: { type: "string", description: "The `ETag` of an answer that the caller has; 304 if it has not changed." },
  example: contentTag.example
}

const ifMatch = {
  name: "If-Match",
  in: "header",
  required: false,
  schema: {
    type: "string",
    description: "The `ETag` that the resource must have for the change; otherwise 412, and nothing changes."
  },
  example: '"3"'
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: {
    type: "string",
    pattern: "^[\\x21-\\x7e]{1,255}$",
    description:
      "A key for this creation, such as a UUID: a repeat with the same key and body creates nothing and is answered as the first was."
  },
  example: "4f3c2b1a-9d8e-4c7b-a6f5-e4d3c2b1a098"
}

const validateOnly = {
  name: "validateOnly",
  in: "query",
  required: false,
  schema: {
    type: "boolean",
    default: false,
    description:
      "Whether the request is only checked, as for the creation. Then nothing is created or kept, and the result is an empty object."
  }
}

const pageParameters = [
  {
    name: "limit",
    in: "query",
    required: false,
    schema: { type: "integer", minimum: 1, maximum: maxPage, default: maxPage, description: "The most elements." }
  },
  {
    name: "offset",
    in: "query",
    required: false,
    schema: { type: "integer", minimum: 0, default: 0, description: "How many elements to skip before the first." }
  }
]

const cursorParameters = [
  {
    name: "limit",
    in: "query",
    required: false,
    schema: {
      type: "integer",
      minimum: 1,
      default: maxCursorPage,
      description: `The most elements. More than ${maxCursorPage} are as many.`
    }
  },
  {
    name: "cursor",
    in: "query",
    required: false,
    schema: { type: "string", description: "The `nextCursor` of the page before." }
  }
]

/** The errors of what an operation does, not of its request: the service may answer their message in another field. */
const ofHandler: ReadonlyArray<ErrorCode> = ["NOT_FOUND", "FAILED_DEPENDENCY", "INTERNAL_ERROR", "UNAVAILABLE"]

/** The body of an error of an operation whose messages are in another field, in the dialect where they are. */
const otherErrorBody = ({ name }: Dialect, { errorField }: AnyOperation, code: ErrorCode) =>
  name === "clickhouse" && errorField !== undefined && ofHandler.includes(code)
    ? {
        type: "object",
        description: "An error of this operation.",
        required: [errorField],
        properties: { [errorField]: { type: "string", description: "What is wrong, in one sentence." } }
      }
    : undefined

/** The body of an error that is plain text, in the dialect where some are. */
const plainTextOf = ({ name }: Dialect, operation: AnyOperation, code: ErrorCode): string | undefined => {
  const { api, notFound, notFoundMessage } = operation
  const isJson = code === "NOT_FOUND" && (notFound === "ChartNotFound" || notFoundMessage !== undefined)
  return name === "clickhouse" && api === "observability" && !isJson ? plainTextErrors[code] : undefined
}

/** The parameters of an operation beside those of its path. */
const parametersOf = (operation: AnyOperation) => [
  ...(isChange(operation) && isOfVersioned(operation) ? [ifMatch] : []),
  ...(isCreation(operation) ? [idempotencyKey] : []),
  ...(operation.canValidateOnly ? [validateOnly] : []),
  ...(operation.isConditional ? [ifNoneMatch] : []),
  ...(operation.hasCursor ? cursorParameters : []),
  ...(operation.isPaged ? pageParameters : [])
]

/** Adds what an endpoint cannot have: headers, the examples, the description of each error, and errors of plain text. */
const document =
  (dialect: Dialect, operation: AnyOperation, example: Example, resource: unknown) => (spec: Record<string, any>) => {
    spec["parameters"] = [...(spec["parameters"] ?? []), ...parametersOf(operation)]
    if (operation.success === resource) spec["responses"][200].headers = { ETag: etag }
    if (operation.isPaged && operation.api === "observability") {
      spec["responses"][200].headers = { "X-Total-Count": totalCount }
    }
    if (operation.isConditional) {
      spec["responses"][200].headers = { ETag: contentTag }
      spec["responses"][304] = { description: "The caller has this list already.", headers: { ETag: contentTag } }
    }
    for (const code of errorCodesOf(operation)) {
      const response = spec["responses"][errorStatuses[code]]
      response.description = errorDescriptions[code]
      const text = plainTextOf(dialect, operation, code)
      if (text !== undefined) response.content = { "text/plain": { schema: { type: "string" }, example: text } }
      const body = otherErrorBody(dialect, operation, code)
      if (body !== undefined) response.content = { "application/json": { schema: body } }
    }
    spec["responses"][200].content["application/json"].example = successExample(operation, example)
    if (example.payload !== undefined && !hasQuery(operation)) {
      spec["requestBody"].content["application/json"].example = example.payload
    }
    return spec
  }

type AnySchema = AnyOperation["success"]

// What a port checks itself, with the texts of the service, is described by another schema than that of the row.
const described = new Map<SchemaAST.AST, AnySchema>([
  [ChartData.ast, chartSchemas.ChartData],
  [ChartSeries.ast, chartSchemas.ChartSeries],
  [ChartSearch.ast, chartSchemas.ChartSearch]
])
// A client passes on the dashboards of this dialect, so the schemas of the rows do not describe all of it.
const describedByConfig = new Map<SchemaAST.AST, AnySchema>([
  ...described,
  [Dashboard.ast, configSchemas.Dashboard],
  [DashboardCreate.ast, configSchemas.DashboardCreate],
  [DashboardUpdate.ast, configSchemas.DashboardUpdate],
  [ChartQuery.ast, chartSchemas.ChartQuery]
])

/** The schema that documents a request or an answer of a dialect. */
const documentedIn =
  ({ name }: Dialect) =>
  (schema: AnySchema): AnySchema => {
    const schemas = name === "clickhouse" ? describedByConfig : described
    const [element] = SchemaAST.isArrays(schema.ast) ? schema.ast.rest : []
    const found = schemas.get(element ?? schema.ast)
    if (found === undefined) return schema
    return element === undefined ? found : Schema.Array(found)
  }

/** `resource` is the schema of the noun's resource, if it has a version. `schemaOf` tells which schema stands for one of a row. */
const endpointOf = (
  dialect: Dialect,
  name: string,
  operation: AnyOperation,
  example: Example,
  resource: unknown,
  schemaOf: (schema: AnySchema) => AnySchema
): HttpApiEndpoint.Top => {
  const { api, documentsSession = false, method, params, path, payload, stability, success, summary } = operation
  const endpoint = HttpApiEndpoint.make(method)(name, path, {
    ...(params === noParams ? {} : { params }),
    ...(payload === noPayload ? {} : { payload: schemaOf(payload) }),
    success: successBody({ ...operation, success: schemaOf(success) }),
    error: errorsOf(operation)
  }).annotateMerge(
    OpenApi.annotations({
      summary: stability === "beta" ? `${summary} (beta)` : summary,
      transform: document(dialect, operation, example, resource)
    })
  )
  if (api === "management") {
    return documentsSession ? endpoint.middleware(ManagementSessionSecurity) : endpoint.middleware(ManagementSecurity)
  }
  return documentsSession
    ? endpoint.middleware(ObservabilitySessionSecurity)
    : endpoint.middleware(ObservabilitySecurity)
}

// No table is empty, which the compiler does not know after a `map`.
const atLeastOne = <A>(items: ReadonlyArray<A>) => items as Arr.NonEmptyReadonlyArray<A>

/** The endpoint of an operation, from which `effect/http-api` derives the types of a client. */
type Endpoint<Name extends string, O> =
  O extends Operation<infer Params, infer Payload, infer Success, NotFound["_tag"]>
    ? HttpApiEndpoint.HttpApiEndpoint<
        Name,
        O["method"],
        O["path"],
        keyof Params extends never ? never : Schema.Codec<Params, { readonly [name: string]: string }>,
        never,
        [Payload] extends [undefined] ? never : Schema.Codec<Payload, unknown>,
        never,
        Schema.Codec<
          O extends { readonly envelope: "none" }
            ? Success
            : O["api"] extends "management"
              ? { readonly status: number; readonly requestId: string; readonly result: Success }
              : { readonly data: Success },
          unknown
        >,
        Schema.Codec<
          O["api"] extends "management" ? ManagementErrorBody : ManagementErrorBody | ObservabilityErrorBody,
          unknown
        >,
        O["api"] extends "management" ? ManagementSecurity : ObservabilitySecurity
      >
    : never

type Group<Noun extends string, Table> = HttpApiGroup.HttpApiGroup<
  Noun,
  { readonly [Name in keyof Table & string]: Endpoint<Name, Table[Name]> }[keyof Table & string]
>

/** The type of {@link makeApi}'s result: the same in every dialect. */
export type Api = HttpApi.HttpApi<
  "headgate",
  { readonly [Noun in keyof Operations]: Group<Noun, Operations[Noun]> }[keyof Operations]
>

/**
 * Both APIs of the contract in a dialect as an `HttpApi`, built from the operation tables: `pipe` and `key` are the
 * management API (HTTP Basic), `dashboard` is the observability API (Bearer). `effect/http-api` derives a typed client
 * from it; {@link openApi} documents it. Contract: docs/wire-contract.md#operations and docs/wire-contract.md#access.
 *
 * @example
 * ```ts
 * import { makeApi, neutral } from "@headgate/http-contract"
 * import * as Effect from "effect/Effect"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as HttpApiClient from "effect/http-api/HttpApiClient"
 *
 * // The derived client has no credentials, retries or error classes. `@headgate/http-adapter` has them.
 * export const dashboards = Effect.gen(function* () {
 *   const client = yield* HttpApiClient.make(makeApi(neutral), { baseUrl: "http://127.0.0.1:4000" })
 *   return (yield* client.dashboard.list()).data
 * }).pipe(Effect.provide(FetchHttpClient.layer))
 * ```
 */
export const makeApi = (dialect: Dialect): Api => apiWith(dialect, (schema) => schema)

const apiWith = (dialect: Dialect, schemaOf: (schema: AnySchema) => AnySchema): Api => {
  const tables = operations(dialect)
  const given = examples(dialect)
  const groups = Struct.keys(tables).map((noun) => {
    const rows = Object.entries<AnyOperation>(tables[noun])
    const exampleOf = new Map(Object.entries<Example>(given[noun]))
    const resource = rows.find(([name, row]) => name === "get" && isOfVersioned(row))?.[1].success
    const endpoints = rows.map(([name, row]) =>
      endpointOf(dialect, name, row, exampleOf.get(name) ?? {}, resource, schemaOf)
    )
    return HttpApiGroup.make(noun)
      .add(...atLeastOne(endpoints))
      .annotateMerge(OpenApi.annotations(titles[noun]))
  })
  const api = HttpApi.make("headgate")
    .add(...atLeastOne(groups))
    .annotate(HttpApi.ParseOptions, { errors: "all" })
    .annotateMerge(
      OpenApi.annotations({
        title: "Management and observability API",
        version: "1.0.0",
        description: "Ingestion pipes, organization API keys and dashboards of a managed database service.",
        servers: [{ url: "/", description: "The server that serves this document." }],
        transform: (spec) => withStrictBodies(dialect, forGenerators(spec))
      })
    )
  // The loop loses the names of the groups in its type. `Api` is computed from the same tables.
  return api as unknown as Api
}

/**
 * The OpenAPI 3.1 document of the contract in a dialect. The server serves it at `/openapi.json`.
 *
 * @example
 * ```ts
 * import { neutral, openApi } from "@headgate/http-contract"
 *
 * const document = openApi(neutral)
 * console.log(document.openapi, "/api/v2/dashboards" in document.paths) // 3.1.0 true
 * ```
 */
export const openApi = (dialect: Dialect): OpenApi.OpenAPISpec =>
  OpenApi.fromApi(apiWith(dialect, documentedIn(dialect)))
