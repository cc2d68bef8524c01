import { Dashboard } from "@headgate/core/dashboard"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { RequiredPermission } from "../access/RequiredPermission.ts"
import { ObservabilitySecurity } from "../access/Security.ts"
import { observabilityEnvelope } from "../Envelope.ts"
import { observabilityCreateErrors, observabilityReadErrors } from "../ErrorBody.ts"
import { dashboardOperations } from "./dashboardOperations.ts"

const { create, list } = dashboardOperations

/**
 * The dashboard operations, `create` and `list`: the same in every dialect. Contract: sections 4.3 and 4.4.
 *
 * @example
 * ```ts
 * import { dashboardGroup } from "@headgate/http-contract"
 * import * as HttpApi from "effect/http-api/HttpApi"
 * import * as HttpApiClient from "effect/http-api/HttpApiClient"
 *
 * // A client of the dashboards alone.
 * const api = HttpApi.make("dashboards").add(dashboardGroup)
 * export const makeClient = HttpApiClient.make(api, { baseUrl: "https://observability.example.com" })
 * ```
 */
export const dashboardGroup = HttpApiGroup.make("dashboard")
  .add(
    HttpApiEndpoint.post("create", create.path, {
      payload: create.payload,
      success: observabilityEnvelope(Dashboard),
      error: observabilityCreateErrors
    })
      .annotate(RequiredPermission, create.permission)
      .annotateMerge(OpenApi.annotations({ summary: "Create a dashboard" })),
    HttpApiEndpoint.get("list", list.path, {
      success: observabilityEnvelope(Schema.Array(Dashboard)),
      error: observabilityReadErrors
    })
      .annotate(RequiredPermission, list.permission)
      .annotateMerge(OpenApi.annotations({ summary: "List all dashboards, newest last" }))
  )
  .middleware(ObservabilitySecurity)
  .annotateMerge(OpenApi.annotations({ title: "Dashboards", description: "The dashboards of an organization." }))
