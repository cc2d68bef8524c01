import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { advice } from "./error/advice.ts"
import type { CommandError } from "./error/CommandError.ts"
import * as ErrorReport from "./error/ErrorReport.ts"
import { type ExitCode, exitCodes } from "./exitCodes.ts"
import { presenter } from "./help/presenter.ts"
import type { Style } from "./output/Style.ts"

/** Whether errors are wanted as JSON: told from the words themselves, since it matters when they do not parse. */
const wantsJson = (args: ReadonlyArray<string>): boolean => {
  const end = args.indexOf("--")
  const words = end === -1 ? args : args.slice(0, end)
  return words.some(
    (word, index) =>
      word === "--json" || word === "--output=json" || (word === "--output" && words[index + 1] === "json")
  )
}

/**
 * Runs a command line to its exit code. By then data, and help that was asked for, are on stdout and everything else
 * on stderr: an error in words, or as one JSON object when the command line says `--json`.
 */
export const run = <Name extends string, Input, ContextInput, R>(
  command: Command.Command<Name, Input, ContextInput, CommandError, R>,
  options: {
    readonly args: ReadonlyArray<string>
    readonly version: string
    readonly stdout: Style
    readonly stderr: Style
  }
): Effect.Effect<ExitCode, never, R | Command.Environment> => {
  const json = wantsJson(options.args)
  const fail = (failure: ErrorReport.Failure, exitCode: ExitCode, hint?: string): Effect.Effect<ExitCode> =>
    Effect.as(
      Console.error(json ? ErrorReport.toJson(failure) : ErrorReport.toText(failure, hint, options.stderr)),
      exitCode
    )
  return Command.runWith(command, { version: options.version })(options.args).pipe(
    Effect.as<ExitCode>(exitCodes.ok),
    // The presenter has said it, on stdout or stderr.
    Effect.catchTag("ShowHelp", ({ errors }) => Effect.succeed(errors.length === 0 ? exitCodes.ok : exitCodes.usage)),
    Effect.catch((error) =>
      CliError.isCliError(error)
        ? fail(error, exitCodes.usage)
        : fail(error, advice[error._tag].exitCode, advice[error._tag].hint)
    ),
    Effect.catchDefect((defect) =>
      fail({ _tag: "Defect", message: String(defect) }, exitCodes.error, "This is a bug of headgate: please report it.")
    ),
    Effect.provideService(CliOutput.Presenter, presenter({ ...options, json }))
  )
}
