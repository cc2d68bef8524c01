import { looseStruct, withIdentifier } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"

/**
 * The error codes with their HTTP status. The contract (section 7) does not show them: they are decided after responses of
 * the real service.
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
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_REQUESTS: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  BAD_GATEWAY: 502,
  UNAVAILABLE: 503,
  GATEWAY_TIMEOUT: 504
} as const
/** The code of an error: the first word of `error` in the management API. */
export type ErrorCode = keyof typeof errorStatuses

/**
 * The body of every error of the management API. The contract (section 7) does not show it: it is decided.
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
 * The body of every error of the observability API. The contract (section 7) does not show it: it is decided.
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
