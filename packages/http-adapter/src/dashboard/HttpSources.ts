import { DashboardSources } from "@headgate/core"
import { sourceOperations, neutral } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ObservabilityConnection } from "../Connection.ts"
import type { Connection } from "../connect.ts"
import { portOf } from "../portOf.ts"

/** The port `DashboardSources` over a connection, without a layer. */
export const makeHttpSources = (connection: Connection): DashboardSources["Service"] =>
  portOf<DashboardSources["Service"]>()(sourceOperations(neutral), connection, "HttpSources")

const layer: Layer.Layer<DashboardSources, never, ObservabilityConnection> = Layer.effect(
  DashboardSources,
  Effect.map(ObservabilityConnection, makeHttpSources)
)

/**
 * The `DashboardSources` port over the observability API, for the organization of the bearer token.
 *
 * @example
 * ```ts
 * import { DashboardSources } from "@headgate/core"
 * import { HttpSources, ObservabilityConnection } from "@headgate/http-adapter"
 * import * as Effect from "effect/Effect"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 * import type * as Redacted from "effect/Redacted"
 *
 * export const list = (token: Redacted.Redacted) =>
 *   DashboardSources.use((sources) => sources.list()).pipe(
 *     Effect.provide(HttpSources.layer),
 *     Effect.provide(ObservabilityConnection.layer({ baseUrl: "https://observability.example.com", token })),
 *     Effect.provide(FetchHttpClient.layer)
 *   )
 * ```
 */
export const HttpSources = { layer }
