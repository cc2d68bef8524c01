import * as Core from "@headgate/core"
import type { Input } from "../Input.ts"
import type { Plain } from "../Plain.ts"
import { type PromiseClient, promiseMethods } from "../PromiseClient.ts"
import type { Run } from "../Runner.ts"

/** A dashboard made of tiles. */
export type Dashboard = Plain<Core.Dashboard>

/** A request to create a dashboard: a name, and the tiles on it. */
export type DashboardCreate = Input<Core.DashboardCreate>

/** A request that replaces a dashboard. The ids of its tiles are kept. */
export type DashboardUpdate = Input<Core.DashboardUpdate>

/** Whether a service would create a dashboard, and why not. */
export type DashboardValidation = Plain<Core.DashboardValidation>

/**
 * The dashboards of the observability API: those of the organization that the token belongs to. `get`, `update` and
 * `delete` reject with `DashboardNotFoundError` if there is no such dashboard.
 */
export interface DashboardsClient extends PromiseClient<Core.Dashboards["Service"]> {}

/** The methods of dashboards, over the adapter that runs the calls. */
export const dashboardsClient = (run: Run<Core.Dashboards>): DashboardsClient => {
  const { listAll, method, methodOf } = promiseMethods(run, Core.Dashboards)
  return {
    create: method(Core.DashboardCreate, (dashboards, request) => dashboards.create(request)),
    list: listAll((dashboards) => dashboards.list()),
    get: method(Core.DashboardId, (dashboards, id) => dashboards.get(id)),
    update: methodOf(Core.DashboardId, Core.DashboardUpdate, (dashboards, id, request) =>
      dashboards.update(id, request)
    ),
    delete: method(Core.DashboardId, (dashboards, id) => dashboards.delete(id)),
    validate: method(Core.DashboardDocument, (dashboards, document) => dashboards.validate(document))
  }
}
