import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { completeValues } from "./completion/completionRun.ts"
import { globalFlags, headgate } from "./headgate.ts"

/** What a file of commands has: a command, and for a noun the command that prints what can be completed. */
interface Loaded<Name extends string, Input, ContextInput, E, R, Values> {
  readonly command: Command.Command<Name, Input, ContextInput, E, R>
  readonly values?: Values
}

const listed = <const Name extends string, Input, ContextInput, E, R, Values = never>(
  name: Name,
  description: string,
  load: () => Promise<Loaded<Name, Input, ContextInput, E, R, Values>>
) => ({
  name,
  description,
  load: () => load().then(({ command, values }) => ({ command: Command.withDescription(command, description), values }))
})

/** The commands in the order of the help, each with the file that has it and what it needs. The build makes a bundle of each. */
const commands = [
  listed(
    "login",
    "Check credentials against the service and save them in a profile",
    () => import("./profile/login.ts")
  ),
  listed(
    "logout",
    "Delete the current profile, or that of --profile, with its credentials",
    () => import("./profile/logout.ts")
  ),
  listed(
    "whoami",
    "Show who the API key is: its organization, its name and its roles",
    () => import("./profile/whoami.ts")
  ),
  listed(
    "console",
    "Print the address of the server's console, with a code that signs in once; --open opens it",
    () => import("./profile/console.ts")
  ),
  listed(
    "profile",
    "List, choose and delete profiles: saved URLs and credentials",
    () => import("./profile/profileCommands.ts")
  ),
  listed(
    "api",
    "Send any request and print the body of its response as it came; redirects are not followed",
    () => import("./api/api.ts")
  ),
  listed("organization", "List and read organizations", () => import("./organization/organizationCommands.ts")),
  listed("service", "List, read, start, stop and wake services", () => import("./service/serviceCommands.ts")),
  listed(
    "pipe",
    "List, read, create, change, start, stop, await, tune and delete ingestion pipes",
    () => import("./pipe/pipeCommands.ts")
  ),
  listed(
    "private-endpoint",
    "List, read, create, change and delete reverse private endpoints",
    () => import("./service/privateEndpointCommands.ts")
  ),
  listed(
    "key",
    "List, read, create, change and delete API keys of the organization",
    () => import("./key/keyCommands.ts")
  ),
  listed(
    "role",
    "List, read, create, change and delete roles of the organization",
    () => import("./role/roleCommands.ts")
  ),
  listed("connection", "List, read, create, replace and delete connections of dashboards", () =>
    import("./dashboard/documentCommands.ts").then(({ connection }) => connection)
  ),
  listed("source", "List, read, create, replace and delete data sources of dashboards", () =>
    import("./dashboard/documentCommands.ts").then(({ source }) => source)
  ),
  listed("saved-search", "List, read, create, replace and delete saved searches", () =>
    import("./dashboard/documentCommands.ts").then(({ savedSearch }) => savedSearch)
  ),
  listed("webhook", "List, read, create, replace and delete webhooks", () =>
    import("./dashboard/documentCommands.ts").then(({ webhook }) => webhook)
  ),
  listed("alert", "List, read, create, replace and delete alerts", () =>
    import("./dashboard/documentCommands.ts").then(({ alert }) => alert)
  ),
  listed(
    "dashboard",
    "List, read, preview, show, create, copy, change and delete dashboards",
    () => import("./dashboard/dashboardCommands.ts")
  ),
  listed("diff", "Show what apply would change: exit code 3 if there are differences", () =>
    import("./files/filesCommands.ts").then(({ diff }) => diff)
  ),
  listed(
    "apply",
    "Make the service as the files of a directory say; shows the plan and asks first; with --dry-run it is diff",
    () => import("./files/filesCommands.ts").then(({ apply }) => apply)
  ),
  listed(
    "export",
    "Write dashboards, pipes and keys to files, without ids and secrets; comments in them stay, and so do files that were changed",
    () => import("./files/filesCommands.ts").then(({ exportFiles }) => exportFiles)
  ),
  listed("schema", "Print the JSON Schema of a file, with which an editor completes and checks it", () =>
    import("./files/filesCommands.ts").then(({ schema }) => schema)
  ),
  listed(
    "completion",
    "Print a script with which a shell completes commands, flags and names",
    () => import("./completion/completionCommand.ts")
  )
] as const

/**
 * The root command with all subcommands. Only those of which `isNeeded` says so are loaded: the others have their name and
 * their description.
 */
export const loadCommand = Effect.fnUntraced(function* (isNeeded: (name: string) => boolean) {
  const needed = commands.filter(({ name }) => isNeeded(name))
  const loaded = yield* Effect.promise(() => Promise.all(needed.map(({ load }) => load())))
  const byName = new Map(loaded.map(({ command }) => [command.name, command]))
  return headgate.pipe(
    Command.withSubcommands([
      ...commands.map(
        ({ description, name }) => byName.get(name) ?? Command.make(name).pipe(Command.withDescription(description))
      ),
      Command.make(completeValues).pipe(
        Command.unlisted,
        Command.withSubcommands(loaded.flatMap(({ values }) => values ?? []))
      )
    ]),
    Command.withGlobalFlags(globalFlags)
  )
})

/** {@link loadCommand} for a command line. A word may be the value of a flag: more may be loaded than is run. */
export const commandOf = (args: ReadonlyArray<string>) =>
  loadCommand((name) => args.includes(name) || args.some((word) => word.startsWith("--completions")))
