import type { PipeAddress } from "../pipe/Pipe.ts"
import type { FieldIssue } from "./FieldIssue.ts"
import { HeadgateError, type HeadgateErrorFields } from "./HeadgateError.ts"

/** The request itself is wrong (HTTP 400, 413, 415 and the like): correct it, a repeat gives the same answer. */
export class InvalidRequestError extends HeadgateError<
  HeadgateErrorFields & { readonly issues: ReadonlyArray<FieldIssue> }
> {
  override readonly _tag = "InvalidRequest"
  /** What is wrong, a field each: `{ path: "tiles[2].w", message: "..." }`. Empty when only `message` tells. */
  declare readonly issues: ReadonlyArray<FieldIssue>

  override get name(): string {
    return "InvalidRequestError"
  }
}

/** The credentials are missing, unknown, expired or disabled (HTTP 401). */
export class UnauthorizedError extends HeadgateError {
  override readonly _tag = "Unauthorized"

  override get name(): string {
    return "UnauthorizedError"
  }
}

/** The credentials are good but do not allow this: wrong role, organization or address (HTTP 403). */
export class ForbiddenError extends HeadgateError {
  override readonly _tag = "Forbidden"

  override get name(): string {
    return "ForbiddenError"
  }
}

/** There is no such pipe in that service of that organization (HTTP 404). */
export class PipeNotFoundError extends HeadgateError<HeadgateErrorFields & { readonly address: PipeAddress }> {
  override readonly _tag = "PipeNotFound"
  declare readonly address: PipeAddress

  override get name(): string {
    return "PipeNotFoundError"
  }
}

/** The resource's present state, or a limit of the organization, stands in the way (HTTP 409). */
export class ConflictError extends HeadgateError {
  override readonly _tag = "Conflict"

  override get name(): string {
    return "ConflictError"
  }
}

/** Too many requests (HTTP 429): see `retryAfter`. */
export class RateLimitedError extends HeadgateError {
  override readonly _tag = "RateLimited"

  override get name(): string {
    return "RateLimitedError"
  }
}

/** The service failed (HTTP 5xx). Nothing is known about whether a write took effect. */
export class ServerFaultError extends HeadgateError {
  override readonly _tag = "ServerFault"

  override get name(): string {
    return "ServerFaultError"
  }
}

/** The request or its answer was lost on the way: no connection, a reset, a TLS or name-resolution failure. */
export class TransportFaultError extends HeadgateError {
  override readonly _tag = "TransportFault"

  override get name(): string {
    return "TransportFaultError"
  }
}

/** No answer in time. Nothing is known about whether a write took effect. */
export class TimedOutError extends HeadgateError {
  override readonly _tag = "TimedOut"

  override get name(): string {
    return "TimedOutError"
  }
}

/** The service answered with something the contract does not describe. */
export class UnexpectedResponseError extends HeadgateError {
  override readonly _tag = "UnexpectedResponse"

  override get name(): string {
    return "UnexpectedResponseError"
  }
}

/** The client was closed before the call, or during it. */
export class ClientClosedError extends HeadgateError {
  override readonly _tag = "ClientClosed"

  override get name(): string {
    return "ClientClosedError"
  }
}
