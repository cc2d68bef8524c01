import { nearestField } from "@headgate/core/adapter"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Terminal from "effect/Terminal"
import * as CliError from "effect/cli/CliError"
import type * as CliOutput from "effect/cli/CliOutput"
import type { HelpDoc } from "effect/cli/HelpDoc"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"

// After an unknown command its flags are unknown too: only the command is reported. After an unknown flag come errors
// about its value, which may be a secret: only the flags are reported.
const reportable = (errors: ReadonlyArray<CliError.NonShowHelpErrors>) => {
  const [first] = errors.filter(({ _tag }) => _tag === "UnknownSubcommand" || _tag === "UnrecognizedOption")
  if (first === undefined) return errors
  return first._tag === "UnknownSubcommand" ? [first] : errors.filter(({ _tag }) => _tag === "UnrecognizedOption")
}

// effect/cli suggests only flags of the command itself.
const withSuggestion = (error: CliError.NonShowHelpErrors, { globalFlags = [] }: HelpDoc) => {
  if (error._tag !== "UnrecognizedOption" || error.suggestions.length > 0) return error
  const names = globalFlags.map(({ name }) => name)
  const near = nearestField(error.option.replace(/^-+/, ""), names)
  const { command, option } = error
  return near === undefined ? error : new CliError.UnrecognizedOption({ option, command, suggestions: [`--${near}`] })
}

/** Prints help and version to stdout, and what `wrong` says of a wrong command line to stderr. */
export const presenter = (options: {
  readonly help: (doc: HelpDoc) => string
  readonly wrong: (errors: ReadonlyArray<CliError.NonShowHelpErrors>, command: string, doc: HelpDoc) => string
}): CliOutput.Presenter => ({
  present: (event) => {
    if (event._tag === "Help") return Console.log(options.help(event.helpDoc))
    if (event._tag === "Version") return Console.log(`${event.name} ${event.version}`)
    return Console.error(
      options.wrong(
        reportable(event.errors).map((error) => withSuggestion(error, event.helpDoc)),
        event.commandPath.join(" "),
        event.helpDoc
      )
    )
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
