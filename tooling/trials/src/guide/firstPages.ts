import { storageMissing } from "@headgate/harness/ObjectStorage"
import { say, type Verdict } from "@headgate/harness/Verdict"
import { dirname, join } from "node:path"
import { engineMissing } from "../../../../packages/mover-clickhouse/test/support/engine.ts"
import { makeNewcomer, type Newcomer, runPages, writeProgram } from "./Newcomer.ts"
import { makePlace } from "./Place.ts"

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

/** The engine (540 MB) and the storage are here: the pages need not fetch them again. */
const makePrograms = (newcomer: Newcomer) => {
  const behind = `PATH=$(printf %s "$PATH" | sed 's|${newcomer.programs}:||')`
  const engine = process.env["HEADGATE_CHDB"] ?? ""
  writeProgram(newcomer, "npm", [
    `version=$(sed -n 's/^ *"version": "\\(.*\\)".*/\\1/p' "${engine}/node_modules/chdb/package.json" 2>/dev/null)`,
    'if [ "$*" = "install chdb@$version" ]; then',
    `  exec ln -s "${engine}/node_modules/chdb" node_modules/chdb`,
    "fi",
    `${behind} exec npm "$@"`
  ])
  const storage = dirname(dirname(process.env["HEADGATE_MOTO"] ?? ""))
  writeProgram(newcomer, "python3", [
    `if [ "$*" = "-m venv storage" ]; then exec ln -s "${storage}" storage; fi`,
    `${behind} exec python3 "$@"`
  ])
}

/** Runs the pages for a newcomer, in a home directory in which nothing is but a checkout. Answers what was done. */
export const runFirstPages = async (directory: string, verdict: Verdict): Promise<string> => {
  const missing = engineMissing() ?? storageMissing()
  if (missing !== undefined && process.env["HEADGATE_REQUIRE_MOVE"] === "1") throw new Error(missing)
  const root = join(directory, "pages")
  const newcomer = { home: join(root, "home", "you"), programs: join(root, "bin") }
  makeNewcomer(newcomer)
  makePrograms(newcomer)
  const pages = firstPages.flatMap(({ movesRows, path }) => {
    if (movesRows === true && missing !== undefined) {
      say(`guide: ${path} was not run: ${missing}`)
      return []
    }
    return [{ page: path, directory: newcomer.home }]
  })
  // Nothing is fetched: npm would ask the registry for the optional peers of a package, too.
  const environment = { TZ: "UTC", npm_config_offline: "true" }
  return runPages(pages, "the pages for a newcomer", newcomer, await makePlace(root), environment, verdict)
}
