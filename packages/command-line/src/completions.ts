import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import type * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { listedType, listValues } from "./listedValues.ts"

interface GivenFlag {
  readonly flag: Flag.Flag<unknown>
}

/**
 * What is completed: files, directories, or values that `<program> complete-values <list>` prints, which the scripts for bash,
 * zsh and fish must be the program's own to do.
 */
export type Completed = "file" | "directory" | { readonly list: string }

/** What effect/cli's own completions leave out. */
export interface CompletionOptions {
  readonly globalFlags: ReadonlyArray<GivenFlag>
  /**
   * What is completed for a flag, by its name as `--file`, or for an argument, as `<pipe-id>`. `Flag.File` would make an
   * absolute path of a file.
   */
  readonly values: Readonly<Record<string, Completed>>
  /** The scripts of the program's own; the others are made from its commands. */
  readonly scripts?: { readonly [Shell in Completions.Shell]?: string }
}

const describe = (flags: ReadonlyArray<GivenFlag>) =>
  Completions.fromCommand(Command.make("global", Object.fromEntries(flags.map(({ flag }, index) => [index, flag]))))
    .flags

const typeOf = (completed: Completed) =>
  typeof completed === "string" ? { _tag: "Path" as const, pathType: completed } : listedType(completed.list)

const complete = (
  command: Completions.CommandDescriptor,
  globalFlags: ReadonlyArray<Completions.FlagDescriptor>,
  values: CompletionOptions["values"]
): Completions.CommandDescriptor => {
  const withValues =
    (shown: (name: string) => string) =>
    <A extends { readonly name: string; readonly type: Completions.FlagType }>(parameter: A) => {
      const completed = values[shown(parameter.name)]
      return completed === undefined ? parameter : { ...parameter, type: typeOf(completed) }
    }
  return {
    ...command,
    flags: [...command.flags, ...globalFlags].map(withValues((name) => `--${name}`)),
    arguments: command.arguments.map(withValues((name) => `<${name}>`)),
    subcommands: command.subcommands.map((subcommand) => complete(subcommand, globalFlags, values))
  }
}

const corrected = (program: string, shell: Completions.Shell, script: string): string => {
  if (shell === "powershell") return listValues(program, script)
  // effect/cli's script for zsh completes nothing but flags after a flag of a subcommand: a command has to leave them to it.
  return shell === "zsh" ? script.replaceAll("_arguments -C ", "_arguments -C -A '-*' ") : script
}

/** `--completions`, as in effect/cli, with global flags, paths and values that the program lists. */
export const completions = ({ globalFlags, scripts = {}, values }: CompletionOptions) =>
  GlobalFlag.Action({
    flag: GlobalFlag.Completions.flag,
    run: (shell, { builtIns, command }) =>
      Option.match(shell, {
        onNone: () => Effect.void,
        onSome: (shell) => {
          const own = scripts[shell]
          if (own !== undefined) return Console.log(own)
          const flags = describe([...globalFlags, ...builtIns])
          const described = complete(Completions.fromCommand(command), flags, values)
          return Console.log(corrected(command.name, shell, Completions.generate(command.name, shell, described)))
        }
      })
  })
