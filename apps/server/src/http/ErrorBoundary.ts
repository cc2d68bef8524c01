import { ServerError } from "@headgate/core"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import * as Schema from "effect/Schema"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { randomUUID } from "node:crypto"
import { type HttpProblem, respondWith } from "./HttpProblem.ts"
import { KeyRetention } from "./idempotency.ts"
import {
  CurrentRequest,
  type HttpEffect,
  type InFlight,
  makeCurrentRequest,
  observeRequests,
  type RequestObserver
} from "./RequestLog.ts"

/**
 * The headers of an HTML page without a policy of its own. The documentation page runs its own inline script and style and calls
 * this server alone; no other page may frame it.
 */
const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY"
}

const internal: HttpProblem = {
  code: "INTERNAL_ERROR",
  message: "the server failed: quote the request id to its operator"
}

const isOutage = Schema.is(ServerError)

/** An outage of the store is a 503; any other defect is logged and answered as 500. */
const respondToCause = <E>(cause: Cause.Cause<E>): HttpEffect => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  const error = Cause.squash(cause)
  return isOutage(error)
    ? respondWith({ code: "UNAVAILABLE", message: error.message })
    : Effect.andThen(Effect.logError("a request failed", cause), respondWith(internal))
}

/** Runs an effect with the current request in its context, and its request id on every log line. */
const within = <A, E, R>(current: CurrentRequest, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateContext(effect, (context: Context.Context<R>) =>
    Context.add(context, CurrentRequest, current).pipe(
      Context.add(References.CurrentLogAnnotations, {
        ...Context.get(context, References.CurrentLogAnnotations),
        requestId: current.requestId
      })
    )
  )

/** Answers every failure of an effect as an error of the API that was called. */
export const answerFailures = (httpEffect: HttpEffect): HttpEffect => Effect.catchCause(httpEffect, respondToCause)

/** An answer with the headers of its request. Those of an operation have them; others may be shared by requests. */
const withRequestHeaders = (
  answer: HttpServerResponse.HttpServerResponse,
  current: CurrentRequest
): HttpServerResponse.HttpServerResponse => {
  const own = answer.headers
  if (own["x-request-id"] !== undefined) return answer
  const headers = current.headers()
  const needsPolicy = own["content-security-policy"] === undefined && own["content-type"]?.startsWith("text/html")
  return HttpServerResponse.setHeaders(answer, {
    ...headers,
    "cache-control": own["cache-control"] ?? headers["cache-control"],
    ...(needsPolicy === true ? pageHeaders : {})
  })
}

/**
 * Stands around every route: it gives each request its id, turns every failure into an error of the API that was
 * called, sets the headers that every answer has, and tells the observers of the request.
 */
export const errorBoundary = (
  observers: ReadonlyArray<RequestObserver>,
  inFlight: InFlight,
  keyRetention: (url: string) => string | undefined = KeyRetention.defaultValue()
) => {
  const watch = observeRequests(observers, inFlight)
  return (httpEffect: HttpEffect): HttpEffect => {
    const answered = answerFailures(httpEffect)
    return HttpServerRequest.HttpServerRequest.use((request) => {
      const current = makeCurrentRequest(randomUUID(), () => keyRetention(request.url))
      const answering = Effect.map(within(current, answered), (answer) => withRequestHeaders(answer, current))
      return observers.length === 0 ? answering : watch(current, request, answering)
    })
  }
}
