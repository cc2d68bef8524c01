import { SystemRole } from "@headgate/core"
import { isPermitted } from "@headgate/core/adapter"
import { neutral, operations } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import type { ArgDoc, FlagDoc, HelpDoc } from "effect/cli/HelpDoc"
import { columns, wrap, wrapCommand } from "./columns.ts"
import type { Style } from "./terminal.ts"

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

const exampleLines = (doc: HelpDoc, limit: number): ReadonlyArray<string> =>
  (doc.examples ?? []).flatMap(({ command, description }, index) => [
    ...(index > 0 && description !== undefined ? [""] : []),
    ...(description === undefined ? [] : wrap(`# ${description}`, limit)),
    ...wrapCommand(`$ ${command}`, limit)
  ])

// The rows of a section may be long, and a line of more columns is hard to read, also in a file.
const maxSection = 120

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

/**
 * The help of a command: description, usage, flags and examples. Global flags are shown with their `variables`, except by
 * the root, which lists them in a section of their own.
 */
export const helpText = (doc: HelpDoc, style: Style, variables: Variables = {}): string => {
  const section = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
    lines.length === 0 ? [] : [style.strong(title), ...lines.map((line) => (line === "" ? "" : `  ${line}`)), ""]
  const limit = style.width - 2
  const fit = (rows: ReadonlyArray<ReadonlyArray<string>>) => columns(rows, limit)
  const isRoot = doc.commandPath?.length === 1
  const isNoun = !isRoot && doc.subcommands !== undefined
  const commands = (doc.subcommands ?? []).flatMap((group) => group.commands)
  return [
    ...wrap(doc.description, style.width),
    "",
    ...section("USAGE", wrap(usageLine(doc), limit)),
    ...section("COMMANDS", fit(commands.map(({ description, name }) => [name, description]))),
    ...section("ARGUMENTS", fit((doc.args ?? []).map(argumentRow))),
    ...section("FLAGS", fit(doc.flags.map(flagRow))),
    ...section("GLOBAL FLAGS", isNoun ? [] : fit(globalFlagRows(doc, isRoot ? {} : variables))),
    ...Context.get(doc.annotations, HelpSections).flatMap(({ rows, title }) =>
      section(title, columns(rows(), Math.min(limit, maxSection)))
    ),
    ...section("EXAMPLES", exampleLines(doc, limit)),
    ...wrap(closing(doc, isRoot), style.width)
  ].join("\n")
}

/** The help section about what each role allows a key of the management API. */
export const roles: HelpSection = {
  title: "ROLES",
  rows: () => {
    const { key, pipe, role } = operations(neutral)
    const all = [...Object.values(pipe), ...Object.values(key), ...Object.values(role)]
    return SystemRole.literals.map((name) => {
      const permitted = all.filter(({ permission }) => isPermitted([name], permission))
      return [name, permitted.map(({ summary }) => summary).join(", ") || "Nothing here"]
    })
  }
}
