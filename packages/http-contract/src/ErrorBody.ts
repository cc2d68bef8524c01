import { identified, openStruct } from "@headgate/core/schema"
import * as Schema from "effect/Schema"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

/**
 * The code of an error, and the HTTP status it goes with. Error codes are not shown in the contract (section 7): these
 * are decided after what the upstream service was seen to send.
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
  UNAVAILABLE: 503
} as const
export type ErrorCode = keyof typeof errorStatuses

/** The body of every error of the management API. `error` is `CODE: message`. */
export const ManagementErrorBody = openStruct({
  status: Schema.Int,
  error: Schema.String,
  requestId: Schema.String
}).pipe(identified("ManagementError"))
export type ManagementErrorBody = typeof ManagementErrorBody.Type

/** The body of every error of the observability API. */
export const ObservabilityErrorBody = openStruct({
  message: Schema.String
}).pipe(identified("ObservabilityError"))
export type ObservabilityErrorBody = typeof ObservabilityErrorBody.Type

const forCodes = <S extends Schema.Top>(body: S, codes: ReadonlyArray<ErrorCode>) =>
  codes.map((code) => body.pipe(HttpApiSchema.status(errorStatuses[code])))

const always: ReadonlyArray<ErrorCode> = [
  "UNAUTHORIZED",
  "FORBIDDEN",
  "TOO_MANY_REQUESTS",
  "INTERNAL_ERROR",
  "UNAVAILABLE"
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
