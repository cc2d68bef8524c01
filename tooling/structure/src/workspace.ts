import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Source } from "./Source.ts"

/** Every source file of the packages and apps under `root`. */
export const workspaceSources = (root: string): ReadonlyArray<Source> =>
  globSync("{packages,apps}/*/src/**/*.ts", { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))

/** Every TypeScript file of the packages, apps and tools: sources and tests. */
export const workspaceFiles = (root: string): ReadonlyArray<Source> =>
  globSync("{packages,apps,tooling}/**/*.ts", { cwd: root, exclude: (entry) => built.has(entry) })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))

const built = new Set(["node_modules", "dist", "api-reference"])

/** Every Markdown file of the repository, dependencies and what is built left out. */
export const workspacePages = (root: string): ReadonlyArray<Source> =>
  globSync("**/*.md", { cwd: root, exclude: (entry) => built.has(entry) })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
