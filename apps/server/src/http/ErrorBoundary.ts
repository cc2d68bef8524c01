import { type FieldIssue, fieldIssues, formatFieldIssues, ServerError } from "@headgate/core"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import * as Schema from "effect/Schema"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { uuidV4 } from "../access/Crypto.ts"
import { type Refusal, refuse } from "./HttpProblem.ts"
import { maxBodyBytes } from "./Limits.ts"
import {
  CurrentExchange,
  type Handled,
  makeExchange,
  type UnderWay,
  watched,
  type Watcher,
  type Wrapper
} from "./RequestLog.ts"
import { sentHeaders } from "./requestUrl.ts"

/**
 * What a browser is told about every answer. The documentation page runs its own inline script and style and may call
 * this server, nothing else; nobody may frame it.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY"
}

const tooLarge = (maxBytes: number): Refusal => ({
  code: "PAYLOAD_TOO_LARGE",
  message: `the body is larger than ${maxBytes} bytes`,
  headers: { connection: "close" }
})

const internal: Refusal = { code: "INTERNAL_ERROR", message: "the server failed: quote the request id to its operator" }

// A body as a whole has no path: it is named, so that the message says what is wrong with what.
const named = (kind: HttpApiSchemaError["kind"]) => (issue: FieldIssue) =>
  issue.path === "" && kind === "Payload" ? { path: "body", message: "Expected a JSON object" } : issue

const schemaRefusal = (error: HttpApiSchemaError): Refusal | undefined =>
  error.kind === "Body" || error.kind === "ResponseHeaders"
    ? undefined
    : { code: "BAD_REQUEST", message: formatFieldIssues(fieldIssues(error.cause).map(named(error.kind))) }

const serverRefusal = ({ reason }: HttpServerError.HttpServerError, maxBytes: number): Refusal | undefined => {
  if (reason._tag === "RouteNotFound") return { code: "NOT_FOUND", message: "there is no such path in this API" }
  if (reason._tag !== "RequestParseError") return undefined
  return reason.reason === "BodyTooLarge"
    ? tooLarge(maxBytes)
    : { code: "BAD_REQUEST", message: "the body could not be read" }
}

const isOutage = Schema.is(ServerError)

/**
 * What the framework refuses by itself arrives here, and an outage of the store that no port could speak of: as
 * defects. What is none of these is a fault of ours.
 */
const refusalOf = (error: unknown, maxBytes: number): Refusal | undefined => {
  if (HttpApiSchemaError.is(error)) return schemaRefusal(error)
  if (HttpServerError.isHttpServerError(error)) return serverRefusal(error, maxBytes)
  return isOutage(error) ? { code: "UNAVAILABLE", message: error.message } : undefined
}

const answerCause =
  (maxBytes: number) =>
  <E>(cause: Cause.Cause<E>) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
    const refusal = refusalOf(Cause.squash(cause), maxBytes)
    return refusal === undefined
      ? Effect.andThen(Effect.logError("a request failed", cause), refuse(internal))
      : refuse(refusal)
  }

const declaredLength = (request: HttpServerRequest.HttpServerRequest): number =>
  Number(sentHeaders(request)["content-length"] ?? 0)

const unsupportedEncoding: Refusal = {
  code: "UNSUPPORTED_MEDIA_TYPE",
  message: "content-encoding: Expected none, bodies are read as they are"
}

const isEncoded = (request: HttpServerRequest.HttpServerRequest): boolean =>
  (sentHeaders(request)["content-encoding"] ?? "identity").toLowerCase() !== "identity"

/** What is refused whoever asks, before anything of the request is read. */
const refusedUnread = (request: HttpServerRequest.HttpServerRequest, maxBytes: number): Refusal | undefined => {
  if (declaredLength(request) > maxBytes) return tooLarge(maxBytes)
  return isEncoded(request) ? unsupportedEncoding : undefined
}

/** Opens an exchange. What is logged within it stands under the ID that the caller was told, and may quote. */
const within = <A, E, R>(exchange: CurrentExchange, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateContext(effect, (context: Context.Context<R>) =>
    Context.add(context, CurrentExchange, exchange).pipe(
      Context.add(References.CurrentLogAnnotations, {
        ...Context.get(context, References.CurrentLogAnnotations),
        requestId: exchange.requestId
      })
    )
  )

/** What an edge stands on. */
interface EdgeOptions {
  readonly watchers: ReadonlyArray<Watcher>
  readonly underWay: UnderWay
  /** What is put around the answering of each request; nothing unless given. */
  readonly wrapped?: Wrapper | undefined
  /** The largest body, as it is bounded where it is read. */
  readonly maxBytes?: number
}

/**
 * The edge of the server, around every route: it gives each request its id, refuses a body that is too large, sees to
 * it that every answer, whatever went wrong, has the error shape of its API and the `x-request-id` header, and tells
 * those who watch.
 */
export const withEdge = ({ maxBytes = maxBodyBytes, underWay, watchers, wrapped }: EdgeOptions) => {
  const watch = watched(watchers, underWay)
  const shaped = answerCause(maxBytes)
  return (httpEffect: Handled): Handled => {
    // What is the same for every request is put together once.
    const answered = Effect.catchCause(httpEffect, shaped)
    return HttpServerRequest.HttpServerRequest.use((request) => {
      const requestId = uuidV4()
      const exchange = makeExchange(requestId)
      const refusal = refusedUnread(request, maxBytes)
      const answering = Effect.map(within(exchange, refusal === undefined ? answered : refuse(refusal)), (answer) => {
        const headers = { "x-request-id": requestId, "cache-control": "no-store", "x-content-type-options": "nosniff" }
        const isPage = answer.headers["content-type"]?.startsWith("text/html") === true
        return HttpServerResponse.setHeaders(answer, isPage ? { ...headers, ...pageHeaders } : headers)
      })
      const wrapping = wrapped === undefined ? answering : wrapped(exchange, request, answering)
      return watchers.length === 0 ? wrapping : watch(exchange, request, wrapping)
    })
  }
}
