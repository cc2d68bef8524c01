import type { KnownDifferences } from "./knownDifferences.ts"
import type { UnservedPath } from "./unserved.ts"

/** The list of the server: a TypeScript file. */
export const serverList = (
  unserved: ReadonlyArray<UnservedPath>
): string => `import type { Route } from "./Dispatcher.ts"

/**
 * The paths of the real service that this server does not serve, with all paths below them. They get a 405: its official
 * clients read a 404 as "the resource is gone" and drop the resource from their state. \`npm run drift:write\` makes this
 * file of \`tooling/drift/src/unserved.ts\`.
 */
export const unservedPaths: ReadonlyArray<Route["path"]> = [
${unserved.map(({ path }) => `  "${path.replaceAll(/\{(\w+)\}/gu, ":$1")}"`).join(",\n")}
]
`

const code = (text: string) => `\`${text.replaceAll("|", "\\|")}\``

const row = (...cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`

const sections: Readonly<
  Record<
    string,
    (unserved: ReadonlyArray<UnservedPath>, known: ReadonlyArray<KnownDifferences>) => ReadonlyArray<string>
  >
> = {
  unserved: (unserved) => ["| Path | |", "|---|---|", ...unserved.map(({ path, reason }) => row(code(path), reason))],
  differences: (_, known) => [
    "| Why | Difference |",
    "|---|---|",
    ...known.map(({ differences, reason }) => row(reason, differences.map(code).join("<br>")))
  ]
}

const fence = (name: string) => [`<!-- drift:${name} -->`, `<!-- /drift:${name} -->`] as const

/** The page with the sections between its markers made anew. A page without the markers is a fault of the page. */
export const compatibilityPage = (
  page: string,
  unserved: ReadonlyArray<UnservedPath>,
  known: ReadonlyArray<KnownDifferences>
): string =>
  Object.entries(sections).reduce((text, [name, made]) => {
    const [start, end] = fence(name)
    const [before, rest] = text.split(start)
    const [, after] = rest?.split(end) ?? []
    if (before === undefined || after === undefined) throw new Error(`docs/compatibility.md has no ${start} and ${end}`)
    return [before, start, "\n\n", made(unserved, known).join("\n"), "\n\n", end, after].join("")
  }, page)
