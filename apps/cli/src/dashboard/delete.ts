import { Dashboards } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Output from "../output/Output.ts"
import { confirm, yesFlag } from "../usage/confirm.ts"
import { dashboardIdArgument, resolveDashboard } from "./dashboardId.ts"

/** `headgate dashboard delete <dashboard-id> [--yes]`. Not named `delete`, which is a reserved word. */
export const remove = Command.make(
  "delete",
  { dashboardId: dashboardIdArgument, yes: yesFlag },
  Effect.fnUntraced(function* ({ dashboardId, yes }) {
    const dashboards = yield* Dashboards
    const id = yield* resolveDashboard(dashboardId)
    if (!yes) yield* confirm(`Delete dashboard ${dashboardId} permanently?`)
    yield* dashboards.delete({ dashboardId: id })
    yield* Output.done(`Dashboard ${id} was deleted`, { id, deleted: true })
  })
).pipe(
  Command.withDescription("Delete a dashboard permanently"),
  Command.withExamples([
    { command: "headgate dashboard delete 65f5e4a3b9e77c001a567890", description: "Ask for confirmation" },
    { command: "headgate dashboard delete 65f5e4a3b9e77c001a567890 --yes", description: "In a script" }
  ])
)
