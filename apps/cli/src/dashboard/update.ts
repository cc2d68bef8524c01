import { Dashboards, DashboardUpdate } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { dashboardIdArgument, resolveDashboard } from "./dashboardId.ts"
import { dashboardFile, dashboardReader } from "./document.ts"
import { printDashboard } from "./printDashboard.ts"

const readDashboard = dashboardReader(DashboardUpdate)

/** `headgate dashboard update <dashboard-id> --file f.json` */
export const update = Command.make(
  "update",
  { dashboardId: dashboardIdArgument, file: dashboardFile },
  Effect.fnUntraced(function* ({ dashboardId, file }) {
    const dashboards = yield* Dashboards
    const request = yield* readDashboard(file)
    const id = yield* resolveDashboard(dashboardId)
    yield* printDashboard(yield* dashboards.update({ dashboardId: id }, request), `Dashboard ${id} was updated`)
  })
).pipe(
  Command.withDescription("Replace a dashboard by a document: tiles keep their ids, what is not in it is gone"),
  Command.withExamples([
    {
      command: "headgate dashboard update 65f5e4a3b9e77c001a567890 --file errors.json",
      description: "From a document in version control"
    }
  ])
)
