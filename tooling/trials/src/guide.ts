// Is the operator's guide true? All that it has its reader run is run, in order, and prints what the guide says; its
// configuration is what the tools that read it accept; every metric that it names is there.
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { postgresBinaries } from "../../../packages/sql-adapter/test/support/postgresBinaries.ts"
import { checkConfiguration } from "./guide/checkConfiguration.ts"
import { difference } from "./guide/difference.ts"
import { makePlace } from "./guide/Place.ts"
import { startPostgres } from "./guide/startPostgres.ts"
import { stepsOf } from "./guide/Step.ts"
import { walk } from "./guide/walk.ts"
import { runTrial, type TrialOptions } from "./report/Trial.ts"
import { Verdict } from "./report/Verdict.ts"

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const guide = "docs/operators-guide.md"
const needed = ["bash", "curl", "jq", "openssl", "setsid", "sqlite3", "psql"]

const isHere = (tool: string) => spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0

/** A program of ours, as npm would install it; `before` are lines of shell. */
const install = (root: string, name: string, script: string, before = "") => {
  const path = join(root, "opt", "headgate", "bin", name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${before}exec "${process.execPath}" "${script}" "$@"\n`)
  chmodSync(path, 0o755)
}

/** The port that nobody names is not free for sure: a server that is told of none gets the one that stands for it. */
const usualPort = (port: string) => `case " $* " in
" --version "* | *" --port "*) ;;
" --"*) set -- "$@" --port ${port} ;;
esac
`

const trial = async ({ server }: TrialOptions, root: string) => {
  const missing = needed.filter((tool) => !isHere(tool))
  const binaries = postgresBinaries()
  if (missing.length > 0 || binaries === undefined) {
    throw new Error(`apt-get install curl jq openssl postgresql sqlite3: there is no ${missing[0] ?? "Postgres"}`)
  }
  const verdict = new Verdict("guide")
  const markdown = readFileSync(file(`../../../${guide}`), "utf8")
  const steps = stepsOf(markdown)
  const place = await makePlace(root)
  install(root, "headgate-server", server, usualPort(place.here(":7420").slice(1)))
  install(root, "headgate", file("../../../apps/cli/bin/headgate.mjs"))
  chmodSync(root, 0o755)
  for (const folder of ["etc/headgate", "run", "var/backups/headgate", "var/lib/headgate"]) {
    mkdirSync(join(root, folder), { recursive: true })
  }
  const stopPostgres = await startPostgres(binaries, join(root, "var", "run", "postgresql"))
  const machine = file("./guide/machine")
  const environment = {
    PATH: `${machine}:${process.env["PATH"] ?? ""}`,
    HOME: root,
    TZ: "UTC",
    GUIDE_ROOT: root,
    GUIDE_NODE: dirname(process.execPath)
  }
  const stopService = () => spawnSync(join(machine, "systemctl"), ["stop", "headgate"], { env: environment })
  process.once("exit", stopService)

  const { isBroken, walked } = await walk(steps, place.here, environment)
  stopService()
  await stopPostgres()
  const outputs: Array<string> = []
  let compared = 0
  for (const { printed, step } of walked) {
    if (step._tag === "Write") continue
    const told = place.there(printed)
    outputs.push(told)
    if (step.printed === undefined) continue
    compared++
    const wrong = difference(step.printed, told)
    verdict.hold(wrong === undefined, `${guide}:${step.line}: ${wrong}`)
  }
  const last = walked.at(-1)
  verdict.hold(
    !isBroken,
    `${guide}:${last?.step.line ?? 0}: the commands failed: ${place.there(last?.printed ?? "").trim()}`
  )

  const measured = new Set(outputs.join("\n").match(/\b(?:headgate|process|nodejs)_\w+/g))
  const named = markdown.match(/\b(?:headgate|nodejs|process)_[a-z_]+/g) ?? []
  const known = (name: string) => measured.has(name) || measured.has(name.replace(/_bucket$/, ""))
  const strangers = named.filter(
    (name) => name !== "headgate_migrations" && name !== "headgate_restored" && !known(name)
  )
  verdict.none(strangers, "names that /metrics does not tell")

  const files = steps.flatMap((step) => (step._tag === "Write" ? [step] : []))
  const checked = checkConfiguration(files, root, verdict)
  verdict.end(
    `${walked.length} steps of ${steps.length}, ${compared} outputs compared, ${checked} of ${files.length} files checked ` +
      `by the tools that read them, ${verdict.found} faults`
  )
}

await runTrial("guide", { name: "walks", usual: 1 }, trial)
