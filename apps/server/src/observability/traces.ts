import * as Clock from "effect/Clock"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import { clientClosedRequest, CurrentMiddleware, type RequestMiddleware } from "../http/RequestLog.ts"
import { pathOf } from "../http/requestUrl.ts"
import { isProbe } from "./healthRoutes.ts"

const failed = (status: number) => Exit.die(`answered ${status}`)

/**
 * Answers each request in a span, a child of the caller's if the request has a `traceparent`. The attributes follow
 * OpenTelemetry's semantic conventions, and hold no query, header or body. Probes have no span.
 */
const requestSpan: RequestMiddleware = (
  { isSession, keyIdSuffix, requestId, route: { current: route = "none" } },
  request,
  answering
) => {
  if (isProbe(request)) return Effect.withTracerEnabled(answering, false)
  return Effect.flatMap(
    Effect.makeSpan(`${request.method} ${route}`, {
      kind: "server",
      parent: Option.getOrUndefined(HttpTraceContext.fromHeaders(request.headers)),
      attributes: {
        "http.request.method": request.method,
        "http.route": route,
        "url.path": pathOf(request.url),
        "client.address": Option.getOrElse(request.remoteAddress, () => "unknown"),
        "headgate.request_id": requestId
      }
    }),
    (span) =>
      Effect.onExit(Effect.withParentSpan(answering, span), (exit) =>
        Effect.map(Clock.currentTimeNanos, (now) => {
          const status = Exit.isSuccess(exit) ? exit.value.status : clientClosedRequest
          span.attribute("http.response.status_code", status)
          if (keyIdSuffix.current !== undefined) span.attribute("headgate.key_id_suffix", keyIdSuffix.current)
          if (isSession.current) span.attribute("headgate.console", true)
          span.end(now, status >= 500 ? failed(status) : Exit.void)
        })
      )
  )
}

// Defined by the build, from package.json.
declare const HEADGATE_VERSION: string

/**
 * Sends a span for each request to an OpenTelemetry collector (OTLP over HTTP, JSON), with the spans of the store below it.
 * `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME` and OpenTelemetry's other variables apply. No request waits for the
 * collector; shutdown waits for it, for at most 3 seconds.
 */
const exportTo = (endpoint: URL) =>
  Layer.merge(
    Layer.succeed(CurrentMiddleware, requestSpan),
    OtlpTracer.layerFromConfig({
      resource: {
        serviceName: process.env["OTEL_SERVICE_NAME"] ?? "headgate-server",
        serviceVersion: HEADGATE_VERSION,
        attributes: { "process.pid": process.pid }
      }
    }).pipe(
      Layer.provide([OtlpSerialization.layerJson, FetchHttpClient.layer]),
      Layer.provide(
        ConfigProvider.layer(
          ConfigProvider.fromEnv({
            env: { OTEL_TRACES_EXPORTER: "otlp", ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.href }
          })
        )
      )
    )
  )

/** Traces, sent to `--otlp-endpoint` if it is given. */
export const traces = (endpoint: Option.Option<URL>): Layer.Layer<never> =>
  Option.match(endpoint, { onNone: () => Layer.empty, onSome: exportTo })
