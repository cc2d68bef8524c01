import * as Context from "effect/Context"
import * as Option from "effect/Option"
import type { ArgDoc, FlagDoc, HelpDoc } from "effect/cli/HelpDoc"
import type { HelpPage } from "./HelpPage.ts"

/** A section of a command's help besides those of its flags and subcommands. */
export interface HelpSection {
  readonly title: string
  /** Called when the help is printed: most commands print none. */
  readonly rows: () => ReadonlyArray<readonly [left: string, right: string]>
}

/** The environment variables of global flags, by the names of the flags. */
export type Variables = Readonly<Record<string, string>>

/** The annotation of a command with its {@link HelpSection}s. */
export const HelpSections = Context.Reference<ReadonlyArray<HelpSection>>("headgate/command-line/HelpSections", {
  defaultValue: () => []
})

// The flags of effect/cli, whose own descriptions list some choices twice.
const builtIns: ReadonlyMap<string, { readonly type: string; readonly description: string }> = new Map([
  ["help", { type: "boolean", description: "Show help" }],
  ["version", { type: "boolean", description: "Show the version" }],
  ["completions", { type: "shell", description: "Print a completion script for bash, zsh, fish or powershell" }],
  ["log-level", { type: "level", description: "Log on stderr from this level; debug for the details" }]
])

const metavar = ({ name, type }: FlagDoc): string => {
  const value = builtIns.get(name)?.type ?? type
  return value === "boolean" ? "" : ` <${value}>`
}

const description = (flag: FlagDoc): string =>
  builtIns.get(flag.name)?.description ?? Option.getOrElse(flag.description, () => "")

const flagRow = (flag: FlagDoc): ReadonlyArray<string> => [
  [...flag.aliases, `--${flag.name}`].join(", ") + metavar(flag),
  description(flag) + (flag.required ? " (required)" : "")
]

const globalFlagRows = (doc: HelpDoc, variables: Variables): ReadonlyArray<ReadonlyArray<string>> => {
  const flags = doc.globalFlags ?? []
  return [...flags.filter(({ name }) => !builtIns.has(name)), ...flags.filter(({ name }) => builtIns.has(name))].map(
    (flag) => {
      const [left = "", right = ""] = flagRow(flag)
      const variable = variables[flag.name]
      return [left, variable === undefined ? right : `${right} [${variable}]`]
    }
  )
}

const argumentRow = (argument: ArgDoc): ReadonlyArray<string> => [
  `<${argument.name}>`,
  Option.getOrElse(argument.description, () => "")
]

// What follows the name of a command that has subcommands. One that has flags as well also works without a subcommand.
const subcommand = ({ commandPath, flags }: HelpDoc): string => {
  if (commandPath?.length !== 1) return "<subcommand>"
  return flags.length > 0 ? "[<command>]" : "<command> <subcommand>"
}

/** The usage of a command: arguments and required flags first. */
export const usageLine = (doc: HelpDoc): string => {
  const rest =
    doc.subcommands === undefined
      ? [
          ...(doc.args ?? []).map(({ name }) => `<${name}>`),
          ...doc.flags.filter(({ required }) => required).map((flag) => `--${flag.name}${metavar(flag)}`)
        ]
      : [subcommand(doc)]
  return [...(doc.commandPath ?? []), ...rest, "[flags]"].join(" ")
}

const closing = (doc: HelpDoc, isRoot: boolean): string => {
  const path = doc.commandPath ?? []
  const command = path.join(" ")
  if (isRoot) return `Run '${command} <command> --help' for more.`
  return doc.subcommands === undefined
    ? `Run '${path[0]} --help' for environment variables and exit codes.`
    : `Run '${command} <subcommand> --help' for more, '${path[0]} --help' for global flags.`
}

/** The help page of a command. Global flags are shown with their `variables`, except by the root, which lists them apart. */
export const helpPageOf = (doc: HelpDoc, variables: Variables = {}): HelpPage => {
  const isRoot = doc.commandPath?.length === 1
  const isNoun = !isRoot && doc.subcommands !== undefined
  const commands = (doc.subcommands ?? []).flatMap((group) => group.commands)
  return {
    path: doc.commandPath ?? [],
    description: doc.description,
    usage: usageLine(doc),
    commands: commands.map(({ description, name }) => [name, description]),
    arguments: (doc.args ?? []).map(argumentRow),
    flags: doc.flags.map(flagRow),
    globalFlags: isNoun ? [] : globalFlagRows(doc, isRoot ? {} : variables),
    sections: Context.get(doc.annotations, HelpSections).map(({ rows, title }) => ({ title, rows: rows() })),
    examples: (doc.examples ?? []).map(({ command, description }) => ({ command, description })),
    closing: closing(doc, isRoot)
  }
}
