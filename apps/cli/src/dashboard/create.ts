import { Dashboard, DashboardCreate, Dashboards } from "@headgate/core"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Output from "../output/Output.ts"
import { checked } from "../usage/checked.ts"
import { UsageError } from "../usage/UsageError.ts"
import { dashboardText } from "./dashboardText.ts"
import { readDashboard } from "./readDashboard.ts"

const flags = {
  file: Flag.String("file").pipe(
    Flag.withAlias("f"),
    Flag.withMetavar("dashboard.json"),
    Flag.withDescription("JSON document with name, tiles and tags; - reads stdin"),
    Flag.optional
  ),
  name: Flag.String("name").pipe(
    Flag.withMetavar("name"),
    Flag.withDescription("Create an empty dashboard of this name"),
    Flag.mapEffect(checked({ kind: "flag", name: "name" }, DashboardCreate.schema.fields.name)),
    Flag.optional
  )
}

const requestOf = ({ file, name }: { readonly file: Option.Option<string>; readonly name: Option.Option<string> }) => {
  if (Option.isSome(file) && Option.isNone(name)) return readDashboard(file.value)
  if (Option.isSome(name) && Option.isNone(file)) return Effect.succeed<DashboardCreate>({ name: name.value })
  return Effect.fail(new UsageError({ message: "Give either --file <dashboard.json> or --name <name>." }))
}

/** `headgate dashboard create (--file f.json | --file - | --name N)` */
export const create = Command.make(
  "create",
  flags,
  Effect.fnUntraced(function* (input) {
    const dashboards = yield* Dashboards
    const dashboard = yield* dashboards.create(yield* requestOf(input))
    yield* Output.print({
      text: () => dashboardText(dashboard),
      json: Effect.orDie(Schema.encodeEffect(Dashboard)(dashboard))
    })
  })
).pipe(
  Command.withDescription("Create a dashboard from a JSON document, or an empty one"),
  Command.withExamples([
    { command: "headgate dashboard create --file errors.json", description: "From a document kept in version control" },
    { command: 'headgate dashboard create --name "Errors"', description: "An empty one" },
    {
      command: "jq '.[0]' dashboards.json | headgate dashboard create --file -",
      description: "A copy of one that `dashboard list --json` printed"
    }
  ])
)
