import { DashboardCreate, Dashboards } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { UsageError } from "../error/CommandError.ts"
import { validate } from "../usage/validate.ts"
import { dashboardFile, dashboardReader } from "./document.ts"
import { printDashboard } from "./printDashboard.ts"

const readDashboard = dashboardReader(DashboardCreate)

/** Decodes the value of `--name`. */
export const validateName = validate({ kind: "flag", name: "name" }, DashboardCreate.schema.fields.name)

const flags = {
  file: Flag.optional(dashboardFile),
  name: Flag.String("name").pipe(
    Flag.withMetavar("name"),
    Flag.withDescription("Create an empty dashboard with this name"),
    Flag.mapEffect(validateName),
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
    yield* printDashboard(dashboard, `Dashboard ${dashboard.id} was created`)
  })
).pipe(
  Command.withDescription("Create a dashboard from a document, or an empty one"),
  Command.withExamples([
    { command: "headgate dashboard create --file errors.json", description: "From a document in version control" },
    { command: 'headgate dashboard create --name "Errors"', description: "An empty dashboard" }
  ])
)
