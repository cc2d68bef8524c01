import type { NotFound, Permission } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"
import type { ErrorCode } from "./ErrorBody.ts"

/** The two APIs of the contract: HTTP Basic and `{status, requestId, result}`, or Bearer and `{data}`. */
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
  /** Which API it belongs to: this decides the security scheme, the envelope and the shape of errors. */
  readonly api: ApiName
  readonly method: "GET" | "POST" | "DELETE"
  /** With `:name` for each of `params`. */
  readonly path: `/${string}`
  /** What the principal must be allowed. */
  readonly permission: Permission
  /** The path parameters. */
  readonly params: Schema.Codec<Params, { readonly [name: string]: string }>
  /** The JSON body of the request; {@link noPayload} where it has none. */
  readonly payload: Schema.Codec<Payload, unknown>
  /** What the envelope of a success holds; {@link noContent} where it holds nothing. */
  readonly success: Schema.Codec<Success, unknown>
  /** The error that a 404 stands for; absent where the operation names no resource. */
  readonly notFound?: Missing
  /** Error codes beside those of {@link errorCodesOf}. */
  readonly errors: ReadonlyArray<ErrorCode>
  /** Whether sending the request twice has the effect of sending it once, so that a lost answer may be asked for again. */
  readonly isRepeatable: boolean
  readonly stability: "stable" | "beta"
  /** One line for OpenAPI and the docs. */
  readonly summary: string
}

/** The type of any row. */
export type AnyOperation = Operation<any, any, any, NotFound["_tag"]>

/** The parameters of an operation whose path has none. */
export const noParams = Schema.Struct({})

/** The payload of an operation whose request has no body. */
export const noPayload = Schema.Undefined

/** The success of an operation that returns nothing, such as a delete. */
export const noContent = Schema.Void

/** Whether the success of an operation holds nothing. */
export const isNoContent = (success: unknown): boolean => success === noContent

const everyOperation: ReadonlyArray<ErrorCode> = [
  "UNAUTHORIZED",
  "FORBIDDEN",
  "TOO_MANY_REQUESTS",
  "INTERNAL_ERROR",
  "BAD_GATEWAY",
  "UNAVAILABLE",
  "GATEWAY_TIMEOUT"
]

/**
 * The error codes that an operation may answer: those of every operation, those of its params and payload, a 404 where
 * it names a resource, and its own.
 */
export const errorCodesOf = ({ errors, notFound, params, payload }: AnyOperation): ReadonlyArray<ErrorCode> => [
  ...(params === noParams && payload === noPayload ? [] : (["BAD_REQUEST"] as const)),
  ...(payload === noPayload ? [] : (["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const)),
  ...(notFound === undefined ? [] : (["NOT_FOUND"] as const)),
  ...errors,
  ...everyOperation
]
