import { readFailure } from "@headgate/command-line"
import { Dashboard, DashboardCreate, Dashboards } from "@headgate/core"
import { decodeRequest } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { DocumentError, UsageError } from "../error/CommandError.ts"
import * as Output from "../output/Output.ts"
import { detailText, masked } from "../output/detailText.ts"
import { token } from "../settings/settings.ts"
import * as Stdin from "../settings/stdin.ts"
import { validate } from "../usage/validate.ts"
import { misspellings } from "./misspellings.ts"

const readText = Effect.fnUntraced(function* (file: string) {
  if (file !== "-") {
    const files = yield* FileSystem.FileSystem
    return yield* Effect.mapError(
      files.readFileString(file),
      (error) => new UsageError({ message: `--file ${file}: ${readFailure(error)}.` })
    )
  }
  if (Option.exists(yield* token.read, Stdin.isFromStdin)) {
    return yield* new UsageError({
      message: "--file - and --token - both read stdin: set the token in HEADGATE_TOKEN."
    })
  }
  return yield* Stdin.readAll("--file")
})

const decode = decodeRequest(DashboardCreate)

/** Decodes the request for a new dashboard. `problem` begins the message of the error, which names the bad fields. */
export const decodeDashboard = (document: unknown, problem: string) =>
  Effect.mapError(
    decode(document),
    ({ issues, message }) => new DocumentError({ message: `${problem}: ${message}`, issues })
  )

// Reads the dashboard from a file, or from stdin for `-`.
const readDashboard = Effect.fnUntraced(function* (file: string) {
  const text = yield* readText(file)
  const document = yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (cause) => new DocumentError({ message: `--file ${file}: this is not JSON: ${String(cause)}`, issues: [] })
  })
  const request = yield* decodeDashboard(document, `--file ${file}: this is not a dashboard`)
  for (const misspelling of misspellings(request)) {
    yield* Output.note(`warning: --file ${file}: unknown field ${misspelling} It is sent as it is.`)
  }
  return request
})

// One line per tile.
const dashboardText = ({ id, name, tags, tiles, ...more }: Dashboard): string => {
  const lines = tiles?.map(({ config, series, ...tile }) => ({
    ...tile,
    ...(Predicate.hasProperty(config, "displayType") ? { config: config.displayType } : { series: series?.length ?? 0 })
  }))
  return detailText(masked({ name, id, tags, ...more, tiles: lines }))
}

/** Prints a dashboard that was created. */
export const printCreated = (dashboard: Dashboard) =>
  Output.print(
    { text: () => dashboardText(dashboard), json: Effect.orDie(Schema.encodeEffect(Dashboard)(dashboard)) },
    `Dashboard ${dashboard.id} was created`
  )

/** Decodes the value of `--name`. */
export const validateName = validate({ kind: "flag", name: "name" }, DashboardCreate.schema.fields.name)

const flags = {
  file: Flag.String("file").pipe(
    Flag.withAlias("f"),
    Flag.withMetavar("dashboard.json"),
    Flag.withDescription("JSON document with name, tiles and tags; - reads stdin"),
    Flag.optional
  ),
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
    yield* printCreated(yield* dashboards.create(yield* requestOf(input)))
  })
).pipe(
  Command.withDescription("Create a dashboard from a JSON document, or an empty one"),
  Command.withExamples([
    { command: "headgate dashboard create --file errors.json", description: "From a document in version control" },
    { command: 'headgate dashboard create --name "Errors"', description: "An empty dashboard" }
  ])
)
