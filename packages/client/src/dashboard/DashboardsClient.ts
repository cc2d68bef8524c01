import { DashboardCreate as CoreDashboardCreate, Dashboards } from "@headgate/core"
import * as Effect from "effect/Effect"
import type { CallOptions } from "../CallOptions.ts"
import type { Run } from "../Runner.ts"
import { validateInput } from "../validateInput.ts"
import type { Dashboard, DashboardCreate } from "./Dashboard.ts"
import { asList, type List } from "./List.ts"

/** The dashboards of the observability API: those of the organization that the token stands for. */
export interface DashboardsClient {
  /** Creates a dashboard; it and its tiles get their ids. */
  create(request: DashboardCreate, options?: CallOptions): Promise<Dashboard>
  /** All dashboards, newest last. The request starts when the list is first awaited or gone through. */
  list(options?: CallOptions): List<Dashboard>
}

const checkRequest = validateInput(CoreDashboardCreate)

/** The dashboards, over whatever adapter runs the calls. */
export const dashboardsClient = (run: Run<Dashboards>): DashboardsClient => ({
  create: (request, options) =>
    run(
      Effect.flatMap(checkRequest(request), (request) => Dashboards.use((dashboards) => dashboards.create(request))),
      options
    ),
  list: (options) =>
    asList(() =>
      run(
        Dashboards.use((dashboards) => dashboards.list()),
        options
      )
    )
})
