import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Ended, run } from "./run.ts"

/** Installs one package with npm in a folder of its own, outside the workspace and its lock file. */
export const installAlone = async (folder: string, specification: string): Promise<Ended> => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), `{ "private": true, "type": "module" }`)
  return run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", specification], { cwd: folder })
}
