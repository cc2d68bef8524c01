import { storageMissing } from "@headgate/harness/ObjectStorage"
import { say, type Verdict } from "@headgate/harness/Verdict"
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { engineMissing } from "../../../../packages/mover-clickhouse/test/support/engine.ts"
import { makePlace } from "./Place.ts"
import { runPage } from "./runPage.ts"

/** A page for a newcomer, and whether it needs the engine and the storage that moved rows need. */
interface FirstPage {
  readonly path: string
  readonly movesRows?: true
}

/** In the order in which a newcomer reads them: the later ones install what the first one has packed. */
export const firstPages: ReadonlyArray<FirstPage> = [
  { path: "docs/start.md" },
  { path: "docs/move-your-first-rows.md", movesRows: true },
  { path: "docs/test-your-client.md" }
]

const shellScript = (path: string, lines: ReadonlyArray<string>) => {
  writeFileSync(path, ["#!/bin/sh", ...lines, ""].join("\n"))
  chmodSync(path, 0o755)
}

/** Programs in front of those of the machine. The engine (540 MB) and the storage are here: the pages need not fetch them again. */
const makePrograms = (folder: string) => {
  mkdirSync(folder, { recursive: true })
  const behind = `PATH=$(printf %s "$PATH" | sed 's|${folder}:||')`
  const engine = process.env["HEADGATE_CHDB"] ?? ""
  shellScript(join(folder, "npm"), [
    `version=$(sed -n 's/^ *"version": "\\(.*\\)".*/\\1/p' "${engine}/node_modules/chdb/package.json" 2>/dev/null)`,
    'if [ "$*" = "install chdb@$version" ]; then',
    `  exec ln -s "${engine}/node_modules/chdb" node_modules/chdb`,
    "fi",
    `${behind} exec npm "$@"`
  ])
  const storage = dirname(dirname(process.env["HEADGATE_MOTO"] ?? ""))
  shellScript(join(folder, "python3"), [
    `if [ "$*" = "-m venv storage" ]; then exec ln -s "${storage}" storage; fi`,
    `${behind} exec python3 "$@"`
  ])
}

/** Runs the pages for a newcomer, in a home directory in which nothing is but a checkout. Answers what was done. */
export const runFirstPages = async (directory: string, verdict: Verdict): Promise<string> => {
  const missing = engineMissing() ?? storageMissing()
  if (missing !== undefined && process.env["HEADGATE_REQUIRE_MOVE"] === "1") throw new Error(missing)
  const root = join(directory, "pages")
  const home = join(root, "home", "you")
  mkdirSync(home, { recursive: true })
  symlinkSync(fileURLToPath(new URL("../../../..", import.meta.url)), join(home, "headgate"))
  const place = await makePlace(root)
  makePrograms(join(root, "bin"))
  const environment = {
    PATH: [join(root, "bin"), dirname(process.execPath), process.env["PATH"] ?? ""].join(":"),
    HOME: home,
    TZ: "UTC",
    // Nothing is fetched: npm would ask the registry for the optional peers of a package, too.
    npm_config_offline: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false"
  }
  let run = 0
  let compared = 0
  for (const { movesRows, path } of firstPages) {
    if (movesRows === true && missing !== undefined) {
      say(`guide: ${path} was not run: ${missing}`)
      continue
    }
    const done = await runPage(path, home, place, environment, verdict)
    run += done.run
    compared += done.compared
  }
  return `${run} steps of the pages for a newcomer, ${compared} outputs compared`
}
