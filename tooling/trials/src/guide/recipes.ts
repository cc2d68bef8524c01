import type { Verdict } from "@headgate/harness/Verdict"
import { spawnSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { makeNewcomer, runPages, writeProgram } from "./Newcomer.ts"
import { makePlace } from "./Place.ts"

/** In order: the others install what the first one packs. */
const pages = ["README", "vitest", "node-test", "pytest", "go", "github-actions"]

const isHere = (tool: string, ...args: ReadonlyArray<string>) => spawnSync(tool, args).status === 0

/** Runs the recipes for test suites, each in an empty folder of a home that has nothing but a checkout. Answers what was done. */
export const runRecipes = async (directory: string, verdict: Verdict): Promise<string> => {
  if (!isHere("go", "version") || !isHere("python3", "-c", "import ensurepip")) {
    throw new Error("apt-get install golang-go python3-venv: the recipes for test suites need both")
  }
  const home = join(directory, "recipes")
  const newcomer = { home, programs: join(home, "bin") }
  makeNewcomer(newcomer)
  const runWorkflow = fileURLToPath(new URL("./runWorkflow.main.ts", import.meta.url))
  writeProgram(newcomer, "actions", [`exec "${process.execPath}" "${runWorkflow}" "$@"`])
  // Where packages come from may be in the environment; what is said of other servers there is not for these.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("HEADGATE_"))
  const environment = {
    ...Object.fromEntries(inherited),
    // What is compiled of Go's own packages stays for the next run.
    GOCACHE: spawnSync("go", ["env", "GOCACHE"], { encoding: "utf8" }).stdout.trim(),
    // Without a C compiler Go before 1.20 cannot link its resolver.
    CGO_ENABLED: "0",
    NO_COLOR: "1"
  }
  const inFolders = pages.map((name) => {
    // A project of the name of a package cannot install it, and the folder `go` is Go's own.
    const folder = join(home, `${name}-project`)
    mkdirSync(folder)
    return { page: `docs/recipes/${name}.md`, directory: folder }
  })
  return runPages(inFolders, "the recipes for test suites", newcomer, await makePlace(home), environment, verdict)
}
