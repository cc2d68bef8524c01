import { DashboardId } from "@headgate/core"
import * as Argument from "effect/cli/Argument"

/** The `<dashboard-id>` argument of every command on one dashboard. */
export const dashboardIdArgument = Argument.String("dashboard-id").pipe(
  Argument.withDescription("Id of the dashboard"),
  Argument.map((id) => DashboardId.make(id))
)
