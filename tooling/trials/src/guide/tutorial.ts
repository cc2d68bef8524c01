import { cliScript, serverScript } from "@headgate/harness/ServerProcess"
import { storageMissing } from "@headgate/harness/ObjectStorage"
import { say, type Verdict } from "@headgate/harness/Verdict"
import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { engineMissing } from "../../../../packages/mover-clickhouse/test/support/engine.ts"
import { makePlace } from "./Place.ts"
import { runPage } from "./runPage.ts"

const page = "docs/moving-data.md"

/** Runs the tutorial of moved rows, with the programs that it installs. Returns the number of its steps. */
export const runTutorial = async (directory: string, verdict: Verdict): Promise<number> => {
  const missing = engineMissing() ?? storageMissing()
  if (missing !== undefined) {
    if (process.env["HEADGATE_REQUIRE_MOVE"] === "1") throw new Error(missing)
    say(`guide: ${page} was not run: ${missing}`)
    return 0
  }
  const root = join(directory, "tutorial")
  const programs = join(root, "bin")
  mkdirSync(programs, { recursive: true })
  // The server finds the engine in the folders above its own file.
  const bundle = join(root, "headgate-server")
  cpSync(join(dirname(serverScript), ".."), bundle, {
    recursive: true,
    filter: (path) => !/\/(?:node_modules|src|test|\.turbo)$/u.test(path)
  })
  symlinkSync(join(process.env["HEADGATE_CHDB"] ?? "", "node_modules"), join(root, "node_modules"))
  const scripts = { "headgate-server": join(bundle, "bin", "headgate-server.mjs"), headgate: cliScript }
  const lines = Object.entries(scripts).map(
    ([name, script]) => `${name}) exec "${process.execPath}" "${script}" "$@" ;;`
  )
  writeFileSync(
    join(programs, "npx"),
    ["#!/bin/sh", 'name="$1"; shift', 'case "$name" in', ...lines, "esac"].join("\n")
  )
  chmodSync(join(programs, "npx"), 0o755)
  const path = [programs, dirname(process.execPath), dirname(process.env["HEADGATE_MOTO"] ?? ""), process.env["PATH"]]
  const place = await makePlace(root)
  const environment = { PATH: path.join(":"), HOME: root, TZ: "UTC" }
  return (await runPage(page, root, place, environment, verdict)).run
}
