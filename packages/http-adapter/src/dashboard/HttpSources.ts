import { DashboardSources } from "@headgate/core"
import { neutral, sourceOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ObservabilityConnection } from "../Connection.ts"
import { call, callList } from "../call.ts"

const layer: Layer.Layer<DashboardSources, never, ObservabilityConnection> = Layer.effect(
  DashboardSources,
  Effect.gen(function* () {
    const api = yield* ObservabilityConnection
    const operations = sourceOperations(neutral)
    const create = call(api, operations.create, "HttpSources.create")
    const list = callList(api, operations.list, "HttpSources.list")
    const get = call(api, operations.get, "HttpSources.get")
    const update = call(api, operations.update, "HttpSources.update")
    const remove = call(api, operations.delete, "HttpSources.delete")
    return DashboardSources.of({
      create: (request) => create({}, request),
      list: () => list({}),
      get: (sourceId) => get({ sourceId }),
      update: (sourceId, request) => update({ sourceId }, request),
      delete: (sourceId) => remove({ sourceId })
    })
  })
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
