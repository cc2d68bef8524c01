import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Example } from "./Example.ts"
import { docBlockExamples } from "./docBlockExamples.ts"
import { examplesOf } from "./examplesOf.ts"
import { fencedBlocks } from "./fencedBlocks.ts"

const find = (root: string, patterns: ReadonlyArray<string>) =>
  globSync(patterns, { cwd: root, exclude: ["**/node_modules", "**/dist", "docs/api-reference", "**/CHANGELOG.md"] })
    .map((file) => file.replaceAll("\\", "/"))
    .toSorted()

/** Every example in the Markdown pages of the workspace and in the doc blocks of the packages. */
export const workspaceExamples = (root: string): ReadonlyArray<Example> => {
  const read = (file: string) => readFileSync(join(root, file), "utf8")
  return [
    ...find(root, ["*.md", "{apps,docs,packages,tooling}/**/*.md"]).flatMap((file) =>
      examplesOf(file, fencedBlocks(read(file)))
    ),
    ...find(root, ["packages/*/src/**/*.ts"]).flatMap((file) => docBlockExamples(file, read(file)))
  ]
}
