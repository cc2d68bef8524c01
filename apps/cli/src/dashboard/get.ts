import { Dashboards } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { dashboardIdArgument } from "./dashboardId.ts"
import { printDashboard } from "./printDashboard.ts"

/** `headgate dashboard get <dashboard-id>` */
export const get = Command.make(
  "get",
  { dashboardId: dashboardIdArgument },
  Effect.fnUntraced(function* ({ dashboardId }) {
    const dashboards = yield* Dashboards
    yield* printDashboard(yield* dashboards.get(dashboardId))
  })
).pipe(
  Command.withDescription("Show a dashboard"),
  Command.withExamples([
    {
      command: "headgate dashboard get 65f5e4a3b9e77c001a567890 --json > errors.json",
      description: "Keep it in a file"
    }
  ])
)
