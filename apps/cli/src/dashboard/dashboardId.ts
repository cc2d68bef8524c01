import { nouns } from "../address/nouns.ts"
import { nameArgument, resolveName } from "../address/resolveName.ts"

/** The `<dashboard-id>` argument of every command on one dashboard. */
export const dashboardIdArgument = nameArgument("dashboard-id", "Id or name of the dashboard")

/** The id of a dashboard, by its id or name. */
export const resolveDashboard = (idOrName: string) => resolveName(nouns.dashboard, idOrName, "<dashboard-id>")
