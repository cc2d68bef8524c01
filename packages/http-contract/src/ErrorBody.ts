import { looseStruct, withIdentifier } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"

/**
 * The code of an error, and the HTTP status it goes with. Error codes are not shown in the contract (section 7): these
 * are decided after what the upstream service was seen to send.
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
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_ERROR: 500,
  BAD_GATEWAY: 502,
  UNAVAILABLE: 503,
  GATEWAY_TIMEOUT: 504
} as const
/** The code of an error: what `error` of the management API begins with. */
export type ErrorCode = keyof typeof errorStatuses

/**
 * The body of every error of the management API. `error` is `CODE: message`, `status` the HTTP status once more. Not
 * shown in the contract (section 7): decided.
 */
export const ManagementErrorBody = looseStruct({
  status: Schema.Int,
  error: Schema.String,
  requestId: Schema.String
}).pipe(withIdentifier("ManagementError"))
export type ManagementErrorBody = typeof ManagementErrorBody.Type

/**
 * The body of every error of the observability API. Not shown in the contract (section 7): decided. The request id is
 * in the header `x-request-id` alone.
 */
export const ObservabilityErrorBody = looseStruct({
  message: Schema.String
}).pipe(withIdentifier("ObservabilityError"))
export type ObservabilityErrorBody = typeof ObservabilityErrorBody.Type
