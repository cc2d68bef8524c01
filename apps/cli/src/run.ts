import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import type { HelpDoc } from "effect/cli/HelpDoc"
import { advice, type CommandError, type ExitCode, exitCodes } from "./error/CommandError.ts"
import * as ErrorReport from "./error/ErrorReport.ts"
import { helpText, usageLine } from "./help/helpText.ts"
import * as Output from "./output/Output.ts"

// After an unknown command its flags are unknown too: only the command is reported. After an unknown flag come errors
// about its value, which may be a secret: only the flags are reported.
const reportable = (errors: ReadonlyArray<CliError.NonShowHelpErrors>) => {
  const [first] = errors.filter(({ _tag }) => _tag === "UnknownSubcommand" || _tag === "UnrecognizedOption")
  if (first === undefined) return errors
  return first._tag === "UnknownSubcommand" ? [first] : errors.filter(({ _tag }) => _tag === "UnrecognizedOption")
}

// A missing flag or argument is reported with its description.
const described = (error: CliError.NonShowHelpErrors, doc: HelpDoc): string => {
  const name = error._tag === "MissingOption" ? error.option : error._tag === "MissingArgument" ? error.argument : ""
  const missing = [...doc.flags, ...(doc.args ?? [])].find((param) => param.name === name)
  const description = Option.getOrUndefined(missing?.description ?? Option.none())
  return description === undefined ? error.message : `${error.message}: ${description}`
}

// Prints help and version to stdout, and errors of the command line with its usage to stderr.
const presenter = (options: {
  readonly json: boolean
  readonly stdout: Output.Style
  readonly stderr: Output.Style
}): CliOutput.Presenter => ({
  present: (event) => {
    if (event._tag === "Help") return Console.log(helpText(event.helpDoc, options.stdout))
    if (event._tag === "Version") return Console.log(`${event.name} ${event.version}`)
    const message = reportable(event.errors)
      .map((error) => described(error, event.helpDoc))
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

/** Whether errors are printed as JSON. Read from the raw arguments, because it matters when they do not parse. */
const wantsJson = (args: ReadonlyArray<string>): boolean => {
  const end = args.indexOf("--")
  const words = end === -1 ? args : args.slice(0, end)
  return words.some(
    (word, index) =>
      word === "--json" || word === "--output=json" || (word === "--output" && words[index + 1] === "json")
  )
}

/** Runs what prints help, the version or completions with `Console.log`, which does not see a failed write, and writes it. */
const writingLogs = Effect.fnUntraced(function* <A, E, R>(program: Effect.Effect<A, E, R>) {
  const lines: Array<string> = []
  const console = { ...(yield* Console.Console), log: (line: string) => void lines.push(line) }
  const exit = yield* Effect.exit(Effect.provideService(program, Console.Console, console))
  if (lines.length > 0) yield* Output.write(lines.join("\n"))
  return yield* exit
})

/**
 * Runs a command line and succeeds with its exit code. Data, and help that was requested, are printed to stdout,
 * everything else to stderr: an error as text, or as one JSON object with `--json`.
 */
export const run = <Name extends string, Input, ContextInput, R>(
  command: Command.Command<Name, Input, ContextInput, CommandError, R>,
  options: {
    readonly args: ReadonlyArray<string>
    readonly version: string
    readonly stdout: Output.Style
    readonly stderr: Output.Style
  }
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
    Effect.provideService(Output.Width, options.stdout.width),
    Effect.provideService(CliOutput.Presenter, presenter({ ...options, json }))
  )
}
