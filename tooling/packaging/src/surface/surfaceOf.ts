import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { PublishedPackage } from "../workspace/PublishedPackage.ts"

const clause = /export( type)? \{([^}]*)\} from "[^"]+";?/g
const wholeFile = /export \* from "([^"]+)\.ts";?/g

/** The names that a declaration file exports. It must consist of `export { ... } from` alone, and of `export *` of such files. */
const namesIn = (path: string): ReadonlyArray<string> => {
  const declarations = readFileSync(path, "utf8")
  const rest = declarations
    .replaceAll(clause, "")
    .replaceAll(wholeFile, "")
    .replaceAll(/\/\/# sourceMappingURL=\S+/g, "")
  if (rest.trim() !== "") throw new Error(`an entry point consists of re-exports alone, but has: ${rest.trim()}`)
  const named = Array.from(declarations.matchAll(clause)).flatMap(([, type = "", names = ""]) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "")
      .map((name) => (type === "" || name.startsWith("type ") ? name : `type ${name}`))
  )
  const others = Array.from(declarations.matchAll(wholeFile)).flatMap(([, file]) =>
    namesIn(join(dirname(path), `${file}.d.ts`))
  )
  return [...named, ...others]
}

const sortKey = (name: string) => name.replace("type ", "").toLowerCase()

/** The public names of a package: each entry point, then its names in alphabetical order. */
export const surfaceOf = (root: string, { folder, manifest }: PublishedPackage): string =>
  Object.entries(manifest.exports ?? {})
    .flatMap(([entry, target]) => {
      if (target === null || typeof target === "string" || typeof target["types"] !== "string") return []
      const names = namesIn(join(root, folder, target["types"]))
      const sorted = names.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
      return [`${manifest.name}${entry.slice(1)}\n${sorted.map((name) => `  ${name}\n`).join("")}`]
    })
    .join("\n")
