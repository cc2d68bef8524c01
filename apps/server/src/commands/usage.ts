import {
  completions,
  helpPageOf,
  type HelpSection,
  presenter,
  renderHelp,
  type Style,
  Width
} from "@headgate/command-line"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Predicate from "effect/Predicate"
import * as References from "effect/References"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { onceAMinute } from "../observability/repeatedLines.ts"

// effect/cli's own flags for files and directories look for the file while the flags are parsed.
const values = {
  "--data": "directory",
  "--import": "file",
  "--credentials-file": "file",
  "<file.json>": "file",
  "--new-key-file": "file",
  "--sealing-key-file": "file",
  "--warehouses": "file",
  "--tls-cert": "file",
  "--tls-key": "file",
  "--upstream-credentials": "file"
} as const

const layerPresenter = (stdout: Style) =>
  CliOutput.layerPresenter(
    presenter({
      help: (doc) => renderHelp(helpPageOf(doc), stdout),
      wrong: (errors, command) =>
        [
          ...errors.map((error) => `headgate-server: ${error.message}`),
          `Run \`${command} --help\` for its flags.`
        ].join("\n")
    })
  )

// All but the wizard.
const builtIns = [GlobalFlag.Help, GlobalFlag.Version, completions({ globalFlags: [], values }), GlobalFlag.LogLevel]

/** The output of the command line: logs go to stderr, results to stdout. */
export const layer = (stdout: Style) =>
  Layer.mergeAll(
    layerPresenter(stdout),
    Layer.succeed(Width, stdout.width),
    CliConfig.layer({ builtIns }),
    Logger.layer([onceAMinute(Logger.defaultLogger), Logger.tracerLogger]),
    Layer.succeed(References.LogToStderr, true)
  )

/** What {@link exitCode} says, for the help. */
export const exits: HelpSection = {
  title: "EXIT CODES",
  rows: () => [
    ["0", "Done, or stopped by SIGINT or SIGTERM"],
    ["1", "Failed"],
    ["2", "The command line or the environment is wrong"]
  ]
}

/** 0 for success, for help and for a stop by SIGINT or SIGTERM, 2 for a wrong command line, 1 for any other failure. */
export const exitCode = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return 0
  const error = Cause.squash(exit.cause)
  if (CliError.isCliError(error)) return error._tag === "ShowHelp" && error.errors.length === 0 ? 0 : 2
  return Predicate.isTagged(error, "UsageError") ? 2 : 1
}

/** Prints the first line of a defect, and all of it with `--log-level debug`. */
export const reportDefect = (defect: unknown) =>
  Effect.andThen(
    Console.error(`headgate-server: this is a bug, or the store is damaged: ${String(defect).split("\n", 1)[0]}`),
    Effect.logDebug("the whole defect", defect)
  )

/** Prints an error in one line. `ShowHelp` was printed already. */
export const report = (error: { readonly _tag: string; readonly message: string }) =>
  error._tag === "ShowHelp" ? Effect.void : Console.error(`headgate-server: ${error.message}`)
