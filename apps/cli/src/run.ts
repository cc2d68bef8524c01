import {
  helpPageOf,
  type HelpPage,
  plainStyle,
  presenter,
  type Style,
  usageLine,
  Width,
  write,
  writingLogs
} from "@headgate/command-line"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import type { HelpDoc } from "effect/cli/HelpDoc"
import {
  type CommandError,
  type DifferencesFound,
  type ExitCode,
  exitCodeOf,
  exitCodes,
  hintOf
} from "./error/CommandError.ts"
import * as ErrorReport from "./error/ErrorReport.ts"
import { completeValues, withinLimit, withTypedWords } from "./completion/completionRun.ts"
import { Plain, type StreamStyles, Styles } from "./output/Output.ts"
import { DryRun } from "./request/dryRun.ts"
import { ForbiddenRoles } from "./request/ForbiddenRoles.ts"
import { type ChangeRequest, UnansweredChange } from "./request/UnansweredChange.ts"
import { settings } from "./settings/settings.ts"
import { Version } from "./settings/Version.ts"
import { joinValues } from "./usage/joinValues.ts"

/** A command line, and how text is written to the streams. */
export interface RunOptions extends StreamStyles {
  readonly args: ReadonlyArray<string>
  readonly version: string
  /** The text of a help page. */
  readonly help: (page: HelpPage, style: Style) => string
}

const flagsOf = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const end = args.indexOf("--")
  return end === -1 ? args : args.slice(0, end)
}

// effect/cli reads `-dash` as `-d -a -s -h`, and answers an `-h` or `-v` whatever else is wrong. In one word with other letters
// they are a mistake, or a value such as `-v1`: the word is passed on as a flag that no command has.
const bundle = "--bundle:"

const withMistakenBundles = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const end = flagsOf(args).length
  return args.map((word, index) => {
    if (index >= end || word.length === 2 || !/^-[^-=]*[hv]/.test(word)) return word
    // Of a longer one only the beginning: it may be a secret.
    return `${bundle}${/^-[a-z]{2,8}$/i.test(word) ? word : `${word.slice(0, 2)}...`}`
  })
}

// A missing flag or argument is reported with its description.
const described = (error: CliError.NonShowHelpErrors, doc: HelpDoc): string => {
  if (error._tag === "UnrecognizedOption" && error.option.startsWith(bundle)) {
    const word = error.option.slice(bundle.length)
    return `Unrecognized flag: ${word}. -h and -v stand alone; a value that begins with a dash is given as --flag=value`
  }
  const name = error._tag === "MissingOption" ? error.option : error._tag === "MissingArgument" ? error.argument : ""
  const missing = [...doc.flags, ...(doc.args ?? [])].find((param) => param.name === name)
  const description = Option.getOrUndefined(missing?.description ?? Option.none())
  return description === undefined ? error.message : `${error.message}: ${description}`
}

const variables = Object.fromEntries(settings.map(({ name, variable }) => [name, variable]))

const layerPresenter = ({
  help,
  json,
  stderr,
  stdout
}: Omit<RunOptions, "args" | "version"> & { readonly json: boolean }) =>
  CliOutput.layerPresenter(
    presenter({
      help: (doc) => help(helpPageOf(doc, variables), stdout),
      wrong: (errors, command, doc) => {
        const failure = { _tag: "UsageError", message: errors.map((error) => described(error, doc)).join("\n") }
        const hint = `${usageLine(doc)}\nRun '${command} --help' for more.`
        return json
          ? ErrorReport.toJson(failure)
          : `${ErrorReport.toText(failure, undefined, stderr)}\n\n${stderr.strong("usage:")} ${hint}`
      }
    })
  )

// `--log-level` overrides it where the command runs.
const isVerbose = (args: ReadonlyArray<string>): boolean => flagsOf(args).includes("--verbose")

const isPlain = (args: ReadonlyArray<string>): boolean => flagsOf(args).includes("--plain")

/** Whether errors are printed as JSON. Read from the raw arguments, because it matters when they do not parse. */
const wantsJson = (args: ReadonlyArray<string>): boolean =>
  flagsOf(args).some(
    (word, index, words) =>
      word === "--json" || word === "--output=json" || (word === "--output" && words[index + 1] === "json")
  )

/**
 * The command line that `help <command>` stands for: `<command> --help`. After a group of commands, an unknown word is left
 * alone, so that it is reported like any other. After a command, further words are left out: they must not run it.
 */
const withHelpFlag = (
  command: Completions.CommandDescriptor,
  [, ...words]: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const named = words.filter((word) => !word.startsWith("-"))
  const flags = words.filter((word) => word.startsWith("-"))
  const known: Array<string> = []
  let at = command
  for (const word of named) {
    const next = at.subcommands.find(({ name }) => name === word)
    if (next === undefined) return at.subcommands.length === 0 ? [...known, "--help"] : [...known, word]
    known.push(word)
    at = next
  }
  return [...known, ...flags, "--help"]
}

const hintFor = (error: CommandError, roles: ReadonlyArray<string> | undefined) => {
  const hint = hintOf(error).text?.(error, roles)
  return Effect.isEffect(hint) ? hint : Effect.succeed(hint)
}

const noteChange = Effect.fnUntraced(function* (change: ChangeRequest) {
  const { mayHaveHappened } = yield* Effect.promise(() => import("./request/knownOperations.ts"))
  yield* Console.error(mayHaveHappened(change))
})

/**
 * Runs a command line and succeeds with its exit code. Data, and help that was requested, are printed to stdout,
 * everything else to stderr: an error as text, or as one JSON object with `--json`.
 */
export const run = <Name extends string, Input, ContextInput, R>(
  load: Effect.Effect<Command.Command<Name, Input, ContextInput, CommandError | DifferencesFound, R>>,
  options: RunOptions
): Effect.Effect<ExitCode, never, R | Command.Environment> => {
  const json = wantsJson(options.args)
  const { stderr, stdout } = isPlain(options.args) ? { stdout: plainStyle, stderr: plainStyle } : options
  const roles = MutableRef.make<ReadonlyArray<string> | undefined>(undefined)
  const unanswered = MutableRef.make<ChangeRequest | undefined>(undefined)
  const fail = (failure: ErrorReport.Failure, exitCode: ExitCode, hint?: string): Effect.Effect<ExitCode> =>
    Effect.as(Console.error(json ? ErrorReport.toJson(failure) : ErrorReport.toText(failure, hint, stderr)), exitCode)
  const running = Effect.flatMap(load, (command) => {
    const runArgs = Command.runWith(command, { version: options.version })
    if (options.args[0] === completeValues) return withinLimit(Effect.flatMap(withTypedWords(options.args), runArgs))
    return runArgs(
      options.args[0] === "help"
        ? withHelpFlag(Completions.fromCommand(command), options.args)
        : withMistakenBundles(joinValues(options.args))
    )
  })
  return writingLogs(running).pipe(
    Effect.catchDefect((defect) => (defect instanceof DryRun ? write(defect.text) : Effect.die(defect))),
    Effect.as<ExitCode>(exitCodes.ok),
    // The presenter has printed it.
    Effect.catchTag("ShowHelp", ({ errors }) => Effect.succeed(errors.length === 0 ? exitCodes.ok : exitCodes.usage)),
    // Its output says it.
    Effect.catchTag("DifferencesFound", () => Effect.succeed(exitCodes.differences)),
    Effect.catch((error) =>
      CliError.isCliError(error)
        ? fail(error, exitCodes.usage)
        : Effect.flatMap(hintFor(error, MutableRef.get(roles)), (hint) => fail(error, exitCodeOf(error), hint))
    ),
    Effect.catchDefect((defect) =>
      fail({ _tag: "Defect", message: String(defect) }, exitCodes.error, "This is a bug of headgate: please report it.")
    ),
    Effect.onInterrupt(() => {
      const change = MutableRef.get(unanswered)
      return change === undefined ? Effect.void : noteChange(change)
    }),
    Effect.provideService(ForbiddenRoles, roles),
    Effect.provideService(UnansweredChange, unanswered),
    isVerbose(options.args) ? Effect.provideService(References.MinimumLogLevel, "Debug") : identity,
    Effect.provideService(Version, options.version),
    Effect.provideService(Width, stdout.width),
    Effect.provideService(Plain, isPlain(options.args)),
    Effect.provideService(Styles, { stdout, stderr }),
    Effect.provide(layerPresenter({ help: options.help, json, stderr, stdout }))
  )
}
