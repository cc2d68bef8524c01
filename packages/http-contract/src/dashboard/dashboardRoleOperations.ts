import { DashboardRole, DashboardRoleCreate, DashboardRoleId, DashboardRoleUpdate } from "@headgate/core"
import * as Schema from "effect/Schema"
import type { Dialect } from "../Dialect.ts"
import { pathSegment } from "../Operation.ts"
import { documentOperations } from "./sourceOperations.ts"

/**
 * The operations on roles of dashboards, which are served below a service alone (`belowService`). Contract:
 * docs/wire-contract.md#roles-of-dashboards.
 *
 * @example
 * ```ts
 * import { belowService, dashboardRoleOperations, neutral } from "@headgate/http-contract"
 *
 * console.log(belowService(dashboardRoleOperations(neutral), neutral).list.path)
 * // /v1/organizations/:organizationId/services/:serviceId/dbstack/roles
 * ```
 */
export const dashboardRoleOperations = (_dialect: Dialect) =>
  documentOperations({
    path: "/api/v2/roles",
    parameter: "dashboardRoleId",
    params: Schema.Struct({ dashboardRoleId: DashboardRoleId.check(pathSegment("role")) }),
    request: DashboardRoleCreate,
    update: DashboardRoleUpdate,
    document: DashboardRole,
    notFound: "DashboardRoleNotFound",
    read: "role:read",
    write: "role:write",
    one: "a role of dashboards",
    many: "roles of dashboards"
  })
