import { DashboardId, Dashboards } from "@headgate/core"
import { nameArgument, resolveName } from "../address/resolveName.ts"
import { opaqueId } from "./opaqueId.ts"

/** Dashboards, which can be named in place of their ids. */
export const dashboardNoun = {
  noun: "dashboard",
  idIn: opaqueId((text) => DashboardId.make(text)),
  list: Dashboards.use((dashboards) => dashboards.list())
}

/** The `<dashboard-id>` argument of every command on one dashboard. */
export const dashboardIdArgument = nameArgument("dashboard-id", "Id or name of the dashboard")

/** The id of a dashboard, by its id or name. */
export const resolveDashboard = (idOrName: string) => resolveName(dashboardNoun, idOrName, "<dashboard-id>")
