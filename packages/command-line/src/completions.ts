import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import type * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"

interface GivenFlag {
  readonly flag: Flag.Flag<unknown>
}

/** What effect/cli's own completions leave out. */
export interface CompletionOptions {
  readonly globalFlags: ReadonlyArray<GivenFlag>
  /** The flags and arguments that are a path, by name: `Flag.File` would make an absolute path of it. */
  readonly paths: Readonly<Record<string, "file" | "directory">>
}

const describe = (flags: ReadonlyArray<GivenFlag>) =>
  Completions.fromCommand(Command.make("global", Object.fromEntries(flags.map(({ flag }, index) => [index, flag]))))
    .flags

const complete = (
  command: Completions.CommandDescriptor,
  globalFlags: ReadonlyArray<Completions.FlagDescriptor>,
  paths: CompletionOptions["paths"]
): Completions.CommandDescriptor => {
  const withPath = <A extends { readonly name: string; readonly type: Completions.FlagType }>(parameter: A) => {
    const pathType = paths[parameter.name]
    return pathType === undefined ? parameter : { ...parameter, type: { _tag: "Path" as const, pathType } }
  }
  return {
    ...command,
    flags: [...command.flags, ...globalFlags].map(withPath),
    arguments: command.arguments.map(withPath),
    subcommands: command.subcommands.map((subcommand) => complete(subcommand, globalFlags, paths))
  }
}

/** `--completions`, as in effect/cli, with global flags and paths. */
export const completions = ({ globalFlags, paths }: CompletionOptions) =>
  GlobalFlag.Action({
    flag: GlobalFlag.Completions.flag,
    run: (shell, { builtIns, command }) =>
      Option.match(shell, {
        onNone: () => Effect.void,
        onSome: (shell) => {
          const flags = describe([...globalFlags, ...builtIns])
          const descriptor = complete(Completions.fromCommand(command), flags, paths)
          return Console.log(Completions.generate(command.name, shell, descriptor))
        }
      })
  })
