import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as References from "effect/References"
import * as CliConfig from "effect/cli/CliConfig"
import type * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as GlobalFlag from "effect/cli/GlobalFlag"

/** After a flag that is not known, the next word counts as a command, but may be the secret that belonged to it. */
const worthNaming = (errors: ReadonlyArray<CliError.CliError>): ReadonlyArray<CliError.CliError> => {
  const unknownFlags = errors.filter(({ _tag }) => _tag === "UnrecognizedOption")
  return unknownFlags.length > 0 ? unknownFlags : errors
}

/** Help goes to stdout when it was asked for; what is wrong with a command line goes to stderr, with a hint. */
const presenter = CliOutput.layerPresenter({
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Console.error(
          [
            ...worthNaming(event.errors).map((error) => `headgate-server: ${error.message}`),
            "Run `headgate-server --help` for its flags."
          ].join("\n")
        )
      : CliOutput.defaultPresenter.present(event)
})

// All but the wizard, which asks for what flags say better.
const builtIns = [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions, GlobalFlag.LogLevel]

/** How the command line speaks to its user: what is logged goes to stderr, stdout is for what was asked for. */
export const layer = Layer.mergeAll(
  presenter,
  CliConfig.layer({ builtIns }),
  Layer.succeed(References.LogToStderr, true)
)

/**
 * The exit code of an end: being told to stop (SIGINT, SIGTERM) is a good one, 0; a command line that is wrong ends
 * with 2, as is the custom; anything else that fails with 1.
 */
export const exitCode = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return 0
  const error = Cause.squash(exit.cause)
  return Predicate.isTagged(error, "ShowHelp") || Predicate.isTagged(error, "UsageError") ? 2 : 1
}

/** Prints a defect: what it is on a line, all of it where debug output is asked for. */
export const reportDefect = (defect: unknown) =>
  Effect.andThen(
    Console.error(`headgate-server: this is a bug, or the store is damaged: ${String(defect).split("\n", 1)[0]}`),
    Effect.logDebug("all of it", defect)
  )

/** Prints what stopped the server, in one line. A wrong command line was reported already. */
export const report = (error: { readonly _tag: string; readonly message: string }) =>
  error._tag === "ShowHelp" ? Effect.void : Console.error(`headgate-server: ${error.message}`)
