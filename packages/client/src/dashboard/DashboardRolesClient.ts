import type * as Core from "@headgate/core"
import type { CallOptions } from "../CallOptions.ts"
import type { CallPromise, List } from "../CallPromise.ts"
import type { Input } from "../Input.ts"
import type { Plain } from "../Plain.ts"

/** A role of those who use dashboards. It grants nothing on this server. */
export type DashboardRole = Plain<Core.DashboardRole>

/** A request for a role of dashboards. */
export type DashboardRoleCreate = Input<Core.DashboardRoleCreate>

/** The new permissions of a role of dashboards. A name or description that is absent stays. */
export type DashboardRoleUpdate = Input<Core.DashboardRoleUpdate>

/** The roles of dashboards. `get`, `update` and `delete` reject with `DashboardRoleNotFoundError` if there is no such role. */
export interface DashboardRolesClient {
  /** Lists all of them; their order is not promised. */
  readonly list: (options?: CallOptions) => List<DashboardRole>
  /** Reads one. */
  readonly get: (id: string, options?: CallOptions) => CallPromise<DashboardRole>
  /** Creates one. */
  readonly create: (request: DashboardRoleCreate, options?: CallOptions) => CallPromise<DashboardRole>
  /** Replaces the permissions of one. */
  readonly update: (id: string, request: DashboardRoleUpdate, options?: CallOptions) => CallPromise<DashboardRole>
  /** Deletes one. */
  readonly delete: (id: string, options?: CallOptions) => CallPromise<void>
}
