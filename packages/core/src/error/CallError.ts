import * as Schema from "effect/Schema"
import { FieldIssue, formatFieldIssues } from "./FieldIssue.ts"
import { withoutStack } from "./withoutStack.ts"

/**
 * The fields of every error of a port. `message` says what happened and what to do. The others are present when the call
 * was made over HTTP. None of them ever holds a credential.
 */
export const callFields = {
  message: Schema.String,
  /** The HTTP status of the last response. */
  status: Schema.optionalKey(Schema.Int),
  /** The request id of the last response, for the support of the service. */
  requestId: Schema.optionalKey(Schema.String),
  /** The HTTP method, in capitals. */
  method: Schema.optionalKey(Schema.String),
  /** The path of the request, without origin and query. */
  path: Schema.optionalKey(Schema.String),
  /** How many times the request was sent. */
  attempts: Schema.optionalKey(Schema.Int)
}

/** The fields of every error of a port. `message` is always present, the others if the call was made over HTTP. */
export type CallFields = Schema.Struct.Type<typeof callFields>

/**
 * The request is wrong (HTTP 400, 413, 415 and the like). A retry fails in the same way.
 *
 * @example
 * ```ts
 * import { type ApiKeyCreate, ApiKeys, type OrganizationId } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * // The messages to show beside the fields of a form.
 * export const submit = (organizationId: OrganizationId, form: ApiKeyCreate) =>
 *   ApiKeys.use((keys) => keys.create({ organizationId }, form)).pipe(
 *     Effect.catchTag("InvalidRequest", ({ issues }) => Effect.succeed(issues)) // [ { path: "name", message: ... } ]
 *   )
 * ```
 */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>("@headgate/core/error/InvalidRequest")(
  "InvalidRequest",
  {
    ...callFields,
    /** One issue for each wrong field; empty if only `message` is known. */
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
): InvalidRequest => withoutStack(() => new InvalidRequest({ ...fields, message: formatFieldIssues(issues), issues }))

/**
 * The credentials are missing, unknown, expired or disabled (HTTP 401). The message does not say which. Contract:
 * docs/wire-contract.md#access.
 */
export class Unauthorized extends Schema.TaggedError<Unauthorized>("@headgate/core/error/Unauthorized")(
  "Unauthorized",
  callFields
) {}

/**
 * The credentials are valid but do not allow the call: wrong role, organization or address (HTTP 403). Contract:
 * docs/wire-contract.md#access.
 */
export class Forbidden extends Schema.TaggedError<Forbidden>("@headgate/core/error/Forbidden")(
  "Forbidden",
  callFields
) {}

/** The state of the resource or a limit of the organization does not allow the call (HTTP 409). */
export class Conflict extends Schema.TaggedError<Conflict>("@headgate/core/error/Conflict")("Conflict", {
  ...callFields,
  /** How long to wait before a repeat, if the service sent it: an earlier request with this idempotency key is in flight. */
  retryAfter: Schema.optionalKey(Schema.Duration)
}) {}

/**
 * The resource has changed: its version is not the one that `IfMatch` requires (HTTP 412). Nothing was changed. Read the
 * resource again, apply the change to it, and repeat.
 */
export class PreconditionFailed extends Schema.TaggedError<PreconditionFailed>(
  "@headgate/core/error/PreconditionFailed"
)("PreconditionFailed", callFields) {}

/**
 * What the call depends on is not there (HTTP 424): the service that the resource belongs to is not running, and `message` names its
 * current state: start or wake the service, wait until it runs, and repeat. Or the warehouse of a pipe or a chart does not answer, or the
 * service queries nothing.
 */
export class FailedDependency extends Schema.TaggedError<FailedDependency>("@headgate/core/error/FailedDependency")(
  "FailedDependency",
  callFields
) {}

/**
 * Too many requests (HTTP 429), after the retries of the adapter. With 0 `attempts` the rate limit of the adapter itself
 * rejected the call.
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
  /** How long to wait before the next request, if it is known. */
  retryAfter: Schema.optionalKey(Schema.Duration)
}) {}

/**
 * The service failed (HTTP 5xx), or the database of an adapter does not answer. A write may have taken effect.
 */
export class ServerError extends Schema.TaggedError<ServerError>("@headgate/core/error/ServerError")("ServerError", {
  ...callFields,
  /** How long to wait before the next request, if the service sent it. */
  retryAfter: Schema.optionalKey(Schema.Duration)
}) {}

/**
 * The request or its response was lost: no connection, a reset, a TLS or DNS failure. A write may have taken effect,
 * unless no connection was made. With 0 `attempts` the request was not sent, because the adapter's circuit breaker is open.
 */
export class ConnectionError extends Schema.TaggedError<ConnectionError>("@headgate/core/error/ConnectionError")(
  "ConnectionError",
  {
    ...callFields,
    /** How long the circuit breaker stays open, if that is why nothing was sent. */
    retryAfter: Schema.optionalKey(Schema.Duration)
  }
) {}

/** No response in time. A write may have taken effect. */
export class TimeoutError extends Schema.TaggedError<TimeoutError>("@headgate/core/error/TimeoutError")(
  "TimeoutError",
  callFields
) {}

/**
 * The response is not as the contract describes it: not JSON, another shape, another status. `message` names what is
 * wrong, if possible with the path of the field.
 */
export class UnexpectedResponse extends Schema.TaggedError<UnexpectedResponse>(
  "@headgate/core/error/UnexpectedResponse"
)("UnexpectedResponse", callFields) {}

/**
 * The errors that every call of a port may fail with, beside its own "not found". Adapters without a network use only
 * some of them. Match by `_tag`. Contract: docs/wire-contract.md#errors.
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
 *     // The other errors: wrong requests, and unexpected responses.
 *     Effect.tapError((error) => Effect.logError(error.message, { requestId: error.requestId }))
 *   )
 * ```
 */
export const CallError = Schema.Union([
  InvalidRequest,
  Unauthorized,
  Forbidden,
  Conflict,
  PreconditionFailed,
  FailedDependency,
  RateLimited,
  ServerError,
  ConnectionError,
  TimeoutError,
  UnexpectedResponse
])
export type CallError = typeof CallError.Type
