import {
  Dashboard,
  DashboardCreate,
  DashboardDocument,
  DashboardId,
  DashboardUpdate,
  DashboardValidation
} from "@headgate/core"
import * as Schema from "effect/Schema"
import type { Dialect } from "../Dialect.ts"
import { noContent, noParams, noPayload, type Operation, pathSegment } from "../Operation.ts"

/** The path parameter of the operations on one dashboard. Its id may be any text that a path can hold. */
const DashboardParams = Schema.Struct({ dashboardId: DashboardId.check(pathSegment("dashboard")) })

/**
 * The dashboard operations of the observability API: the same in every dialect. Contract:
 * docs/wire-contract.md#create-a-dashboard and docs/wire-contract.md#list-dashboards, the others by decision.
 *
 * @example
 * ```ts
 * import { dashboardOperations, neutral } from "@headgate/http-contract"
 *
 * const { method, path } = dashboardOperations(neutral).list
 * console.log(method, path) // GET /api/v2/dashboards
 * ```
 */
export const dashboardOperations = (_dialect: Dialect) =>
  ({
    create: {
      api: "observability",
      method: "POST",
      path: "/api/v2/dashboards",
      permission: "dashboard:create",
      params: noParams,
      payload: DashboardCreate,
      success: Dashboard,
      errors: ["CONFLICT"],
      isRepeatable: false,
      canValidateOnly: true,
      stability: "stable",
      summary: "Create a dashboard"
    } satisfies Operation<{}, DashboardCreate, Dashboard>,
    list: {
      api: "observability",
      method: "GET",
      path: "/api/v2/dashboards",
      permission: "dashboard:read",
      params: noParams,
      payload: noPayload,
      success: Schema.Array(Dashboard),
      errors: [],
      isRepeatable: true,
      stability: "stable",
      summary: "List all dashboards"
    } satisfies Operation<{}, undefined, ReadonlyArray<Dashboard>>,
    validate: {
      api: "observability",
      method: "POST",
      path: "/api/v2/dashboards/validate",
      permission: "dashboard:validate",
      params: noParams,
      payload: DashboardDocument,
      success: DashboardValidation,
      envelope: "none",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Validate the request for a dashboard"
    } satisfies Operation<{}, DashboardDocument, DashboardValidation>,
    get: {
      api: "observability",
      method: "GET",
      path: "/api/v2/dashboards/:dashboardId",
      permission: "dashboard:read",
      params: DashboardParams,
      payload: noPayload,
      success: Dashboard,
      notFound: "DashboardNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Read a dashboard"
    } satisfies Operation<typeof DashboardParams.Type, undefined, Dashboard, "DashboardNotFound">,
    update: {
      api: "observability",
      method: "PUT",
      path: "/api/v2/dashboards/:dashboardId",
      permission: "dashboard:update",
      params: DashboardParams,
      payload: DashboardUpdate,
      success: Dashboard,
      notFound: "DashboardNotFound",
      errors: ["CONFLICT"],
      isRepeatable: true,
      stability: "beta",
      summary: "Replace a dashboard"
    } satisfies Operation<typeof DashboardParams.Type, DashboardUpdate, Dashboard, "DashboardNotFound">,
    delete: {
      api: "observability",
      method: "DELETE",
      path: "/api/v2/dashboards/:dashboardId",
      permission: "dashboard:delete",
      params: DashboardParams,
      payload: noPayload,
      success: noContent,
      notFound: "DashboardNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Delete a dashboard"
    } satisfies Operation<typeof DashboardParams.Type, undefined, void, "DashboardNotFound">
  }) as const
