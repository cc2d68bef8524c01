import { layoutBy } from "./layout.ts"
import type { Style } from "./style.ts"

// The text of a help page is ASCII: the build of an app that stores its pages checks it.
const { columns, wrap, wrapCommand } = layoutBy((text) => text.length)

type Rows = ReadonlyArray<ReadonlyArray<string>>

/** The help of a command as plain data, which can be stored as JSON. */
export interface HelpPage {
  /** The words of the command: `headgate`, `pipe`, `get`. */
  readonly path: ReadonlyArray<string>
  readonly description: string
  readonly usage: string
  readonly commands: Rows
  readonly arguments: Rows
  readonly flags: Rows
  readonly globalFlags: Rows
  readonly sections: ReadonlyArray<{ readonly title: string; readonly rows: Rows }>
  readonly examples: ReadonlyArray<{ readonly command: string; readonly description?: string | undefined }>
  readonly closing: string
}

const exampleLines = ({ examples }: HelpPage, limit: number): ReadonlyArray<string> =>
  examples.flatMap(({ command, description }, index) => [
    ...(index > 0 && description !== undefined ? [""] : []),
    ...(description === undefined ? [] : wrap(`# ${description}`, limit)),
    ...wrapCommand(`$ ${command}`, limit)
  ])

// The rows of a section may be long, and a line of more columns is hard to read, also in a file.
const maxSection = 120

/** The text of a help page: description, usage, flags and examples. Needs no Effect, which is slow to load. */
export const renderHelp = (page: HelpPage, style: Style): string => {
  const section = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
    lines.length === 0 ? [] : [style.strong(title), ...lines.map((line) => (line === "" ? "" : `  ${line}`)), ""]
  const limit = style.width - 2
  return [
    ...wrap(page.description, style.width),
    "",
    ...section("USAGE", wrap(page.usage, limit)),
    ...section("COMMANDS", columns(page.commands, limit)),
    ...section("ARGUMENTS", columns(page.arguments, limit)),
    ...section("FLAGS", columns(page.flags, limit)),
    ...section("GLOBAL FLAGS", columns(page.globalFlags, limit)),
    ...page.sections.flatMap(({ rows, title }) => section(title, columns(rows, Math.min(limit, maxSection)))),
    ...section("EXAMPLES", exampleLines(page, limit)),
    ...wrap(page.closing, style.width)
  ].join("\n")
}
