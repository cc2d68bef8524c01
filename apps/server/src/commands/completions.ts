import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import * as GlobalFlag from "effect/cli/GlobalFlag"

// `Flag.File` would look for the file while the flags are parsed, and show its absolute path.
const paths: Readonly<Record<string, "file" | "directory">> = {
  data: "directory",
  import: "file",
  "credentials-file": "file",
  "file.json": "file",
  "tls-cert": "file",
  "tls-key": "file",
  "upstream-credentials": "file"
}

const withPath = <A extends { readonly name: string; readonly type: Completions.FlagType }>(parameter: A) => {
  const pathType = paths[parameter.name]
  return pathType === undefined ? parameter : { ...parameter, type: { _tag: "Path" as const, pathType } }
}

const complete = (
  command: Completions.CommandDescriptor,
  globalFlags: ReadonlyArray<Completions.FlagDescriptor>
): Completions.CommandDescriptor => ({
  ...command,
  flags: [...command.flags, ...globalFlags].map(withPath),
  arguments: command.arguments.map(withPath),
  subcommands: command.subcommands.map((subcommand) => complete(subcommand, globalFlags))
})

/** `--completions`, as in effect/cli, which leaves out global flags. */
export const completions = GlobalFlag.Action({
  flag: GlobalFlag.Completions.flag,
  run: (shell, { builtIns, command }) =>
    Option.match(shell, {
      onNone: () => Effect.void,
      onSome: (shell) => {
        const flags = Object.fromEntries(builtIns.map(({ flag }, index) => [index, flag]))
        const globalFlags = Completions.fromCommand(Command.make("global", flags)).flags
        const descriptor = complete(Completions.fromCommand(command), globalFlags)
        return Console.log(Completions.generate(command.name, shell, descriptor))
      }
    })
})
