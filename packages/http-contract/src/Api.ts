import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { dashboardGroup } from "./dashboard/DashboardGroup.ts"
import type { Dialect } from "./Dialect.ts"
import { keyGroup } from "./key/KeyGroup.ts"
import { pipeGroup } from "./pipe/PipeGroup.ts"

/**
 * Both APIs of the contract in a dialect: `pipe` and `key` are the management API (HTTP Basic), `dashboard` is the
 * observability API (Bearer). A server implements it, a client is derived from it, `openApi` documents it.
 */
export const makeApi = (dialect: Dialect) =>
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
export type Api = ReturnType<typeof makeApi>

/** The OpenAPI 3.1 document of the contract in a dialect. */
export const openApi = (dialect: Dialect): OpenApi.OpenAPISpec => OpenApi.fromApi(makeApi(dialect))
