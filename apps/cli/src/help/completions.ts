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

const describe = (flags: ReadonlyArray<GivenFlag>) =>
  Completions.fromCommand(Command.make("global", Object.fromEntries(flags.map(({ flag }, index) => [index, flag]))))
    .flags

// `Flag.File` would make an absolute path of `-`, so flags for files are strings.
const files: ReadonlySet<string> = new Set(["file"])

const complete = (
  command: Completions.CommandDescriptor,
  globalFlags: ReadonlyArray<Completions.FlagDescriptor>
): Completions.CommandDescriptor => ({
  ...command,
  flags: [...command.flags, ...globalFlags].map((flag) =>
    files.has(flag.name) ? { ...flag, type: { _tag: "Path", pathType: "file" } } : flag
  ),
  subcommands: command.subcommands.map((subcommand) => complete(subcommand, globalFlags))
})

/** `--completions`, as in effect/cli, which leaves out global flags. */
export const completions = (globalFlags: ReadonlyArray<GivenFlag>) =>
  GlobalFlag.Action({
    flag: GlobalFlag.Completions.flag,
    run: (shell, { builtIns, command }) =>
      Option.match(shell, {
        onNone: () => Effect.void,
        onSome: (shell) => {
          const descriptor = complete(Completions.fromCommand(command), describe([...globalFlags, ...builtIns]))
          return Console.log(Completions.generate(command.name, shell, descriptor))
        }
      })
  })
