import { Connections } from "@headgate/core"
import { connectionOperations, neutral } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ObservabilityConnection } from "../Connection.ts"
import { call, callList } from "../call.ts"

const layer: Layer.Layer<Connections, never, ObservabilityConnection> = Layer.effect(
  Connections,
  Effect.gen(function* () {
    const api = yield* ObservabilityConnection
    const operations = connectionOperations(neutral)
    const create = call(api, operations.create, "HttpConnections.create")
    const list = callList(api, operations.list, "HttpConnections.list")
    const get = call(api, operations.get, "HttpConnections.get")
    const update = call(api, operations.update, "HttpConnections.update")
    const remove = call(api, operations.delete, "HttpConnections.delete")
    return Connections.of({
      create: (request) => create({}, request),
      list: () => list({}),
      get: (connectionId) => get({ connectionId }),
      update: (connectionId, request) => update({ connectionId }, request),
      delete: (connectionId) => remove({ connectionId })
    })
  })
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
