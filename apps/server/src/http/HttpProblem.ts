import type { InvalidRequest, PortError } from "@headgate/core"
import { notFoundErrors } from "@headgate/core/adapter"
import { type ErrorCode, errorStatuses, type ManagementErrorBody, plainTextErrors } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { CurrentRequest } from "./RequestLog.ts"
import { addHeaders, type HeaderFields } from "./answerHeaders.ts"
import { isObservability } from "./requestUrl.ts"

/** An error before it takes the shape of the API that was called. */
export interface HttpProblem {
  readonly code: ErrorCode
  readonly message: string
  /** The message of the service of the dialect `clickhouse`, where it has one of its own: in JSON, also where other errors of the code are plain text. */
  readonly plainTextMessage?: string
  /** The field of the body in which that service answers the message of this operation, where it is not `message`. */
  readonly field?: "error" | undefined
  readonly headers?: HeaderFields | undefined
}

const codes: { readonly [Tag in PortError["_tag"]]: ErrorCode } = {
  InvalidRequest: "BAD_REQUEST",
  Unauthorized: "UNAUTHORIZED",
  Forbidden: "FORBIDDEN",
  ...Record.map(notFoundErrors, () => "NOT_FOUND" as const),
  Conflict: "CONFLICT",
  PreconditionFailed: "PRECONDITION_FAILED",
  FailedDependency: "FAILED_DEPENDENCY",
  RateLimited: "TOO_MANY_REQUESTS",
  ServerError: "UNAVAILABLE",
  // Only an upstream can be the cause of these.
  ConnectionError: "BAD_GATEWAY",
  TimeoutError: "GATEWAY_TIMEOUT",
  UnexpectedResponse: "BAD_GATEWAY"
}

const retryAfterOf = (error: PortError): HeaderFields | undefined =>
  "retryAfter" in error && error.retryAfter !== undefined
    ? { "retry-after": String(Math.ceil(Duration.toSeconds(error.retryAfter))) }
    : undefined

/** A 422 of an upstream stays one: the request is fine, and its `Idempotency-Key` was used with another one. */
const codeOf = ({ _tag, status }: PortError): ErrorCode =>
  _tag === "InvalidRequest" && status === errorStatuses.UNPROCESSABLE_ENTITY ? "UNPROCESSABLE_ENTITY" : codes[_tag]

/** The problem that a request is answered with when its port fails with an error. */
export const portProblem = (error: PortError): HttpProblem => {
  const problem = { code: codeOf(error), message: error.message, headers: retryAfterOf(error) }
  // What a chart needs and does not have, its own message says.
  return error._tag === "ChartNotFound" ? { ...problem, plainTextMessage: error.message } : problem
}

/** The problem of parameters or a body that do not decode. The message names the bad fields by path. */
export const badRequest =
  (part: "params" | "body") =>
  ({ issues, message }: InvalidRequest): HttpProblem => ({
    code: "BAD_REQUEST",
    // A body as a whole has no path: it is named, so that the message says what is wrong with what.
    message: part === "body" && issues[0]?.path === "" ? "body: Expected a JSON object" : message
  })

/** Whether the observability API answers in the words of the service of the dialect `clickhouse`, and 401, 403 and 404 in plain text. */
export const PlainTextProblems = Context.Reference<boolean>("headgate-server/http/PlainTextProblems", {
  defaultValue: () => false
})

/** How a caller of the observability API, or with a session of the console, may authenticate. */
export const bearerChallenge: HeaderFields = { "www-authenticate": 'Bearer realm="headgate"' }

const basicChallenge: HeaderFields = { "www-authenticate": 'Basic realm="headgate"' }

/** How a caller without credentials may authenticate. */
const challengeOf = (observability: boolean): HeaderFields => (observability ? bearerChallenge : basicChallenge)

// What is wrong with a request is always told in `message`.
const validation = /^(?:Body|Params) validation failed: /

/**
 * A problem as the service of the dialect `clickhouse` answers it. Where it has a field of its own for what an operation could not do, that
 * is a 500, unless it says when to try again or what is not there.
 */
const asThere = (problem: HttpProblem): HttpProblem => {
  const { code, field, headers, message, plainTextMessage = message } = problem
  if (field === undefined || validation.test(message))
    return { ...problem, field: undefined, message: plainTextMessage }
  const isFailure = code === "BAD_REQUEST" || (code === "UNAVAILABLE" && headers === undefined)
  return { ...problem, message: plainTextMessage, code: isFailure ? "INTERNAL_ERROR" : code }
}

/**
 * Answers a problem in the error shape of the API whose path was called. Contract:
 * docs/wire-contract.md#errors, by decision.
 */
export const respondWith = (problem: HttpProblem) =>
  Effect.contextWith((context: Context.Context<HttpServerRequest.HttpServerRequest>) => {
    const observability = isObservability(Context.get(context, HttpServerRequest.HttpServerRequest).url)
    const current = Context.get(context, CurrentRequest)
    const hasConfigTiles = observability && Context.get(context, PlainTextProblems)
    const {
      code,
      field = "message",
      headers,
      message,
      plainTextMessage
    } = hasConfigTiles ? asThere(problem) : { ...problem, field: undefined }
    const status = errorStatuses[code]
    const management: ManagementErrorBody = { status, error: `${code}: ${message}`, requestId: current.requestId }
    const body = observability ? { [field]: message } : management
    const plainText = hasConfigTiles && plainTextMessage === undefined ? plainTextErrors[code] : undefined
    const answer =
      plainText === undefined
        ? HttpServerResponse.jsonUnsafe(body, { status })
        : HttpServerResponse.text(plainText, { status, contentType: "text/plain; charset=utf-8" })
    return Effect.succeed(
      // A problem may have a challenge of its own.
      addHeaders(answer, current.headers(), code === "UNAUTHORIZED" ? challengeOf(observability) : undefined, headers)
    )
  })
