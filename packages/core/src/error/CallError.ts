import * as Schema from "effect/Schema"
import { FieldIssue, formatFieldIssues } from "./FieldIssue.ts"

/**
 * What every error of a port carries. `message` says what happened and what to do. The others are there when the call
 * went over HTTP; none of them ever holds a credential.
 *
 * @example
 * ```ts
 * import { callFields } from "@headgate/core/adapter"
 * import * as Schema from "effect/Schema"
 *
 * // The error of a port of yours, which carries what the others carry.
 * export class QuotaExceeded extends Schema.TaggedError<QuotaExceeded>("acme/QuotaExceeded")("QuotaExceeded", {
 *   ...callFields,
 *   limit: Schema.Int
 * }) {}
 * ```
 */
export const callFields = {
  message: Schema.String,
  /** The HTTP status of the last answer. */
  status: Schema.optionalKey(Schema.Int),
  /** The request id of the last answer: quote it to whoever runs the service. */
  requestId: Schema.optionalKey(Schema.String),
  /** The HTTP method, in capitals. */
  method: Schema.optionalKey(Schema.String),
  /** The path of the request, without origin and query. */
  path: Schema.optionalKey(Schema.String),
  /** How often the request was sent. */
  attempts: Schema.optionalKey(Schema.Int)
}

/** The decoded form of {@link callFields}. */
export type CallFields = Schema.Struct.Type<typeof callFields>

/**
 * The request itself is wrong (HTTP 400, 413, 415 and the like): correct it, a repeat gives the same answer.
 *
 * @example
 * ```ts
 * import { type ApiKeyCreate, ApiKeys, type OrganizationId } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * // What to show beside each field of a form.
 * export const submit = (organizationId: OrganizationId, form: ApiKeyCreate) =>
 *   ApiKeys.use((keys) => keys.create(organizationId, form)).pipe(
 *     Effect.catchTag("InvalidRequest", ({ issues }) => Effect.succeed(issues)) // [ { path: "name", message: ... } ]
 *   )
 * ```
 */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>("@headgate/core/error/InvalidRequest")(
  "InvalidRequest",
  {
    ...callFields,
    /** What is wrong, a field each; empty when only `message` tells. */
    issues: Schema.Array(FieldIssue)
  }
) {}

/**
 * The `InvalidRequest` of an adapter that checks a request before it does anything: the message names every bad field.
 * `fields` holds what else is known of the call, such as `attempts: 0` where the request was not sent.
 *
 * @example
 * ```ts
 * import { invalidRequest } from "@headgate/core/adapter"
 *
 * const error = invalidRequest([{ path: "name", message: "Expected 1 to 255 characters" }])
 * console.log(error.message) // name: Expected 1 to 255 characters
 * ```
 */
export const invalidRequest = (
  issues: ReadonlyArray<FieldIssue>,
  fields: Omit<CallFields, "message"> = {}
): InvalidRequest => new InvalidRequest({ ...fields, message: formatFieldIssues(issues), issues })

/** The credentials are missing, unknown, expired or disabled (HTTP 401). No answer tells which. Contract: section 5. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>("@headgate/core/error/Unauthorized")(
  "Unauthorized",
  callFields
) {}

/**
 * The credentials are good but do not allow this: wrong role, organization or address (HTTP 403). Contract: section 5.
 */
export class Forbidden extends Schema.TaggedError<Forbidden>("@headgate/core/error/Forbidden")(
  "Forbidden",
  callFields
) {}

/** The resource's present state, or a limit of the organization, stands in the way (HTTP 409). */
export class Conflict extends Schema.TaggedError<Conflict>("@headgate/core/error/Conflict")("Conflict", callFields) {}

/**
 * Too many requests (HTTP 429), after the adapter's own retries, if it has any; or more than an adapter was told to send
 * (0 `attempts`).
 *
 * @example
 * ```ts
 * import { Dashboards } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * export const list = Dashboards.use((dashboards) => dashboards.list()).pipe(
 *   Effect.catchTag("RateLimited", ({ retryAfter }) =>
 *     Effect.andThen(
 *       Effect.sleep(retryAfter ?? "1 minute"),
 *       Dashboards.use((dashboards) => dashboards.list())
 *     )
 *   )
 * )
 * ```
 */
export class RateLimited extends Schema.TaggedError<RateLimited>("@headgate/core/error/RateLimited")("RateLimited", {
  ...callFields,
  /** How long to wait before the next request, when it is known. */
  retryAfter: Schema.optionalKey(Schema.Duration)
}) {}

/**
 * The service failed (HTTP 5xx), or the database of an adapter that has one does not answer. Nothing is known about
 * whether a write took effect.
 */
export class ServerError extends Schema.TaggedError<ServerError>("@headgate/core/error/ServerError")("ServerError", {
  ...callFields,
  /** How long to wait before the next request, when the service said so. */
  retryAfter: Schema.optionalKey(Schema.Duration)
}) {}

/**
 * The request or its answer was lost on the way: no connection, a reset, a TLS or name-resolution failure. Whether a
 * write took effect is not known, unless there was no connection. With 0 `attempts` it was not sent, because an adapter
 * leaves a failing service alone for a while.
 */
export class ConnectionError extends Schema.TaggedError<ConnectionError>("@headgate/core/error/ConnectionError")(
  "ConnectionError",
  {
    ...callFields,
    /** How long the adapter leaves the service alone, when that is why nothing was sent. */
    retryAfter: Schema.optionalKey(Schema.Duration)
  }
) {}

/** No answer in time. Nothing is known about whether a write took effect. */
export class TimeoutError extends Schema.TaggedError<TimeoutError>("@headgate/core/error/TimeoutError")(
  "TimeoutError",
  callFields
) {}

/**
 * The service answered with something the contract does not describe: no JSON, another shape, another status. `message`
 * names what was wrong, by path where it can.
 */
export class UnexpectedResponse extends Schema.TaggedError<UnexpectedResponse>(
  "@headgate/core/error/UnexpectedResponse"
)("UnexpectedResponse", callFields) {}

/**
 * What any call of any port may fail with, beside its own "not found". Adapters that do not cross a network use the
 * first few only. Match by `_tag`. Error bodies are not shown in the contract (section 7): they are decided.
 *
 * @example
 * ```ts
 * import { type PipeAddress, Pipes } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * export const stateOf = (address: PipeAddress) =>
 *   Pipes.use((pipes) => pipes.get(address)).pipe(
 *     Effect.map(({ state }) => state),
 *     Effect.catchTag("PipeNotFound", () => Effect.succeed("gone")),
 *     Effect.catchTag(["ConnectionError", "TimeoutError", "ServerError"], () => Effect.succeed("not known")),
 *     // What is left: the caller's own mistakes, and an answer nobody described.
 *     Effect.tapError((error) => Effect.logError(error.message, { requestId: error.requestId }))
 *   )
 * ```
 */
export const CallError = Schema.Union([
  InvalidRequest,
  Unauthorized,
  Forbidden,
  Conflict,
  RateLimited,
  ServerError,
  ConnectionError,
  TimeoutError,
  UnexpectedResponse
])
export type CallError = typeof CallError.Type
