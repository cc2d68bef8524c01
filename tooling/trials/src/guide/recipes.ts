import type { Verdict } from "@headgate/harness/Verdict"
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { makePlace } from "./Place.ts"
import { runPage } from "./runPage.ts"

/** In order: the others install what the first one packs. */
const pages = ["README", "vitest", "node-test", "pytest", "go", "github-actions"]

const isHere = (tool: string, ...args: ReadonlyArray<string>) => spawnSync(tool, args).status === 0

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Runs the recipes for test suites, each in an empty folder of a home that has nothing but a checkout. Answers what was done. */
export const runRecipes = async (directory: string, verdict: Verdict): Promise<string> => {
  if (!isHere("go", "version") || !isHere("python3", "-c", "import ensurepip")) {
    throw new Error("apt-get install golang-go python3-venv: the recipes for test suites need both")
  }
  const home = join(directory, "recipes")
  const programs = join(home, "bin")
  mkdirSync(programs, { recursive: true })
  symlinkSync(file("../../../.."), join(home, "headgate"))
  writeFileSync(
    join(programs, "actions"),
    `#!/bin/sh\nexec "${process.execPath}" "${file("./runWorkflow.main.ts")}" "$@"\n`
  )
  chmodSync(join(programs, "actions"), 0o755)
  const place = await makePlace(home)
  // Where packages come from may be in the environment; what is said of other servers there is not for these.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("HEADGATE_"))
  const environment = {
    ...Object.fromEntries(inherited),
    PATH: [programs, dirname(process.execPath), process.env["PATH"] ?? ""].join(":"),
    HOME: home,
    // What is compiled of Go's own packages stays for the next run.
    GOCACHE: spawnSync("go", ["env", "GOCACHE"], { encoding: "utf8" }).stdout.trim(),
    // Without a C compiler Go before 1.20 cannot link its resolver.
    CGO_ENABLED: "0",
    NO_COLOR: "1",
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false"
  }
  let run = 0
  let compared = 0
  for (const name of pages) {
    // A project of the name of a package cannot install it, and the folder `go` is Go's own.
    const folder = join(home, `${name}-project`)
    mkdirSync(folder)
    const done = await runPage(`docs/recipes/${name}.md`, folder, place, environment, verdict)
    run += done.run
    compared += done.compared
  }
  return `${run} steps of the recipes for test suites, ${compared} outputs compared`
}
