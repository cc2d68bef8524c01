import { createRequire } from "node:module"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const require = createRequire(import.meta.url)

const versionOf = (name: string): string => {
  // By its folder: not every package exports its package.json.
  for (const folder of require.resolve.paths(name) ?? []) {
    const file = join(folder, name, "package.json")
    if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")).version
  }
  throw new Error(`${name} is not installed beside ${dirname(import.meta.filename)}`)
}

/** `zod 4.6.7, arktype 2.2.9`: what the contestants are. */
export const versions = (names: ReadonlyArray<string>): string =>
  names.map((name) => `${name} ${versionOf(name)}`).join(", ")
