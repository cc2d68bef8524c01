import type { CallError, PipeNotFound } from "@headgate/core"
import * as Duration from "effect/Duration"
import * as Struct from "effect/Struct"
import {
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  PipeNotFoundError,
  RateLimitedError,
  ServerFaultError,
  TimedOutError,
  TransportFaultError,
  UnauthorizedError,
  UnexpectedResponseError
} from "./CallErrors.ts"
import type { HeadgateErrorFields } from "./HeadgateError.ts"
import type { AnyHeadgateError } from "./isHeadgateError.ts"

/** What any call of any port may fail with. */
export type Failure = CallError | PipeNotFound

const reported = ["status", "requestId", "method", "path", "attempts"] as const

const fieldsOf = (failure: Failure): HeadgateErrorFields => ({
  message: failure.message,
  ...Struct.pick(failure, reported),
  ...("retryAfter" in failure && failure.retryAfter !== undefined
    ? { retryAfter: Duration.toMillis(failure.retryAfter) }
    : {})
})

/** The error that stands for a failure of a port. It has the words and the report, and not the failure itself. */
export const fromFailure = (failure: Failure): AnyHeadgateError => {
  const fields = fieldsOf(failure)
  switch (failure._tag) {
    case "InvalidRequest":
      return new InvalidRequestError({ ...fields, issues: failure.issues })
    case "Unauthorized":
      return new UnauthorizedError(fields)
    case "Forbidden":
      return new ForbiddenError(fields)
    case "PipeNotFound":
      return new PipeNotFoundError({ ...fields, address: failure.address })
    case "Conflict":
      return new ConflictError(fields)
    case "RateLimited":
      return new RateLimitedError(fields)
    case "ServerError":
      return new ServerFaultError(fields)
    case "ConnectionError":
      return new TransportFaultError(fields)
    case "TimeoutError":
      return new TimedOutError(fields)
    case "UnexpectedResponse":
      return new UnexpectedResponseError(fields)
  }
}
