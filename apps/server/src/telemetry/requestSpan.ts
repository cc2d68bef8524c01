import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import * as Option from "effect/Option"
import { isProbe } from "../health/probes.ts"
import { unanswered, type Wrapper } from "../http/Exchange.ts"
import { pathOf } from "../http/pathOf.ts"

const failed = (status: number) => Exit.die(`answered ${status}`)

/**
 * Answers each request within a span, a child of the caller's where the request carries a `traceparent`. Its attributes
 * are the semantic conventions' and hold no query, header or body; what watches the server has no span.
 */
export const requestSpan =
  (templateOf: (url: string) => string): Wrapper =>
  ({ keyIdSuffix, requestId }, request, answering) => {
    if (isProbe(request)) return Effect.withTracerEnabled(answering, false)
    const route = templateOf(request.url)
    return Effect.flatMap(
      Effect.makeSpan(`${request.method} ${route}`, {
        kind: "server",
        parent: Option.getOrUndefined(HttpTraceContext.fromHeaders(request.headers)),
        attributes: {
          "http.request.method": request.method,
          "url.path": pathOf(request.url),
          "client.address": Option.getOrElse(request.remoteAddress, () => "unknown"),
          "headgate.request_id": requestId
        }
      }),
      (span) =>
        Effect.onExit(Effect.withParentSpan(answering, span), (exit) =>
          Effect.map(Clock.currentTimeNanos, (now) => {
            const status = Exit.isSuccess(exit) ? exit.value.status : unanswered
            // The router sets it too, in its own notation.
            span.attribute("http.route", route)
            span.attribute("http.response.status_code", status)
            if (keyIdSuffix.current !== undefined) span.attribute("headgate.key_id_suffix", keyIdSuffix.current)
            span.end(now, status >= 500 ? failed(status) : Exit.void)
          })
        )
    )
  }
