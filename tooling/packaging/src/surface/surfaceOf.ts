import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { PublishedPackage } from "../workspace/PublishedPackage.ts"

const clause = /export( type)? \{([^}]*)\} from "[^"]+";?/g

/** The names that a declaration file exports. It must consist of `export { ... } from` alone. */
const namesIn = (declarations: string): ReadonlyArray<string> => {
  const rest = declarations.replaceAll(clause, "").replaceAll(/\/\/# sourceMappingURL=\S+/g, "")
  if (rest.trim() !== "") throw new Error(`an entry point consists of re-exports alone, but has: ${rest.trim()}`)
  return Array.from(declarations.matchAll(clause)).flatMap(([, type = "", names = ""]) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "")
      .map((name) => (type === "" || name.startsWith("type ") ? name : `type ${name}`))
  )
}

const sortKey = (name: string) => name.replace("type ", "").toLowerCase()

/** The public names of a package: each entry point, then its names in alphabetical order. */
export const surfaceOf = (root: string, { folder, manifest }: PublishedPackage): string =>
  Object.entries(manifest.exports ?? {})
    .flatMap(([entry, target]) => {
      if (target === null || typeof target === "string" || typeof target["types"] !== "string") return []
      const names = namesIn(readFileSync(join(root, folder, target["types"]), "utf8"))
      const sorted = names.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
      return [`${manifest.name}${entry.slice(1)}\n${sorted.map((name) => `  ${name}\n`).join("")}`]
    })
    .join("\n")
