import { Dashboard, DashboardCreate } from "@headgate/core"
import * as Schema from "effect/Schema"
import type { Dialect } from "../Dialect.ts"
import { noParams, noPayload, type Operation } from "../Operation.ts"

const path = "/api/v2/dashboards"

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
      errors: [],
      isRepeatable: false,
      stability: "stable",
      summary: "Create a dashboard"
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
      summary: "List all dashboards"
    } satisfies Operation<{}, undefined, ReadonlyArray<Dashboard>>
  }) as const
