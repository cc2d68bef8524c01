import type * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import type { HelpDoc } from "effect/cli/HelpDoc"
import * as Console from "effect/Console"
import * as Option from "effect/Option"
import * as ErrorReport from "../error/ErrorReport.ts"
import type { Style } from "../output/Style.ts"
import { helpText, usageLine } from "./helpText.ts"

// What follows a flag that is not known may be its value, and that may be a secret: only the flag is named.
const worthNaming = (errors: ReadonlyArray<CliError.NonShowHelpErrors>) => {
  const unrecognized = errors.filter(({ _tag }) => _tag === "UnrecognizedOption")
  return unrecognized.length > 0 ? unrecognized : errors
}

const explained = (error: CliError.NonShowHelpErrors, doc: HelpDoc): string => {
  const name = error._tag === "MissingOption" ? error.option : error._tag === "MissingArgument" ? error.argument : ""
  const missing = [...doc.flags, ...(doc.args ?? [])].find((param) => param.name === name)
  const description = Option.getOrUndefined(missing?.description ?? Option.none())
  return description === undefined ? error.message : `${error.message}: ${description}`
}

/**
 * Where effect/cli's own words go: help and version, when asked for, to stdout; what is wrong with a command line to
 * stderr, with how it is typed, and as JSON when the command line asks for that.
 */
export const presenter = (options: {
  readonly json: boolean
  readonly stdout: Style
  readonly stderr: Style
}): CliOutput.Presenter => ({
  present: (event) => {
    if (event._tag === "Help") return Console.log(helpText(event.helpDoc, options.stdout))
    if (event._tag === "Version") return Console.log(`${event.name} ${event.version}`)
    const message = worthNaming(event.errors)
      .map((error) => explained(error, event.helpDoc))
      .join("\n")
    const failure = { _tag: "UsageError", message }
    const hint = `${usageLine(event.helpDoc)}\nRun '${event.commandPath.join(" ")} --help' for more.`
    return Console.error(
      options.json
        ? ErrorReport.toJson(failure)
        : `${ErrorReport.toText(failure, undefined, options.stderr)}\n\n${options.stderr.strong("usage:")} ${hint}`
    )
  }
})
