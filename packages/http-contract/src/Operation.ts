import { type NotFound, notFoundErrors, type Permission } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"
import type { ErrorCode } from "./ErrorBody.ts"

/** The two APIs of the contract: HTTP Basic with `{status, requestId, result}`, and Bearer with `{data}`. */
export type ApiName = "management" | "observability"

/**
 * An operation of the contract as plain data: a row of its noun's table. The server's dispatcher, OpenAPI, the HTTP
 * client, the gateway and the tests are derived from these rows.
 *
 * @example
 * ```ts
 * import { neutral, pipeOperations } from "@headgate/http-contract"
 *
 * const { method, path, permission } = pipeOperations(neutral).get
 * console.log(method, path, permission)
 * // GET /v1/organizations/:organizationId/services/:serviceId/dbpipes/:dbPipeId pipe:read
 * ```
 */
export interface Operation<Params, Payload, Success, Missing extends NotFound["_tag"] = never> {
  /** The API decides the security scheme, the envelope and the shape of errors. */
  readonly api: ApiName
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** The path, with `:name` for each of `params`. */
  readonly path: `/${string}`
  /** The permission that the caller needs. */
  readonly permission: Permission
  /** The path parameters. */
  readonly params: Schema.Codec<Params, { readonly [name: string]: string }>
  /**
   * The JSON body of the request, or the query of a GET, whose fields are texts on the wire; {@link noPayload} if there is none.
   */
  readonly payload: Schema.Codec<Payload, unknown>
  /** The result in the envelope of a success; `noContent` if there is none. */
  readonly success: Schema.Codec<Success, unknown>
  /** `none`: the response is the result itself, without an envelope. Only on the observability API. */
  readonly envelope?: "none"
  /** The field of an error body that has the message where the service of the dialect `clickhouse` answers it in another than `message`. */
  readonly errorField?: "error"
  /**
   * Whether a list comes in pages: `limit` and `offset` in the query, and on the observability API `meta` beside `data` and the total
   * in the header `X-Total-Count`.
   */
  readonly isPaged?: boolean
  /**
   * Whether a list comes in pages of a cursor: `limit` and `cursor` in the query; `limit`, `totalCount` and `nextCursor` beside
   * `result`. Only on the management API, for elements with `createdAt` and `id`.
   */
  readonly hasCursor?: boolean
  /** Whether a list has a weak `ETag` of its content, so that a request with `If-None-Match` may be answered 304. */
  readonly isConditional?: boolean
  /** The tag of the error for a 404; absent if the operation names no resource. */
  readonly notFound?: Missing
  /** The message of a 404 in the dialect `clickhouse`, where its service answers this one in JSON: others are plain text. */
  readonly notFoundMessage?: string | undefined
  /** Error codes in addition to those that {@link errorCodesOf} adds. */
  readonly errors: ReadonlyArray<ErrorCode>
  /** Whether the request is idempotent, so that it may be sent again if the response was lost. */
  readonly isRepeatable: boolean
  /** Whether `validateOnly=true` in the query checks a request and creates nothing. Of a POST that creates a resource. */
  readonly canValidateOnly?: boolean
  readonly stability: "stable" | "beta"
  /**
   * Whether OpenAPI names a session of the console beside the credentials of the API. Both APIs take one at every operation but those
   * that make sessions; it is named at operations that this server adds, and at none of the service.
   */
  readonly documentsSession?: true
  /** One line for OpenAPI. */
  readonly summary: string
}

/** The body of a request and the result of its success as JSON, for OpenAPI. Absent where the operation has none. */
export interface Example {
  readonly payload?: Schema.Json
  readonly success?: Schema.Json
}

/** The type of any row. */
export type AnyOperation = Operation<any, any, any, NotFound["_tag"]>

/** The parameters of an operation whose path has none. */
export const noParams = Schema.Struct({})

/** The payload of an operation whose request has no body. */
export const noPayload = Schema.Undefined

/** The check of an id in a path that may be any text: a client that fills another text into a path calls another path. */
export const pathSegment = (noun: string) =>
  Schema.makeFilter((id: string) => !/^\.{0,2}$|\p{Surrogate}/u.test(id) || `Expected the id of a ${noun}`)

/** The success of an operation that returns nothing, such as a delete. */
export const noContent = Schema.Void

/**
 * Whether the `success` of an operation is `noContent`.
 *
 * @example
 * ```ts
 * import { isNoContent, neutral, pipeOperations } from "@headgate/http-contract"
 *
 * console.log(isNoContent(pipeOperations(neutral).delete.success)) // true
 * ```
 */
export const isNoContent = (success: unknown): boolean => success === noContent

const changes: ReadonlySet<string> = new Set(["PUT", "PATCH", "DELETE"])

/**
 * Whether the operation reads or changes one resource that has a version: all but organizations, services and
 * tokens do.
 *
 * @example
 * ```ts
 * import { isOfVersioned, neutral, pipeOperations } from "@headgate/http-contract"
 *
 * const { get, list } = pipeOperations(neutral)
 * console.log(isOfVersioned(get), isOfVersioned(list)) // true false
 * ```
 */
export const isOfVersioned = ({ notFound }: Pick<AnyOperation, "notFound">): boolean =>
  notFound !== undefined && notFoundErrors[notFound].hasVersion

/**
 * Whether the operation changes what exists, so that a request may have `If-Match`.
 *
 * @example
 * ```ts
 * import { isChange, neutral, pipeOperations } from "@headgate/http-contract"
 *
 * console.log(isChange(pipeOperations(neutral).delete)) // true
 * ```
 */
export const isChange = ({ method }: Pick<AnyOperation, "method">): boolean => changes.has(method)

/**
 * Whether the operation creates something each time it is called: a request may have `Idempotency-Key`.
 *
 * @example
 * ```ts
 * import { isCreation, keyOperations, neutral, pipeOperations } from "@headgate/http-contract"
 *
 * console.log(isCreation(keyOperations(neutral).create), isCreation(pipeOperations(neutral).delete)) // true false
 * ```
 */
export const isCreation = ({ isRepeatable, method }: Pick<AnyOperation, "isRepeatable" | "method">): boolean =>
  method === "POST" && !isRepeatable

/**
 * Whether the payload of the operation is the query of its URL: a GET has no body.
 *
 * @example
 * ```ts
 * import { hasQuery, neutral, pipeOperations } from "@headgate/http-contract"
 *
 * const { events, setState } = pipeOperations(neutral)
 * console.log(hasQuery(events), hasQuery(setState)) // true false
 * ```
 */
export const hasQuery = ({ method, payload }: Pick<AnyOperation, "method" | "payload">): boolean =>
  method === "GET" && payload !== noPayload

const everyOperation: ReadonlyArray<ErrorCode> = [
  "BAD_REQUEST",
  "UNAUTHORIZED",
  "FORBIDDEN",
  "METHOD_NOT_ALLOWED",
  "REQUEST_TIMEOUT",
  "TOO_MANY_REQUESTS",
  "HEADERS_TOO_LARGE",
  "INTERNAL_ERROR",
  "BAD_GATEWAY",
  "UNAVAILABLE",
  "GATEWAY_TIMEOUT"
]

/**
 * The error codes of the responses of an operation: those of every operation, those of its method, params and payload, and
 * its own.
 *
 * @example
 * ```ts
 * import { errorCodesOf, errorStatuses, keyOperations, neutral } from "@headgate/http-contract"
 *
 * const codes = errorCodesOf(keyOperations(neutral).create)
 * console.log(codes.map((code) => errorStatuses[code]).join(" "))
 * // 400 401 403 405 408 429 431 500 502 503 504 404 413 415 422 409
 * ```
 */
export const errorCodesOf = (operation: AnyOperation): ReadonlyArray<ErrorCode> => {
  const { errors, params, payload } = operation
  const codes: ReadonlyArray<ErrorCode> = [
    ...everyOperation,
    ...(params === noParams ? [] : (["NOT_FOUND"] as const)),
    ...(payload === noPayload || hasQuery(operation) ? [] : (["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const)),
    ...(isChange(operation) ? (["PRECONDITION_FAILED"] as const) : []),
    ...(isCreation(operation) ? (["UNPROCESSABLE_ENTITY"] as const) : []),
    ...errors
  ]
  return Array.from(new Set(codes))
}
