import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Source } from "./Source.ts"

const built = new Set(["node_modules", "dist", "api-reference"])

const filesOf = (pattern: string) => {
  const found = new Map<string, ReadonlyArray<Source>>()
  return (root: string): ReadonlyArray<Source> => {
    const files =
      found.get(root) ??
      globSync(pattern, { cwd: root, exclude: (entry) => built.has(entry) })
        .map((path) => path.replaceAll("\\", "/"))
        .toSorted()
        .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
    found.set(root, files)
    return files
  }
}

/** Every source file of the packages and apps under `root`. */
export const workspaceSources = filesOf("{packages,apps}/*/src/**/*.{ts,tsx}")

/** Every TypeScript file of the packages, apps and tools: sources and tests. */
export const workspaceFiles = filesOf("{packages,apps,tooling}/**/*.{ts,tsx}")

/** Every Markdown file of the repository, dependencies and what is built left out. */
export const workspacePages = filesOf("**/*.md")
