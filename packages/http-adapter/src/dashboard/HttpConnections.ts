import { Connections } from "@headgate/core"
import { connectionOperations, neutral } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ObservabilityConnection } from "../Connection.ts"
import type { Connection } from "../connect.ts"
import { portOf } from "../portOf.ts"

/** The port `Connections` over a connection, without a layer. */
export const makeHttpConnections = (connection: Connection): Connections["Service"] =>
  portOf<Connections["Service"]>()(connectionOperations(neutral), connection, "HttpConnections")

const layer: Layer.Layer<Connections, never, ObservabilityConnection> = Layer.effect(
  Connections,
  Effect.map(ObservabilityConnection, makeHttpConnections)
)

/**
 * The `Connections` port over the observability API, for the organization of the bearer token.
 *
 * @example
 * ```ts
 * import { Connections } from "@headgate/core"
 * import { HttpConnections, ObservabilityConnection } from "@headgate/http-adapter"
 * import * as Effect from "effect/Effect"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 * import type * as Redacted from "effect/Redacted"
 *
 * export const list = (token: Redacted.Redacted) =>
 *   Connections.use((connections) => connections.list()).pipe(
 *     Effect.provide(HttpConnections.layer),
 *     Effect.provide(ObservabilityConnection.layer({ baseUrl: "https://observability.example.com", token })),
 *     Effect.provide(FetchHttpClient.layer)
 *   )
 * ```
 */
export const HttpConnections = { layer }
