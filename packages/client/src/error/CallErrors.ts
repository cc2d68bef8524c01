import type { PipeAddress } from "../pipe/Pipe.ts"
import type { FieldIssue } from "./FieldIssue.ts"
import { HeadgateError, type HeadgateErrorFields, nameErrors } from "./HeadgateError.ts"

/** The request itself is wrong (HTTP 400, 413, 415 and the like): correct it, a repeat gives the same answer. */
export class InvalidRequestError extends HeadgateError<
  HeadgateErrorFields & { readonly issues: ReadonlyArray<FieldIssue> }
> {
  override readonly _tag = "InvalidRequest"
  /** What is wrong, a field each: `{ path: "tiles[2].w", message: "..." }`. Empty when only `message` tells. */
  declare readonly issues: ReadonlyArray<FieldIssue>

  static {
    nameErrors(this, "InvalidRequestError")
  }
}

/** The credentials are missing, unknown, expired or disabled (HTTP 401). */
export class UnauthorizedError extends HeadgateError {
  override readonly _tag = "Unauthorized"

  static {
    nameErrors(this, "UnauthorizedError")
  }
}

/** The credentials are good but do not allow this: wrong role, organization or address (HTTP 403). */
export class ForbiddenError extends HeadgateError {
  override readonly _tag = "Forbidden"

  static {
    nameErrors(this, "ForbiddenError")
  }
}

/** There is no such pipe in that service of that organization (HTTP 404). */
export class PipeNotFoundError extends HeadgateError<HeadgateErrorFields & { readonly address: PipeAddress }> {
  override readonly _tag = "PipeNotFound"
  declare readonly address: PipeAddress

  static {
    nameErrors(this, "PipeNotFoundError")
  }
}

/** The resource's present state, or a limit of the organization, stands in the way (HTTP 409). */
export class ConflictError extends HeadgateError {
  override readonly _tag = "Conflict"

  static {
    nameErrors(this, "ConflictError")
  }
}

/** Too many requests (HTTP 429): see `retryAfter`. */
export class RateLimitedError extends HeadgateError {
  override readonly _tag = "RateLimited"

  static {
    nameErrors(this, "RateLimitedError")
  }
}

/** The service failed (HTTP 5xx). Nothing is known about whether a write took effect. */
export class ServerFaultError extends HeadgateError {
  override readonly _tag = "ServerError"

  static {
    nameErrors(this, "ServerFaultError")
  }
}

/** The request or its answer was lost on the way: no connection, a reset, a TLS or name-resolution failure. */
export class TransportFaultError extends HeadgateError {
  override readonly _tag = "ConnectionError"

  static {
    nameErrors(this, "TransportFaultError")
  }
}

/** No answer in time. Nothing is known about whether a write took effect. */
export class TimedOutError extends HeadgateError {
  override readonly _tag = "TimeoutError"

  static {
    nameErrors(this, "TimedOutError")
  }
}

/** The service answered with something the contract does not describe. */
export class UnexpectedResponseError extends HeadgateError {
  override readonly _tag = "UnexpectedResponse"

  static {
    nameErrors(this, "UnexpectedResponseError")
  }
}

/** The client was closed before the call, or during it. */
export class ClientClosedError extends HeadgateError {
  override readonly _tag = "ClientClosed"

  static {
    nameErrors(this, "ClientClosedError")
  }
}
