import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { docBlockExamples } from "./docBlockExamples.ts"
import type { Example } from "./Example.ts"
import { markdownExamples } from "./markdownExamples.ts"

const find = (root: string, patterns: ReadonlyArray<string>) =>
  globSync(patterns, { cwd: root, exclude: ["**/node_modules", "**/dist", "docs/api-reference"] })
    .map((file) => file.replaceAll("\\", "/"))
    .toSorted()

/** Every example there is: in the pages of the workspace, and in the doc blocks of the packages' sources. */
export const workspaceExamples = (root: string): ReadonlyArray<Example> => {
  const read = (file: string) => readFileSync(join(root, file), "utf8")
  return [
    ...find(root, ["*.md", "docs/**/*.md", "{apps,packages,tooling}/**/README.md"]).flatMap((file) =>
      markdownExamples(file, read(file))
    ),
    ...find(root, ["packages/*/src/**/*.ts"]).flatMap((file) => docBlockExamples(file, read(file)))
  ]
}
