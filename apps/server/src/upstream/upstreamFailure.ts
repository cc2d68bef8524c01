import {
  type CallError,
  Conflict,
  InvalidRequest,
  ServerFault,
  TimedOut,
  UnexpectedResponse
} from "@headgate/core/error"
import { PipeNotFound } from "@headgate/core/pipe"
import * as Effect from "effect/Effect"

/** What the upstream said, and the id under which whoever runs it finds the request. */
const words = ({ message, requestId }: CallError | PipeNotFound): string =>
  requestId === undefined ? `upstream: ${message}` : `upstream: ${message} (upstream request ${requestId})`

const unavailable = (message: string, { retryAfter }: Pick<ServerFault, "retryAfter">) =>
  new ServerFault({ message, ...(retryAfter === undefined ? {} : { retryAfter }) })

const serverFault = (fault: ServerFault): CallError => {
  const message = words(fault)
  if (fault.status === 503) return unavailable(message, fault)
  return fault.status === 504 ? new TimedOut({ message }) : new UnexpectedResponse({ message })
}

/**
 * What a failure behind the gateway is to a caller in front of it. What the caller asked for wrongly stays what it is.
 * What has to do with the gateway's own credentials, quota or connection is a failure of the gateway: a caller who was
 * let in must not be told to look after credentials that are good.
 */
const inFront = (error: CallError): CallError => {
  const message = words(error)
  switch (error._tag) {
    case "InvalidRequest":
      return new InvalidRequest({ message, issues: error.issues })
    case "Conflict":
      return new Conflict({ message })
    case "Unauthorized":
    case "Forbidden":
      return new UnexpectedResponse({ message: `the credentials of this gateway are refused; ${message}` })
    case "RateLimited":
      return unavailable(`the quota of this gateway is used up; ${message}`, error)
    case "ServerFault":
      return serverFault(error)
    case "TimedOut":
      return new TimedOut({ message })
    case "TransportFault":
    case "UnexpectedResponse":
      return new UnexpectedResponse({ message })
  }
}

const isCallersOwn = ({ _tag }: CallError): boolean => _tag === "InvalidRequest" || _tag === "Conflict"

/** A failure behind the gateway, as its callers see it. The log has what was no fault of theirs. */
export const upstreamFailure = (error: CallError): Effect.Effect<never, CallError> => {
  const failure = inFront(error)
  return isCallersOwn(failure)
    ? Effect.fail(failure)
    : Effect.andThen(Effect.logWarning(failure.message), Effect.fail(failure))
}

/** The same for an operation on a pipe: one that the upstream does not have is nobody's fault. */
export const upstreamPipeFailure = (error: CallError | PipeNotFound): Effect.Effect<never, CallError | PipeNotFound> =>
  error._tag === "PipeNotFound"
    ? Effect.fail(new PipeNotFound({ message: words(error), address: error.address }))
    : upstreamFailure(error)
