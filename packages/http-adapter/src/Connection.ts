import type { InvalidRequest } from "@headgate/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as HttpClient from "effect/http/HttpClient"
import { type Connection, connectManagement, connectObservability, type ManagementApi } from "./connect.ts"
import type { ManagementOptions, ObservabilityOptions } from "./ConnectionOptions.ts"
import { telemetry } from "./layers/telemetry.ts"
import { httpClientTransport } from "./transport/httpClientTransport.ts"

/**
 * A connection to the management API: `HttpPipes` and `HttpApiKeys` need it. `HttpAdapter.layerManagement` combines the
 * three; use the parts for one port alone, or for your own layers over the same connection.
 *
 * @example
 * ```ts
 * import { HttpPipes, ManagementConnection } from "@headgate/http-adapter"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 * import * as Redacted from "effect/Redacted"
 *
 * const connection = ManagementConnection.layer({
 *   baseUrl: "https://api.example.com",
 *   keyId: "my-key-id",
 *   keySecret: Redacted.make("from a vault"),
 *   maxConcurrency: 8
 * }).pipe(Layer.provide(FetchHttpClient.layer))
 *
 * // `Pipes` without `ApiKeys`: a program with this layer cannot create keys.
 * export const layer = HttpPipes.layer.pipe(Layer.provide(connection))
 * ```
 */
export class ManagementConnection extends Context.Service<ManagementConnection, ManagementApi>()(
  "@headgate/http-adapter/ManagementConnection"
) {
  /**
   * Fails with `InvalidRequest`, which names every invalid option. `baseUrl` may end in `/v1`.
   */
  static readonly layer = (
    options: ManagementOptions
  ): Layer.Layer<ManagementConnection, InvalidRequest, HttpClient.HttpClient> =>
    Layer.effect(
      ManagementConnection,
      Effect.flatMap(httpClientTransport, (transport) => connectManagement(options, { transport, observer: telemetry }))
    )
}

/**
 * A connection to the observability API: `HttpDashboards` needs it. `HttpAdapter.layerObservability` combines the two.
 *
 * @example
 * ```ts
 * import { HttpDashboards, ObservabilityConnection } from "@headgate/http-adapter"
 * import * as Config from "effect/Config"
 * import * as Effect from "effect/Effect"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 *
 * // The token is read for the first call, and again after a 401.
 * const connection = ObservabilityConnection.layer({
 *   baseUrl: "https://observability.example.com",
 *   credentials: Effect.all({ token: Config.Redacted("HEADGATE_TOKEN") })
 * })
 *
 * export const layer = HttpDashboards.layer.pipe(Layer.provide(connection), Layer.provide(FetchHttpClient.layer))
 * ```
 */
export class ObservabilityConnection extends Context.Service<ObservabilityConnection, Connection>()(
  "@headgate/http-adapter/ObservabilityConnection"
) {
  /**
   * Fails with `InvalidRequest`, which names every invalid option. `baseUrl` may end in `/api` or `/api/v2`.
   */
  static readonly layer = (
    options: ObservabilityOptions
  ): Layer.Layer<ObservabilityConnection, InvalidRequest, HttpClient.HttpClient> =>
    Layer.effect(
      ObservabilityConnection,
      Effect.flatMap(httpClientTransport, (transport) =>
        connectObservability(options, { transport, observer: telemetry })
      )
    )
}
