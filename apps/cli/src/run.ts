import { helpText, presenter, type Style, usageLine, Width, writingLogs } from "@headgate/command-line"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import type { HelpDoc } from "effect/cli/HelpDoc"
import { advice, type CommandError, type ExitCode, exitCodes } from "./error/CommandError.ts"
import * as ErrorReport from "./error/ErrorReport.ts"
import { settings } from "./settings/settings.ts"

interface Styles {
  readonly stdout: Style
  readonly stderr: Style
}

/** A command line, and how text is written to the streams. */
export interface RunOptions extends Styles {
  readonly args: ReadonlyArray<string>
  readonly version: string
}

// A missing flag or argument is reported with its description.
const described = (error: CliError.NonShowHelpErrors, doc: HelpDoc): string => {
  const name = error._tag === "MissingOption" ? error.option : error._tag === "MissingArgument" ? error.argument : ""
  const missing = [...doc.flags, ...(doc.args ?? [])].find((param) => param.name === name)
  const description = Option.getOrUndefined(missing?.description ?? Option.none())
  return description === undefined ? error.message : `${error.message}: ${description}`
}

const variables = Object.fromEntries(settings.map(({ name, variable }) => [name, variable]))

const layerPresenter = ({ json, stderr, stdout }: Styles & { readonly json: boolean }) =>
  CliOutput.layerPresenter(
    presenter({
      help: (doc) => helpText(doc, stdout, variables),
      wrong: (errors, command, doc) => {
        const failure = { _tag: "UsageError", message: errors.map((error) => described(error, doc)).join("\n") }
        const hint = `${usageLine(doc)}\nRun '${command} --help' for more.`
        return json
          ? ErrorReport.toJson(failure)
          : `${ErrorReport.toText(failure, undefined, stderr)}\n\n${stderr.strong("usage:")} ${hint}`
      }
    })
  )

/** Whether errors are printed as JSON. Read from the raw arguments, because it matters when they do not parse. */
const wantsJson = (args: ReadonlyArray<string>): boolean => {
  const end = args.indexOf("--")
  const words = end === -1 ? args : args.slice(0, end)
  return words.some(
    (word, index) =>
      word === "--json" || word === "--output=json" || (word === "--output" && words[index + 1] === "json")
  )
}

/**
 * Runs a command line and succeeds with its exit code. Data, and help that was requested, are printed to stdout,
 * everything else to stderr: an error as text, or as one JSON object with `--json`.
 */
export const run = <Name extends string, Input, ContextInput, R>(
  command: Command.Command<Name, Input, ContextInput, CommandError, R>,
  options: RunOptions
): Effect.Effect<ExitCode, never, R | Command.Environment> => {
  const json = wantsJson(options.args)
  const fail = (failure: ErrorReport.Failure, exitCode: ExitCode, hint?: string): Effect.Effect<ExitCode> =>
    Effect.as(
      Console.error(json ? ErrorReport.toJson(failure) : ErrorReport.toText(failure, hint, options.stderr)),
      exitCode
    )
  return writingLogs(Command.runWith(command, { version: options.version })(options.args)).pipe(
    Effect.as<ExitCode>(exitCodes.ok),
    // The presenter has printed it.
    Effect.catchTag("ShowHelp", ({ errors }) => Effect.succeed(errors.length === 0 ? exitCodes.ok : exitCodes.usage)),
    Effect.catch((error) =>
      CliError.isCliError(error)
        ? fail(error, exitCodes.usage)
        : fail(error, advice[error._tag].exitCode, advice[error._tag].hint?.(error))
    ),
    Effect.catchDefect((defect) =>
      fail({ _tag: "Defect", message: String(defect) }, exitCodes.error, "This is a bug of headgate: please report it.")
    ),
    Effect.provideService(Width, options.stdout.width),
    Effect.provide(layerPresenter({ ...options, json }))
  )
}
