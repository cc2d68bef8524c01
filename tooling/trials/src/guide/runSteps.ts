import { spawn } from "node:child_process"
import type { Step } from "./Step.ts"

/** The result of one step. */
export interface StepResult {
  readonly step: Step
  readonly printed: string
}

export interface RunResult {
  readonly results: ReadonlyArray<StepResult>
  /** Whether the last of them failed; the steps behind it were not run. */
  readonly hasFailed: boolean
}

const marker = "\u001e"

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const scriptOf = (step: Step): string =>
  step._tag === "Run"
    ? step.commands
    : `mkdir -p "$(dirname ${quoted(step.path)})" && printf %s ${quoted(step.text)} > ${quoted(step.path)}`

// In milliseconds. A command that waits for what never comes would keep the trial for ever.
const longestRun = 900_000

/** Runs the steps in one shell in a directory, which keeps their variables, until one fails. Keeps stdout and stderr of each. */
export const runSteps = (
  steps: ReadonlyArray<Step>,
  here: (text: string) => string,
  environment: Readonly<Record<string, string>>,
  cwd: string
): Promise<RunResult> =>
  new Promise((resolve, reject) => {
    const script = [
      "set -eu",
      "exec 2>&1",
      ...steps.flatMap((step) => [`printf ${quoted(marker)}`, here(scriptOf(step))]),
      `printf ${quoted(marker)}`
    ].join("\n")
    const shell = spawn("bash", ["-c", script], {
      cwd,
      env: { ...environment },
      stdio: ["ignore", "pipe", "inherit"],
      detached: true
    })
    // What the steps have started in the background is of the same group.
    const end = () => {
      try {
        process.kill(-(shell.pid ?? 0), "SIGKILL")
      } catch {
        // Nothing of it runs any more.
      }
    }
    process.once("exit", end)
    const timer = setTimeout(end, longestRun)
    let output = ""
    shell.stdout.setEncoding("utf8").on("data", (text: string) => (output += text))
    shell.once("error", reject)
    shell.once("exit", (code) => {
      clearTimeout(timer)
      end()
      process.off("exit", end)
      const parts = output.split(marker).slice(1)
      resolve({
        results: steps.slice(0, parts.length).map((step, index) => ({ step, printed: parts[index] ?? "" })),
        hasFailed: code !== 0
      })
    })
  })
