import type { HelpPage } from "@headgate/command-line"

// Text that groff prints as it is: a hyphen must stay one, because flags are copied.
const special: Readonly<Record<string, string>> = {
  "\\": "\\e",
  "-": "\\-",
  "'": "\\(aq",
  '"': "\\(dq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti"
}

/** Text as roff. A line that begins with a dot would be a request. */
const roff = (text: string): string =>
  text.replace(/[\\\-'"`^~]/g, (character) => special[character] ?? character).replace(/^(?=\.)/gm, "\\&")

const bold = (text: string): string => `.B "${roff(text)}"`

const list = (rows: HelpPage["flags"]): ReadonlyArray<string> =>
  rows.flatMap(([left = "", right = ""]) => [".TP", bold(left), roff(right)])

const examples = (page: HelpPage): ReadonlyArray<string> =>
  page.examples.flatMap(({ command, description }) => [
    ".PP",
    ...(description === undefined ? [] : [roff(`${description}:`)]),
    ".RS 4",
    ".nf",
    roff(command),
    ".fi",
    ".RE"
  ])

const section = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : [`.SH "${roff(title.toUpperCase())}"`, ...lines]

const command = (page: HelpPage): ReadonlyArray<string> => [
  `.SS "${roff(page.path.join(" "))}"`,
  roff(page.description),
  ".PP",
  bold(page.usage),
  ...list(page.arguments),
  ...list(page.flags),
  ...page.sections.flatMap(({ rows, title }) => [".PP", roff(`${title}:`), ...list(rows)]),
  ...examples(page)
]

/** The man page of the root command, with a subsection for each command that has no subcommands. */
export const manPage = (pages: ReadonlyArray<HelpPage>, version: string): string => {
  const [root, ...commands] = pages
  if (root === undefined) return ""
  const name = root.path.join(" ")
  return [
    `.TH "${roff(name.toUpperCase())}" "1" "" "${roff(`${name} ${version}`)}" "User Commands"`,
    // Flags are copied: no word is broken.
    ".nh",
    ".ad l",
    ...section("name", [`${roff(name)} \\- ${roff(root.description.replace(/\.$/, ""))}`]),
    ...section("synopsis", [bold(root.usage)]),
    ...section("commands", commands.filter((page) => page.commands.length === 0).flatMap(command)),
    ...section("global flags", list(root.globalFlags)),
    ...root.sections.flatMap(({ rows, title }) => section(title, list(rows))),
    ...section("examples", examples(root)),
    ""
  ].join("\n")
}
