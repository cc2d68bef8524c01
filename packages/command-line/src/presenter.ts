import * as Console from "effect/Console"
import type * as CliError from "effect/cli/CliError"
import type * as CliOutput from "effect/cli/CliOutput"
import type { HelpDoc } from "effect/cli/HelpDoc"

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
