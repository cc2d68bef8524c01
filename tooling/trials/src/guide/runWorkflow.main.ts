// Runs the `run` steps of the one job of a workflow of GitHub Actions as its runner does: each in a bash of its own, which ends at the
// first command that fails, with the variables that earlier steps have written to GITHUB_ENV. What they leave in the background lives until
// the end of the job.
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parse } from "yaml"

interface WorkflowStep {
  readonly name?: string
  readonly uses?: string
  readonly run?: string
  readonly if?: string
}

/** Actions whose work is done on this machine: the folder is the checkout, and Node is there. */
const done = /^actions\/(?:checkout|setup-node)@v\d+$/

const [path = ""] = process.argv.slice(2)
const { jobs } = parse(readFileSync(path, "utf8"))
const [job, ...others] = Object.values<{ readonly steps: ReadonlyArray<WorkflowStep> }>(jobs)
if (job === undefined || others.length > 0) throw new Error(`${path}: expected one job`)

const temporary = mkdtempSync(join(tmpdir(), "headgate-runner-"))
const variables = join(temporary, "env")
writeFileSync(variables, "")
const groups: Array<number> = []

const endAll = () => {
  for (const group of groups) {
    try {
      process.kill(-group, "SIGTERM")
    } catch {
      // Nothing of this step runs any more.
    }
  }
  rmSync(temporary, { recursive: true, force: true })
}

const runStep = (script: string): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const lines = readFileSync(variables, "utf8").split("\n")
    const given = lines.filter((line) => line !== "").map((line) => /^(\w+)=(.*)$/.exec(line)?.slice(1) ?? [line, ""])
    const bash = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
      env: { ...process.env, ...Object.fromEntries(given), CI: "true", GITHUB_ENV: variables, RUNNER_TEMP: temporary },
      stdio: "inherit",
      detached: true
    })
    if (bash.pid !== undefined) groups.push(bash.pid)
    bash.once("error", reject).once("exit", resolve)
  })

let hasFailed = false
process.once("exit", endAll)
for (const step of job.steps) {
  if (step.run === undefined) {
    if (!done.test(step.uses ?? "")) throw new Error(`${path}: ${step.uses}: this runner has no such action`)
    continue
  }
  if ((step.if === "failure()") !== hasFailed) continue
  process.stdout.write(`${step.name ?? step.run}\n`)
  hasFailed = (await runStep(step.run)) !== 0 || hasFailed
}
process.exitCode = hasFailed ? 1 : 0
