import type { CallError, PipeNotFound } from "@headgate/core"
import {
  type ErrorCode,
  errorStatuses,
  type ManagementErrorBody,
  type ObservabilityErrorBody
} from "@headgate/http-contract"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { CurrentExchange } from "./RequestLog.ts"
import { isObservability } from "./requestUrl.ts"

/** An error before it takes the shape of the API that was called. */
export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

const codes: { readonly [Tag in CallError["_tag"] | PipeNotFound["_tag"]]: ErrorCode } = {
  InvalidRequest: "BAD_REQUEST",
  Unauthorized: "UNAUTHORIZED",
  Forbidden: "FORBIDDEN",
  PipeNotFound: "NOT_FOUND",
  Conflict: "CONFLICT",
  RateLimited: "TOO_MANY_REQUESTS",
  ServerError: "UNAVAILABLE",
  // Only an upstream can be the cause of these.
  ConnectionError: "BAD_GATEWAY",
  TimeoutError: "GATEWAY_TIMEOUT",
  UnexpectedResponse: "BAD_GATEWAY"
}

/** Answers a refusal in the error shape of the API whose path was called. Contract: section 7, by decision. */
export const refuse = Effect.fnUntraced(function* ({ code, headers, message }: Refusal) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { requestId } = yield* CurrentExchange
  const observability = isObservability(request.url)
  const status = errorStatuses[code]
  const body: ManagementErrorBody | ObservabilityErrorBody = observability
    ? { message }
    : { status, error: `${code}: ${message}`, requestId }
  const challenge = { "www-authenticate": `${observability ? "Bearer" : "Basic"} realm="headgate"` }
  return HttpServerResponse.jsonUnsafe(body, {
    status,
    headers: { ...headers, ...(code === "UNAUTHORIZED" ? challenge : {}) }
  })
})

const retryAfterOf = (failure: CallError | PipeNotFound): Readonly<Record<string, string>> =>
  "retryAfter" in failure && failure.retryAfter !== undefined
    ? { "retry-after": String(Math.ceil(Duration.toSeconds(failure.retryAfter))) }
    : {}

/** Answers a failure of a port. */
export const errorResponse = (failure: CallError | PipeNotFound) =>
  refuse({ code: codes[failure._tag], message: failure.message, headers: retryAfterOf(failure) })
