import { BelowService, Charts } from "@headgate/core"
import { chartOperations, neutral } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ManagementConnection, ObservabilityConnection } from "../Connection.ts"
import type { Connection, ManagementApi } from "../connect.ts"
import { type PortBelowService, portOf, portsBelowService } from "../portOf.ts"

/** The port `Charts` over a connection, without a layer. */
export const makeHttpCharts = (connection: Connection): Charts["Service"] =>
  portOf<Charts["Service"]>()(chartOperations(neutral), connection, "HttpCharts")

/** The port `Charts` of each service over a connection, without a layer. */
export const makeHttpServiceCharts = (connection: ManagementApi): PortBelowService<Charts["Service"]> => ({
  of: portsBelowService<Charts["Service"]>()(chartOperations(connection.dialect), connection, "HttpServiceCharts")
})

const layer: Layer.Layer<Charts, never, ObservabilityConnection> = Layer.effect(
  Charts,
  Effect.map(ObservabilityConnection, makeHttpCharts)
)

const layerServices: Layer.Layer<BelowService<Charts>, never, ManagementConnection> = Layer.effect(
  BelowService(Charts),
  Effect.map(ManagementConnection, makeHttpServiceCharts)
)

/**
 * The `Charts` port over the observability API, for the organization of the bearer token. `layerServices` is the port
 * `BelowService(Charts)` over the management API, for programs that have an API key and no bearer token.
 *
 * @example
 * ```ts
 * import { type ChartQuery, Charts } from "@headgate/core"
 * import { HttpCharts, ObservabilityConnection } from "@headgate/http-adapter"
 * import * as Effect from "effect/Effect"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import type * as Redacted from "effect/Redacted"
 *
 * export const rowsOf = (token: Redacted.Redacted, request: ChartQuery) =>
 *   Charts.use((charts) => charts.query(request)).pipe(
 *     Effect.map(({ rows }) => rows),
 *     Effect.provide(HttpCharts.layer),
 *     Effect.provide(ObservabilityConnection.layer({ baseUrl: "https://observability.example.com", token })),
 *     Effect.provide(FetchHttpClient.layer)
 *   )
 * ```
 */
export const HttpCharts = { layer, layerServices }
