import type { Dialect } from "./Dialect.ts"
import { dashboardOperations, serviceDashboardOperations } from "./dashboard/dashboardOperations.ts"
import {
  alertOperations,
  connectionOperations,
  savedSearchOperations,
  sourceOperations,
  webhookOperations
} from "./dashboard/sourceOperations.ts"
import { keyOperations } from "./key/keyOperations.ts"
import { organizationOperations } from "./organization/organizationOperations.ts"
import { roleOperations } from "./key/roleOperations.ts"
import { pipeOperations } from "./pipe/pipeOperations.ts"
import { cdcScalingOperations } from "./service/cdcScalingOperations.ts"
import { endpointOperations } from "./service/endpointOperations.ts"
import { serviceOperations } from "./service/serviceOperations.ts"

/**
 * Every operation of the contract in a dialect, by noun and name. Code that handles all operations is computed from it.
 *
 * @example
 * ```ts
 * import { neutral, operations } from "@headgate/http-contract"
 *
 * const rows = Object.values(operations(neutral)).flatMap((table) => Object.values(table))
 * console.log(rows.filter(({ isRepeatable }) => !isRepeatable).every(({ method }) => method === "POST"))
 * // true
 * ```
 */
export const operations = (dialect: Dialect) => ({
  organization: organizationOperations(dialect),
  service: serviceOperations(dialect),
  cdcScaling: cdcScalingOperations(dialect),
  endpoint: endpointOperations(dialect),
  pipe: pipeOperations(dialect),
  key: keyOperations(dialect),
  role: roleOperations(dialect),
  dashboard: dashboardOperations(dialect),
  serviceDashboard: serviceDashboardOperations(dialect),
  connection: connectionOperations(dialect),
  source: sourceOperations(dialect),
  savedSearch: savedSearchOperations(dialect),
  webhook: webhookOperations(dialect),
  alert: alertOperations(dialect)
})

/** The tables of {@link operations}. */
export type Operations = ReturnType<typeof operations>
