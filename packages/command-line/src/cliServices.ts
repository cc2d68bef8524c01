import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Terminal from "effect/Terminal"
import type * as CliError from "effect/cli/CliError"
import type * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import type * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import type { HelpDoc } from "effect/cli/HelpDoc"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"

// After an unknown command its flags are unknown too: only the command is reported. After an unknown flag come errors
// about its value, which may be a secret: only the flags are reported.
const reportable = (errors: ReadonlyArray<CliError.NonShowHelpErrors>) => {
  const [first] = errors.filter(({ _tag }) => _tag === "UnknownSubcommand" || _tag === "UnrecognizedOption")
  if (first === undefined) return errors
  return first._tag === "UnknownSubcommand" ? [first] : errors.filter(({ _tag }) => _tag === "UnrecognizedOption")
}

/** Prints help and version to stdout, and what `wrong` says of a wrong command line to stderr. */
export const presenter = (options: {
  readonly help: (doc: HelpDoc) => string
  readonly wrong: (errors: ReadonlyArray<CliError.NonShowHelpErrors>, command: string, doc: HelpDoc) => string
}): CliOutput.Presenter => ({
  present: (event) => {
    if (event._tag === "Help") return Console.log(options.help(event.helpDoc))
    if (event._tag === "Version") return Console.log(`${event.name} ${event.version}`)
    return Console.error(options.wrong(reportable(event.errors), event.commandPath.join(" "), event.helpDoc))
  }
})

const unused = Effect.die("unreachable: the command line does not use this service")

/**
 * Services that effect/cli requires for prompts, which neither program uses. The Node implementations are slow to load:
 * a command that needs one provides it.
 */
export const nonInteractive = Layer.mergeAll(
  Layer.succeed(
    ChildProcessSpawner.ChildProcessSpawner,
    ChildProcessSpawner.make(() => unused)
  ),
  Layer.succeed(
    Terminal.Terminal,
    Terminal.make({
      columns: unused,
      rows: unused,
      size: unused,
      readInput: unused,
      readLine: unused,
      display: () => unused
    })
  )
)

interface GivenFlag {
  readonly flag: Flag.Flag<unknown>
}

/** What effect/cli's own completions leave out. */
export interface CompletionOptions {
  readonly globalFlags: ReadonlyArray<GivenFlag>
  /** The flags and arguments that are a path, by name: `Flag.File` would make an absolute path of it. */
  readonly paths: Readonly<Record<string, "file" | "directory">>
}

const describe = (flags: ReadonlyArray<GivenFlag>) =>
  Completions.fromCommand(Command.make("global", Object.fromEntries(flags.map(({ flag }, index) => [index, flag]))))
    .flags

const complete = (
  command: Completions.CommandDescriptor,
  globalFlags: ReadonlyArray<Completions.FlagDescriptor>,
  paths: CompletionOptions["paths"]
): Completions.CommandDescriptor => {
  const withPath = <A extends { readonly name: string; readonly type: Completions.FlagType }>(parameter: A) => {
    const pathType = paths[parameter.name]
    return pathType === undefined ? parameter : { ...parameter, type: { _tag: "Path" as const, pathType } }
  }
  return {
    ...command,
    flags: [...command.flags, ...globalFlags].map(withPath),
    arguments: command.arguments.map(withPath),
    subcommands: command.subcommands.map((subcommand) => complete(subcommand, globalFlags, paths))
  }
}

/** `--completions`, as in effect/cli, with global flags and paths. */
export const completions = ({ globalFlags, paths }: CompletionOptions) =>
  GlobalFlag.Action({
    flag: GlobalFlag.Completions.flag,
    run: (shell, { builtIns, command }) =>
      Option.match(shell, {
        onNone: () => Effect.void,
        onSome: (shell) => {
          const flags = describe([...globalFlags, ...builtIns])
          const descriptor = complete(Completions.fromCommand(command), flags, paths)
          return Console.log(Completions.generate(command.name, shell, descriptor))
        }
      })
  })
