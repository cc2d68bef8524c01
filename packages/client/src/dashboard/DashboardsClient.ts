import type * as Core from "@headgate/core"
import type { CallOptions } from "../CallOptions.ts"
import type { CallPromise, List } from "../CallPromise.ts"
import type { Input } from "../Input.ts"
import type { Plain } from "../Plain.ts"

/** A dashboard made of tiles. */
export type Dashboard = Plain<Core.Dashboard>

/** A request to create a dashboard: a name, and the tiles on it. */
export type DashboardCreate = Input<Core.DashboardCreate>

/** A request that replaces a dashboard. The ids of its tiles are kept. */
export type DashboardUpdate = Input<Core.DashboardUpdate>

/** The chart of a tile in the dialect `clickhouse`: `displayType` decides which fields it has. */
export type TileConfig = Input<Core.TileConfig>

/** A request for a dashboard that may be wrong: any JSON object. */
export type DashboardDocument = Input<Core.DashboardDocument>

/** Whether a service would create a dashboard, and why not. */
export type DashboardValidation = Plain<Core.DashboardValidation>

/**
 * The dashboards of the observability API: those of the organization that the token belongs to. `get`, `update` and
 * `delete` reject with `DashboardNotFoundError` if there is no such dashboard.
 */
export interface DashboardsClient {
  /** Creates a dashboard. The service assigns ids to it and its tiles. */
  readonly create: (request: DashboardCreate, options?: CallOptions) => CallPromise<Dashboard>
  /** Lists all dashboards; their order is not promised. */
  readonly list: (options?: CallOptions) => List<Dashboard>
  /** Reads a dashboard. */
  readonly get: (id: string, options?: CallOptions) => CallPromise<Dashboard>
  /** Replaces a dashboard. The ids of tiles in the request are kept, a tile without one gets one. */
  readonly update: (id: string, request: DashboardUpdate, options?: CallOptions) => CallPromise<Dashboard>
  /** Deletes a dashboard. */
  readonly delete: (id: string, options?: CallOptions) => CallPromise<void>
  /** Tells whether `create` would take a document, and which fields are wrong. Stores nothing. */
  readonly validate: (document: DashboardDocument, options?: CallOptions) => CallPromise<DashboardValidation>
}
