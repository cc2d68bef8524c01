import { Dashboards } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { dashboardIdArgument, resolveDashboard } from "./dashboardId.ts"
import { printDashboard } from "./printDashboard.ts"

/** Reads a dashboard by its id or name. */
export const readDashboard = Effect.fnUntraced(function* (idOrName: string) {
  const dashboards = yield* Dashboards
  return yield* dashboards.get({ dashboardId: yield* resolveDashboard(idOrName) })
})

/** `headgate dashboard get <dashboard-id>` */
export const get = Command.make(
  "get",
  { dashboardId: dashboardIdArgument },
  Effect.fnUntraced(function* ({ dashboardId }) {
    yield* printDashboard(yield* readDashboard(dashboardId))
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
