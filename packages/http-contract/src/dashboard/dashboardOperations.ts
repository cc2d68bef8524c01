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
import { noContent, noParams, noPayload, type Operation } from "../Operation.ts"

const path = "/api/v2/dashboards"

const tile = {
  name: "Errors",
  x: 0,
  y: 0,
  w: 12,
  h: 4,
  series: [{ type: "time", aggFn: "count", where: "level:error" }]
}
const request = { name: "Errors", tiles: [tile], tags: ["prod"] }

const dashboard = {
  id: "2c1079cf-97e2-4e47-a17a-0de95574bfbd",
  name: "Errors",
  tiles: [{ id: "7970148c-2cee-4d28-a8e5-2ea9b54362ac", ...tile }],
  tags: ["prod"]
}

// A client that fills another text into a path calls another path.
const pathSegment = Schema.makeFilter((id: string) => !/^\.{0,2}$/.test(id) || "Expected the id of a dashboard")

/** The path parameter of the operations on one dashboard. Its id may be any text that a path can hold. */
const params = Schema.Struct({ dashboardId: DashboardId.check(pathSegment) })
type Params = typeof params.Type

/**
 * The dashboard operations: the same in every dialect. Contract: sections 4.3 and 4.4, the others by decision.
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
      path,
      permission: "dashboard:create",
      params: noParams,
      payload: DashboardCreate,
      success: Dashboard,
      errors: ["CONFLICT"],
      isRepeatable: false,
      stability: "stable",
      summary: "Create a dashboard",
      example: { payload: request, success: dashboard }
    } satisfies Operation<{}, DashboardCreate, Dashboard>,
    list: {
      api: "observability",
      method: "GET",
      path,
      permission: "dashboard:read",
      params: noParams,
      payload: noPayload,
      success: Schema.Array(Dashboard),
      errors: [],
      isRepeatable: true,
      stability: "stable",
      summary: "List all dashboards",
      example: { success: [dashboard] }
    } satisfies Operation<{}, undefined, ReadonlyArray<Dashboard>>,
    validate: {
      api: "observability",
      method: "POST",
      path: `${path}/validate`,
      permission: "dashboard:validate",
      params: noParams,
      payload: DashboardDocument,
      success: DashboardValidation,
      envelope: "none",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Validate the request for a dashboard",
      example: {
        payload: { name: "Errors", tiles: [{ ...tile, w: 0 }] },
        success: { valid: false, errors: [{ path: "tiles[0].w", message: "Expected a number greater than 0" }] }
      }
    } satisfies Operation<{}, DashboardDocument, DashboardValidation>,
    get: {
      api: "observability",
      method: "GET",
      path: `${path}/:dashboardId`,
      permission: "dashboard:read",
      params,
      payload: noPayload,
      success: Dashboard,
      notFound: "DashboardNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Read a dashboard",
      example: { success: dashboard }
    } satisfies Operation<Params, undefined, Dashboard, "DashboardNotFound">,
    update: {
      api: "observability",
      method: "PUT",
      path: `${path}/:dashboardId`,
      permission: "dashboard:update",
      params,
      payload: DashboardUpdate,
      success: Dashboard,
      notFound: "DashboardNotFound",
      errors: ["CONFLICT"],
      isRepeatable: true,
      stability: "beta",
      summary: "Replace a dashboard",
      example: { payload: { ...request, tiles: dashboard.tiles }, success: dashboard }
    } satisfies Operation<Params, DashboardUpdate, Dashboard, "DashboardNotFound">,
    delete: {
      api: "observability",
      method: "DELETE",
      path: `${path}/:dashboardId`,
      permission: "dashboard:delete",
      params,
      payload: noPayload,
      success: noContent,
      notFound: "DashboardNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Delete a dashboard",
      example: {}
    } satisfies Operation<Params, undefined, void, "DashboardNotFound">
  }) as const
