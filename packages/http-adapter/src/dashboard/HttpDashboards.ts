import { Dashboards } from "@headgate/core"
import { dashboardOperations, neutral } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ObservabilityConnection } from "../Connection.ts"
import { call, callList } from "../call.ts"

const layer: Layer.Layer<Dashboards, never, ObservabilityConnection> = Layer.effect(
  Dashboards,
  Effect.gen(function* () {
    const connection = yield* ObservabilityConnection
    const operations = dashboardOperations(neutral)
    const create = call(connection, operations.create, "HttpDashboards.create", { omitNull: true })
    const list = callList(connection, operations.list, "HttpDashboards.list")
    return Dashboards.of({
      // The real service requires `tiles`, and refuses null.
      create: (request) => create({}, { ...request, tiles: request.tiles ?? [], tags: request.tags ?? [] }),
      list: () => list({})
    })
  })
)

/**
 * The `Dashboards` port over the observability API, for the organization of the bearer token. A create always sends
 * `tiles` and `tags`, and no field that is null: the real service refuses a null. Contract: sections 4.3 and 4.4.
 *
 * @example
 * ```ts
 * import { Dashboards } from "@headgate/core"
 * import { HttpDashboards, ObservabilityConnection } from "@headgate/http-adapter"
 * import * as Effect from "effect/Effect"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 * import type * as Redacted from "effect/Redacted"
 *
 * // The dashboards of several organizations: a token belongs to one, so each has a layer of its own.
 * const layer = (token: Redacted.Redacted) =>
 *   Layer.fresh(HttpDashboards.layer).pipe(
 *     Layer.provide(ObservabilityConnection.layer({ baseUrl: "https://observability.example.com", token })),
 *     Layer.provide(FetchHttpClient.layer)
 *   )
 *
 * export const namesOf = (tokens: ReadonlyArray<Redacted.Redacted>) =>
 *   Effect.forEach(tokens, (token) =>
 *     Dashboards.use(({ list }) => list()).pipe(
 *       Effect.map((dashboards) => dashboards.map(({ name }) => name)),
 *       Effect.provide(layer(token))
 *     )
 *   )
 * ```
 */
export const HttpDashboards = { layer }
