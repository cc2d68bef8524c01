import * as Core from "@headgate/core"
import type { Input } from "../Input.ts"
import type { Plain } from "../Plain.ts"
import { type PromiseClient, promiseMethods } from "../PromiseClient.ts"
import type { Run } from "../Runner.ts"

/** A dashboard made of tiles. */
export type Dashboard = Plain<Core.Dashboard>

/** A request to create a dashboard: a name, and the tiles on it. */
export type DashboardCreate = Input<Core.DashboardCreate>

/** The dashboards of the observability API: those of the organization that the token belongs to. */
export interface DashboardsClient extends PromiseClient<Core.Dashboards["Service"]> {}

/** The methods of dashboards, over the adapter that runs the calls. */
export const dashboardsClient = (run: Run<Core.Dashboards>): DashboardsClient => {
  const { listAll, method } = promiseMethods(run, Core.Dashboards)
  return {
    create: method(Core.DashboardCreate, (dashboards, request) => dashboards.create(request)),
    list: listAll((dashboards) => dashboards.list())
  }
}
