import { Dashboard, DashboardCreate } from "@headgate/core"
import * as Schema from "effect/Schema"
import type { Dialect } from "../Dialect.ts"
import { noParams, noPayload, type Operation } from "../Operation.ts"

const path = "/api/v2/dashboards"

const tile = {
  name: "Errors",
  x: 0,
  y: 0,
  w: 12,
  h: 4,
  series: [{ type: "time", aggFn: "count", where: "level:error" }]
}

const dashboard = {
  id: "2c1079cf-97e2-4e47-a17a-0de95574bfbd",
  name: "Errors",
  tiles: [{ id: "7970148c-2cee-4d28-a8e5-2ea9b54362ac", ...tile }],
  tags: ["prod"]
}

/**
 * The dashboard operations: the same in every dialect. Contract: sections 4.3 and 4.4.
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
      example: { payload: { name: "Errors", tiles: [tile], tags: ["prod"] }, success: dashboard }
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
    } satisfies Operation<{}, undefined, ReadonlyArray<Dashboard>>
  }) as const
