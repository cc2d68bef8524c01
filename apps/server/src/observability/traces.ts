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
import { unanswered, Wrapped, type Wrapper } from "../http/RequestLog.ts"
import { pathOf } from "../http/requestUrl.ts"
import { isProbe } from "./HealthRoutes.ts"

const failed = (status: number) => Exit.die(`answered ${status}`)

/**
 * Answers each request within a span, a child of the caller's where the request carries a `traceparent`. Its attributes
 * are the semantic conventions' and hold no query, header or body; what watches the server has no span.
 */
export const requestSpan: Wrapper = (
  { keyIdSuffix, requestId, route: { current: route = "none" } },
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

// Put here by the build, from package.json.
declare const HEADGATE_VERSION: string

/**
 * Sends a span for each request, and what is done for it, to an OpenTelemetry collector, as OTLP over HTTP in JSON. The
 * other settings are those of OpenTelemetry's own environment (`OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME`, ...).
 * Nothing waits for the collector but the end of the process, and that for 3 seconds at most. Imported where there is one.
 */
export const exportedTraces = (endpoint: URL) =>
  Layer.merge(
    Layer.succeed(Wrapped, requestSpan),
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
            env: {
              OTEL_TRACES_EXPORTER: "otlp",
              ...process.env,
              OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.href
            }
          })
        )
      )
    )
  )
