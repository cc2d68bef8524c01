import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import { type HttpRequest, urlOf } from "../HttpRequest.ts"
import { clientSpan } from "../layers/Tracing.ts"
import { defaultMaxResponseBytes } from "../Transport.ts"
import { MaxResponseBytes } from "../layers/MaxResponseBytes.ts"
import { fetchInit } from "./fetchInit.ts"
import type { Transport, TransportFailure } from "../Transport.ts"

const lost = ({ reason }: HttpClientError): TransportFailure => ({
  _tag: "Lost",
  cause: reason.cause,
  description: reason.description,
  isInvalid: reason._tag === "EncodeError" || reason._tag === "InvalidUrlError"
})

const requestOf = (request: HttpRequest): HttpClientRequest.HttpClientRequest => {
  const { body, headers, method } = request
  const blank = HttpClientRequest.make(method)(urlOf(request), { headers })
  return body === undefined ? blank : HttpClientRequest.bodyText(blank, body, headers["content-type"])
}

/** Reads a body chunk by chunk, and aborts when it is, or declares to be, too large. */
const readChunks = ({ status, stream }: HttpClientResponse, declared: number, maxBytes: number) =>
  Effect.suspend(() => {
    const decoder = new TextDecoder()
    return Stream.runFoldEffect(
      stream,
      () => ({ size: 0, text: "" }),
      ({ size, text }, chunk) =>
        declared > maxBytes || size + chunk.byteLength > maxBytes
          ? Effect.fail<TransportFailure>({ _tag: "TooLarge", status })
          : Effect.succeed({ size: size + chunk.byteLength, text: text + decoder.decode(chunk, { stream: true }) })
    ).pipe(Effect.map(({ text }) => text + decoder.decode()))
  })

const bodyOf = (response: HttpClientResponse, maxBytes: number): Effect.Effect<string, TransportFailure> => {
  const { headers } = response
  const declared = Number(headers["content-length"])
  // A compressed body is larger when it is decoded, so its declared size is no limit.
  const isSmall = declared <= maxBytes && headers["content-encoding"] === undefined
  const body: Effect.Effect<string, TransportFailure | HttpClientError> = isSmall
    ? response.text
    : readChunks(response, declared, maxBytes)
  return Effect.catchTag(body, "HttpClientError", (error) =>
    error.reason._tag === "EmptyBodyError" ? Effect.succeed("") : Effect.fail(lost(error))
  )
}

/** Options of fetch for each request: those of a call override those where the layer is built. */
const withoutRedirects = (init: RequestInit | undefined) => {
  const ofLayer = fetchInit(init)
  return (context: Context.Context<never>): Context.Context<never> => {
    const ofCall = Context.getOrUndefined(context, FetchHttpClient.RequestInit)
    return Context.add(
      context,
      FetchHttpClient.RequestInit,
      ofCall === undefined ? ofLayer : fetchInit({ ...init, ...ofCall })
    )
  }
}

/** Sends over the `HttpClient` of the context, with a span for each request of a trace. */
export const httpClientTransport: Effect.Effect<Transport, never, HttpClient.HttpClient> = Effect.gen(function* () {
  const init = Context.getOrUndefined(yield* Effect.context<never>(), FetchHttpClient.RequestInit)
  const withInit = withoutRedirects(init)
  const client = HttpClient.transformResponse(
    yield* HttpClient.HttpClient,
    Effect.updateContext((context: Context.Context<never>) => clientSpan(withInit(context)))
  )
  const exchange = Effect.fnUntraced(function* (request: HttpRequest, maxBytes: number) {
    const response = yield* Effect.catch(client.execute(requestOf(request)), (error) =>
      // A client that was configured to fail on some statuses still has the answer.
      error.reason._tag === "StatusCodeError" ? Effect.succeed(error.reason.response) : Effect.fail(lost(error))
    )
    const body = yield* bodyOf(response, maxBytes)
    return { status: response.status, headers: response.headers, body }
  })
  return (request, maxBytes) =>
    maxBytes === defaultMaxResponseBytes
      ? exchange(request, maxBytes)
      : Effect.provideService(exchange(request, maxBytes), MaxResponseBytes, maxBytes)
})
