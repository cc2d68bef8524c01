import { identified, openStruct } from "@headgate/core/schema"
import * as Schema from "effect/Schema"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

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
export const ManagementErrorBody = openStruct({
  status: Schema.Int,
  error: Schema.String,
  requestId: Schema.String
}).pipe(identified("ManagementError"))
/** What {@link ManagementErrorBody} decodes to. */
export type ManagementErrorBody = typeof ManagementErrorBody.Type

/**
 * The body of every error of the observability API. Not shown in the contract (section 7): decided. The request id is
 * in the header `x-request-id` alone.
 */
export const ObservabilityErrorBody = openStruct({
  message: Schema.String
}).pipe(identified("ObservabilityError"))
/** What {@link ObservabilityErrorBody} decodes to. */
export type ObservabilityErrorBody = typeof ObservabilityErrorBody.Type

const forCodes = <S extends Schema.Top>(body: S, codes: ReadonlyArray<ErrorCode>) =>
  codes.map((code) => body.pipe(HttpApiSchema.status(errorStatuses[code])))

const always: ReadonlyArray<ErrorCode> = [
  "UNAUTHORIZED",
  "FORBIDDEN",
  "TOO_MANY_REQUESTS",
  "INTERNAL_ERROR",
  "BAD_GATEWAY",
  "UNAVAILABLE",
  "GATEWAY_TIMEOUT"
]
const withBody: ReadonlyArray<ErrorCode> = ["BAD_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"]

/** The errors of a management operation that names one resource. */
export const managementResourceErrors = forCodes(ManagementErrorBody, ["BAD_REQUEST", "NOT_FOUND", ...always])
/** The errors of a management operation that creates. */
export const managementCreateErrors = forCodes(ManagementErrorBody, ["CONFLICT", ...withBody, ...always])
/** The errors of an observability operation that reads. */
export const observabilityReadErrors = forCodes(ObservabilityErrorBody, always)
/** The errors of an observability operation that creates. */
export const observabilityCreateErrors = forCodes(ObservabilityErrorBody, [...withBody, ...always])
