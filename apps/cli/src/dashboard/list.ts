import { Dashboard, Dashboards } from "@headgate/core"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Output from "../output/Output.ts"
import { dashboardTable } from "./dashboardText.ts"

const encode = Schema.encodeEffect(Schema.Array(Dashboard))

/** `headgate dashboard list` */
export const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    const dashboards = yield* Dashboards
    const all = yield* dashboards.list()
    yield* Output.print({ text: () => dashboardTable(all), json: Effect.orDie(encode(all)) })
    if (all.length === 0) yield* Output.note("No dashboards yet: `headgate dashboard create --name <name>` makes one.")
  })
).pipe(
  Command.withDescription("List all dashboards, newest last"),
  Command.withExamples([
    { command: "headgate dashboard list" },
    { command: "headgate dashboard list --json > dashboards.json", description: "With every tile, for version control" }
  ])
)
