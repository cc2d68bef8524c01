import type { HelpPage } from "@headgate/command-line"

// In a cell of a table.
const cell = (text: string): string => text.replace(/[\\|<>*_[\]]/g, "\\$&")

const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``

const table = (heading: string, rows: HelpPage["flags"]): ReadonlyArray<string> =>
  rows.length === 0
    ? []
    : [
        `| ${heading} | |`,
        "|---|---|",
        ...rows.map(([left = "", right = ""]) => `| ${code(left)} | ${cell(right)} |`),
        ""
      ]

const examples = (page: HelpPage): ReadonlyArray<string> =>
  page.examples.length === 0
    ? []
    : [
        "```console",
        ...page.examples.flatMap(({ command, description }) => [
          ...(description === undefined ? [] : [`# ${description}`]),
          `$ ${command}`
        ]),
        "```",
        ""
      ]

const anchor = ({ path }: HelpPage): string => path.join("-")

const command = (page: HelpPage): ReadonlyArray<string> => [
  `## ${page.path.join(" ")}`,
  "",
  cell(page.description),
  "",
  "```",
  page.usage,
  "```",
  "",
  ...table("Argument", page.arguments),
  ...table("Flag", page.flags),
  ...page.sections.flatMap(({ rows, title }) => table(title, rows)),
  ...examples(page)
]

/** The commands as Markdown: a contents, a section for each command without subcommands, and what all commands share. */
export const commandReference = (pages: ReadonlyArray<HelpPage>): string => {
  const [root, ...all] = pages
  if (root === undefined) return ""
  const commands = all.filter((page) => page.commands.length === 0)
  return [
    `# ${root.path.join(" ")}: commands`,
    "",
    "<!-- Made from the commands by the build. To update it: npm run build && npx vitest run --project packaging surface -u -->",
    "",
    cell(root.description),
    "",
    "| Command | |",
    "|---|---|",
    ...commands.map((page) => `| [${code(page.path.join(" "))}](#${anchor(page)}) | ${cell(page.description)} |`),
    "",
    ...commands.flatMap(command),
    "## Global flags",
    "",
    ...table("Flag", root.globalFlags),
    ...root.sections.flatMap(({ rows, title }) => [
      `## ${title.charAt(0)}${title.slice(1).toLowerCase()}`,
      "",
      ...table("", rows)
    ])
  ].join("\n")
}
