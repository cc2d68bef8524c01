import * as Schema from "effect/Schema"
import { callFields } from "./CallFields.ts"
import { FieldIssue } from "./FieldIssue.ts"

/** The request itself is wrong (HTTP 400, 413, 415 and the like): correct it, a repeat gives the same answer. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>("@headgate/core/error/InvalidRequest")(
  "InvalidRequest",
  {
    ...callFields,
    /** What is wrong, a field each; empty when only `message` tells. */
    issues: Schema.Array(FieldIssue)
  }
) {}

/** The credentials are missing, unknown, expired or disabled (HTTP 401). */
export class Unauthorized extends Schema.TaggedError<Unauthorized>("@headgate/core/error/Unauthorized")(
  "Unauthorized",
  callFields
) {}

/** The credentials are good but do not allow this: wrong role, organization or address (HTTP 403). */
export class Forbidden extends Schema.TaggedError<Forbidden>("@headgate/core/error/Forbidden")(
  "Forbidden",
  callFields
) {}

/** The resource's present state, or a limit of the organization, stands in the way (HTTP 409). */
export class Conflict extends Schema.TaggedError<Conflict>("@headgate/core/error/Conflict")("Conflict", callFields) {}

/** Too many requests (HTTP 429), or more than an adapter was told to send (0 `attempts`). */
export class RateLimited extends Schema.TaggedError<RateLimited>("@headgate/core/error/RateLimited")("RateLimited", {
  ...callFields,
  /** How long to wait before the next request, when it is known. */
  retryAfter: Schema.optionalKey(Schema.Duration)
}) {}

/** The service failed (HTTP 5xx). Nothing is known about whether a write took effect. */
export class ServerFault extends Schema.TaggedError<ServerFault>("@headgate/core/error/ServerFault")("ServerFault", {
  ...callFields,
  /** How long to wait before the next request, when the service said so. */
  retryAfter: Schema.optionalKey(Schema.Duration)
}) {}

/**
 * The request or its answer was lost on the way: no connection, a reset, a TLS or name-resolution failure. With
 * 0 `attempts` it was not sent, because an adapter leaves a failing service alone for a while.
 */
export class TransportFault extends Schema.TaggedError<TransportFault>("@headgate/core/error/TransportFault")(
  "TransportFault",
  {
    ...callFields,
    /** How long the adapter leaves the service alone, when that is why nothing was sent. */
    retryAfter: Schema.optionalKey(Schema.Duration)
  }
) {}

/** No answer in time. Nothing is known about whether a write took effect. */
export class TimedOut extends Schema.TaggedError<TimedOut>("@headgate/core/error/TimedOut")("TimedOut", callFields) {}

/** The service answered with something the contract does not describe. */
export class UnexpectedResponse extends Schema.TaggedError<UnexpectedResponse>(
  "@headgate/core/error/UnexpectedResponse"
)("UnexpectedResponse", callFields) {}

/**
 * What any call of any port may fail with, beside its own "not found". Adapters that do not cross a network use the
 * first few only. Match by `_tag`.
 */
export const CallError = Schema.Union([
  InvalidRequest,
  Unauthorized,
  Forbidden,
  Conflict,
  RateLimited,
  ServerFault,
  TransportFault,
  TimedOut,
  UnexpectedResponse
])
export type CallError = typeof CallError.Type
