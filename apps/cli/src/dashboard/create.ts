import { DashboardCreate, Dashboards } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { tableFlag } from "../chart/pipeTable.ts"
import { UsageError } from "../error/CommandError.ts"
import { dryRun } from "../request/dryRun.ts"
import { validate } from "../usage/validate.ts"
import { dashboardFile, dashboardReader } from "./document.ts"
import type { FromPipe } from "./fromPipe.ts"
import { printDashboard } from "./printDashboard.ts"

const readDashboard = dashboardReader(DashboardCreate)

/** Decodes the value of `--name`. */
export const validateName = validate({ kind: "flag", name: "name" }, DashboardCreate.schema.fields.name)

const flags = {
  file: Flag.optional(dashboardFile),
  name: Flag.String("name").pipe(
    Flag.withMetavar("name"),
    Flag.withDescription("Create an empty dashboard with this name; with --from-pipe the name in place of the pipe's"),
    Flag.mapEffect(validateName),
    Flag.optional
  ),
  fromPipe: Flag.String("from-pipe").pipe(
    Flag.withMetavar("pipe"),
    Flag.withDescription("Create a source and a dashboard of the rows of this pipe, by its id or name"),
    Flag.optional
  ),
  table: tableFlag
}

const usage = "Give one of --file <dashboard.json>, --name <name> and --from-pipe <pipe>."

const requestOf = ({ file, name }: { readonly file: Option.Option<string>; readonly name: Option.Option<string> }) => {
  if (Option.isSome(file) && Option.isNone(name)) return readDashboard(file.value)
  if (Option.isSome(name) && Option.isNone(file)) return Effect.succeed<DashboardCreate>({ name: name.value })
  return Effect.fail(new UsageError({ message: usage }))
}

/**
 * `headgate dashboard create (--file f.json | --file - | --name N | --from-pipe P)`. `makeFromPipe` creates and prints the dashboard of a
 * pipe: it needs a key, which the others do not.
 */
export const create = <E, R>(makeFromPipe: (given: FromPipe, isDryRun: boolean) => Effect.Effect<void, E, R>) =>
  Command.make(
    "create",
    flags,
    Effect.fnUntraced(function* ({ fromPipe, table, ...input }) {
      if (Option.isSome(fromPipe) && Option.isNone(input.file)) {
        return yield* makeFromPipe({ pipe: fromPipe.value, table, name: input.name }, yield* dryRun)
      }
      if (Option.isSome(fromPipe)) return yield* new UsageError({ message: usage })
      if (Option.isSome(table)) return yield* new UsageError({ message: "--table needs --from-pipe." })
      const dashboards = yield* Dashboards
      const dashboard = yield* dashboards.create(yield* requestOf(input))
      yield* printDashboard(dashboard, `Dashboard ${dashboard.id} was created`)
    })
  ).pipe(
    Command.withDescription("Create a dashboard from a document, from the rows of a pipe, or an empty one"),
    Command.withExamples([
      { command: "headgate dashboard create --file errors.json", description: "From a document in version control" },
      { command: "headgate dashboard create --from-pipe clicks", description: "Of what a pipe has moved" },
      { command: 'headgate dashboard create --name "Errors"', description: "An empty dashboard" }
    ])
  )
