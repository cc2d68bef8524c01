import type { Api } from "@headgate/http-contract"
import * as ConfigProvider from "effect/ConfigProvider"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as FindMyWay from "effect/http/FindMyWay"
import * as Layer from "effect/Layer"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import { Wrapped } from "../http/Exchange.ts"
import { routeTemplates } from "../http/RouteTemplates.ts"
import { requestSpan } from "./requestSpan.ts"

// Put here by the build, from package.json.
declare const HEADGATE_VERSION: string

/**
 * Sends a span for each request, and what is done for it, to an OpenTelemetry collector, as OTLP over HTTP in JSON. The
 * other settings are those of OpenTelemetry's own environment (`OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME`, ...).
 * Nothing waits for the collector but the end of the process, and that for 3 seconds at most. Imported where there is one.
 */
export const exportedTraces = (endpoint: URL, api: Api, routerConfig: Partial<FindMyWay.RouterConfig>) =>
  Layer.merge(
    Layer.succeed(Wrapped, requestSpan(routeTemplates(api, routerConfig))),
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
