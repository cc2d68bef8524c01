import { Dashboard, DashboardCreate } from "@headgate/core/dashboard"
import * as Schema from "effect/Schema"
import { readData } from "../Envelope.ts"
import { noParams, noPayload, type Operation } from "../Operation.ts"

const path = "/api/v2/dashboards"

/**
 * The dashboard operations, `create` and `list`, as plain data: the same in every dialect. Contract: sections 4.3 and 4.4.
 *
 * @example
 * ```ts
 * import { dashboardOperations } from "@headgate/http-contract/dashboard"
 *
 * const { method, path } = dashboardOperations.list
 * console.log(method, path) // GET /api/v2/dashboards
 * ```
 */
export const dashboardOperations = {
  create: {
    method: "POST",
    path,
    permission: "dashboard:create",
    params: noParams,
    payload: DashboardCreate,
    read: readData(Dashboard)
  } satisfies Operation<{}, DashboardCreate, Dashboard>,
  list: {
    method: "GET",
    path,
    permission: "dashboard:read",
    params: noParams,
    payload: noPayload,
    read: readData(Schema.Array(Dashboard))
  } satisfies Operation<{}, undefined, ReadonlyArray<Dashboard>>
}
