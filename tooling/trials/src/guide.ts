// Runs the commands of pages in order and compares their output with the page, in parts: `guide`, the operator's guide, whose
// configuration files are checked by the tools that read them, and whose metrics are looked up; `pages`, those for a newcomer;
// `recipes`, those for test suites.
import { runTrial, type TrialOptions } from "@headgate/harness/Command"
import { cliScript, serverScript } from "@headgate/harness/ServerProcess"
import { Verdict } from "@headgate/harness/Verdict"
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { postgresBinaries } from "../../../packages/sql-adapter/test/support/postgresBinaries.ts"
import { makePlace } from "./guide/Place.ts"
import { checkConfiguration } from "./guide/checkConfiguration.ts"
import { runPage } from "./guide/runPage.ts"
import { startPostgres } from "./guide/startPostgres.ts"
import { runFirstPages } from "./guide/firstPages.ts"
import { runRecipes } from "./guide/recipes.ts"

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const guide = "docs/operators-guide.md"
const needed = ["bash", "curl", "jq", "openssl", "setsid", "sqlite3", "psql"]

const isHere = (tool: string) => spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0

/** Installs a program as npm would; `before` are lines of shell. */
const install = (root: string, name: string, script: string, before = "") => {
  const path = join(root, "opt", "headgate", "bin", name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${before}exec "${process.execPath}" "${script}" "$@"\n`)
  chmodSync(path, 0o755)
}

/** The default port may be in use: a server without `--port` gets the free one that stands for it. */
const defaultPort = (port: string) => `case " $* " in
" --version "* | *" --port "*) ;;
" --"*) set -- "$@" --port ${port} ;;
esac
`

/** Runs the operator's guide. Answers what was done. */
const runGuide = async (server: string, directory: string, verdict: Verdict): Promise<string> => {
  const missing = needed.filter((tool) => !isHere(tool))
  const binaries = postgresBinaries()
  if (missing.length > 0 || binaries === undefined) {
    throw new Error(`apt-get install curl jq openssl postgresql sqlite3: ${missing[0] ?? "Postgres"} is not installed`)
  }
  const root = join(directory, "guide")
  mkdirSync(root)
  const place = await makePlace(root)
  install(root, "headgate-server", server, defaultPort(place.here(":7420").slice(1)))
  install(root, "headgate", cliScript)
  // Postgres and the stand-ins for other users look into it.
  for (const folder of [directory, root]) chmodSync(folder, 0o755)
  for (const folder of ["etc/headgate", "run", "var/backups/headgate", "var/lib/headgate"]) {
    mkdirSync(join(root, folder), { recursive: true })
  }
  const stopPostgres = await startPostgres(binaries, join(root, "var", "run", "postgresql"))
  const machine = file("./guide/machine")
  const environment = {
    PATH: `${machine}:${process.env["PATH"] ?? ""}`,
    HOME: root,
    TZ: "UTC",
    // A server of test/broken starts this one.
    TRIAL_SERVER: serverScript,
    GUIDE_ROOT: root,
    GUIDE_NODE: dirname(process.execPath)
  }
  const stopService = () => spawnSync(join(machine, "systemctl"), ["stop", "headgate"], { env: environment })
  process.once("exit", stopService)

  const { compared, markdown, outputs, run, steps } = await runPage(guide, root, place, environment, verdict)
  stopService()
  await stopPostgres()

  const measured = new Set(outputs.join("\n").match(/\b(?:headgate|process|nodejs)_\w+/g))
  const named = markdown.match(/\b(?:headgate|nodejs|process)_[a-z_]+/g) ?? []
  const known = (name: string) => measured.has(name) || measured.has(name.replace(/_bucket$/, ""))
  const unknown = named.filter((name) => name !== "headgate_migrations" && name !== "headgate_restored" && !known(name))
  verdict.none(unknown, "metrics that /metrics does not have")

  const files = steps.flatMap((step) => (step._tag === "Write" ? [step] : []))
  const checked = checkConfiguration(files, root, verdict)
  return (
    `${run} steps of ${steps.length}, ${compared} outputs compared, ` +
    `${checked} of ${files.length} files checked by the tools that read them`
  )
}

const trial = async ({ only, server }: TrialOptions, directory: string) => {
  const verdict = new Verdict("guide")
  const isChosen = (part: string) => only === undefined || new RegExp(only).test(part)
  const done: Array<string> = []
  if (isChosen("guide")) done.push(await runGuide(server, directory, verdict))
  if (isChosen("pages")) done.push(await runFirstPages(directory, verdict))
  if (isChosen("recipes")) done.push(await runRecipes(directory, verdict))
  verdict.end(`${[...done, `${verdict.count} faults`].join("; ")}`)
}

await runTrial("guide", { name: "runs", byDefault: 1 }, trial)
