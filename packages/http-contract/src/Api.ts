import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { dashboardGroup } from "./dashboard/DashboardGroup.ts"
import type { Dialect } from "./Dialect.ts"
import { keyGroup } from "./key/KeyGroup.ts"
import { pipeGroup } from "./pipe/PipeGroup.ts"

const build = (dialect: Dialect) =>
  HttpApi.make("headgate")
    .add(pipeGroup(dialect), keyGroup, dashboardGroup)
    .annotate(HttpApi.ParseOptions, { errors: "all" })
    .annotateMerge(
      OpenApi.annotations({
        title: "Management and observability API",
        version: "1.0.0",
        description: "Read and delete ingestion pipes, create organization API keys, create and list dashboards."
      })
    )
/** What {@link makeApi} makes, the same type in every dialect: what a server's handlers are written against. */
export type Api = ReturnType<typeof build>

const built = new WeakMap<Dialect, Api>()

/**
 * Both APIs of the contract in a dialect: `pipe` and `key` are the management API (HTTP Basic), `dashboard` is the
 * observability API (Bearer). A server implements it, a client is derived from it, `openApi` documents it. Contract:
 * sections 4 and 5. Made once for each dialect.
 *
 * @example
 * ```ts
 * import { makeApi, neutral } from "@headgate/http-contract"
 * import * as Effect from "effect/Effect"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as HttpApiClient from "effect/http-api/HttpApiClient"
 *
 * // A bare client: no credentials, no retries, no error classes. `@headgate/http-adapter` is the one with manners.
 * export const dashboards = Effect.gen(function* () {
 *   const client = yield* HttpApiClient.make(makeApi(neutral), { baseUrl: "http://127.0.0.1:4000" })
 *   return (yield* client.dashboard.list()).data
 * }).pipe(Effect.provide(FetchHttpClient.layer))
 * ```
 */
export const makeApi = (dialect: Dialect): Api => {
  const api = built.get(dialect) ?? build(dialect)
  built.set(dialect, api)
  return api
}

/**
 * The OpenAPI 3.1 document of the contract in a dialect: what the server answers at `/openapi.json`.
 *
 * @example
 * ```ts
 * import { neutral, openApi } from "@headgate/http-contract"
 *
 * const document = openApi(neutral)
 * console.log(document.openapi, Object.keys(document.paths).at(-1)) // 3.1.0 /api/v2/dashboards
 * ```
 */
export const openApi = (dialect: Dialect): OpenApi.OpenAPISpec => OpenApi.fromApi(makeApi(dialect))
