import { looseStruct, withIdentifier } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"

/**
 * The error codes with their HTTP status. They are decided after responses of the real
 * service. Contract: docs/wire-contract.md#errors.
 *
 * @example
 * ```ts
 * import { type ErrorCode, errorStatuses, type ManagementErrorBody } from "@headgate/http-contract"
 *
 * export const body = (code: ErrorCode, message: string, requestId: string): ManagementErrorBody => ({
 *   status: errorStatuses[code],
 *   error: `${code}: ${message}`,
 *   requestId
 * })
 * ```
 */
export const errorStatuses = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE_ENTITY: 422,
  FAILED_DEPENDENCY: 424,
  TOO_MANY_REQUESTS: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  BAD_GATEWAY: 502,
  UNAVAILABLE: 503,
  GATEWAY_TIMEOUT: 504
} as const
/** The code of an error: the first word of `error` in the management API. */
export type ErrorCode = keyof typeof errorStatuses

/** When a response has an error code, for OpenAPI. */
export const errorDescriptions: { readonly [Code in ErrorCode]: string } = {
  BAD_REQUEST: "A parameter or the body is invalid, or the request is not HTTP.",
  UNAUTHORIZED: "The request has no credentials, those of another scheme, or invalid ones.",
  FORBIDDEN: "The credentials do not allow this organization, this operation or this address.",
  NOT_FOUND: "An id of the request names nothing.",
  METHOD_NOT_ALLOWED: "The server does not serve this method on this path.",
  REQUEST_TIMEOUT: "The request took too long to arrive.",
  CONFLICT: "The organization is at a limit, or the state of the resource does not allow the request.",
  PRECONDITION_FAILED: "The resource has changed: its version is not the one that `If-Match` requires.",
  PAYLOAD_TOO_LARGE: "The body is too large.",
  UNSUPPORTED_MEDIA_TYPE: "The body is not `application/json`, or it is encoded.",
  UNPROCESSABLE_ENTITY: "The idempotency key was used with another request.",
  FAILED_DEPENDENCY: "The service is not running, its warehouse does not answer, or the server queries nothing.",
  TOO_MANY_REQUESTS: "The caller sent too many requests, or too many with wrong credentials.",
  HEADERS_TOO_LARGE: "The request line and the headers are too large.",
  INTERNAL_ERROR: "The server failed.",
  BAD_GATEWAY: "A gateway could not reach the upstream, or the upstream failed.",
  UNAVAILABLE: "The store failed, or the quota of a gateway is used up.",
  GATEWAY_TIMEOUT: "A gateway got no response from the upstream in time. A write may have taken effect."
}

/**
 * The body of every error of the management API. Contract: docs/wire-contract.md#errors.
 */
export const ManagementErrorBody = looseStruct({
  status: Schema.Int.annotate({ description: "The HTTP status." }),
  error: Schema.String.annotate({ description: "The error code and the message: `CODE: message`." }),
  requestId: Schema.String.annotate({
    format: "uuid",
    description: "The id of the request, a UUID. Also in the header `x-request-id`."
  })
}).pipe(withIdentifier("ManagementError", "An error of the management API."))
export type ManagementErrorBody = typeof ManagementErrorBody.Type

/**
 * The body of every error of the observability API. Contract: docs/wire-contract.md#errors.
 */
export const ObservabilityErrorBody = looseStruct({
  message: Schema.String.annotate({ description: "What is wrong, in one sentence." })
}).pipe(
  withIdentifier(
    "ObservabilityError",
    "An error of the observability API. The header `x-request-id` has the request id."
  )
)
export type ObservabilityErrorBody = typeof ObservabilityErrorBody.Type

/**
 * The bodies of the errors of the observability API that are plain text in the `clickhouse` dialect.
 *
 * @example
 * ```ts
 * import { plainTextErrors } from "@headgate/http-contract"
 *
 * console.log(plainTextErrors.NOT_FOUND) // Not Found
 * ```
 */
export const plainTextErrors: { readonly [Code in ErrorCode]?: string } = {
  UNAUTHORIZED: "Unauthorized",
  FORBIDDEN: "Forbidden",
  NOT_FOUND: "Not Found"
}
