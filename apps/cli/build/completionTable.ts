import type { Completed } from "@headgate/command-line"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import type { CommandTable, TableCommand, TableFlag, Word } from "../src/completion/CommandTable.ts"
import { completedValues } from "../src/completion/completedValues.ts"
import { loadCommand } from "../src/Composition.ts"
import { globalFlags } from "../src/headgate.ts"

const wordOf = (completed: Completed | undefined, type: Completions.FlagType | Completions.ArgumentType): Word =>
  completed ?? (type._tag === "Choice" ? type.values : "text")

const flagsOf = (flags: ReadonlyArray<Completions.FlagDescriptor>): ReadonlyArray<TableFlag> =>
  flags.map(({ aliases, description, name, type }) => ({
    names: [`--${name}`, ...aliases.map((alias) => `-${alias}`)],
    description: description ?? "",
    ...(type._tag === "Boolean" ? {} : { value: wordOf(completedValues[`--${name}`], type) })
  }))

const commandOf = (described: Completions.CommandDescriptor): TableCommand => ({
  name: described.name,
  description: described.description ?? "",
  flags: flagsOf(described.flags),
  arguments: described.arguments.map(({ name, type }) => wordOf(completedValues[`<${name}>`], type)),
  commands: described.subcommands.map(commandOf)
})

const everywhere = [...globalFlags, GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.LogLevel]

/** What `headgate complete` knows of the commands. */
export const completionTable = async (): Promise<CommandTable> => ({
  flags: flagsOf(
    Completions.fromCommand(
      Command.make("global", Object.fromEntries(everywhere.map(({ flag }, index) => [index, flag])))
    ).flags
  ),
  root: commandOf(Completions.fromCommand(await Effect.runPromise(loadCommand(() => true))))
})
