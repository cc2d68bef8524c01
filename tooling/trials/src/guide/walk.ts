import { spawn } from "node:child_process"
import type { Step } from "./Step.ts"

/** What came of one step. */
export interface Walked {
  readonly step: Step
  readonly printed: string
}

/** How far a walk came. */
export interface Walk {
  readonly walked: ReadonlyArray<Walked>
  /** Whether the last of them failed, and the walk ended there. */
  readonly isBroken: boolean
}

const marker = "\u001e"

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const scriptOf = (step: Step): string =>
  step._tag === "Run"
    ? step.commands
    : `mkdir -p "$(dirname ${quoted(step.path)})" && printf %s ${quoted(step.text)} > ${quoted(step.path)}`

/**
 * Takes the steps in one shell, so that what one of them sets the next ones know, until one fails: what they print on
 * stdout and stderr is kept for each.
 */
export const walk = (
  steps: ReadonlyArray<Step>,
  here: (text: string) => string,
  environment: Readonly<Record<string, string>>
): Promise<Walk> =>
  new Promise((resolve, reject) => {
    const script = [
      "set -eu",
      "exec 2>&1",
      ...steps.flatMap((step) => [`printf ${quoted(marker)}`, here(scriptOf(step))]),
      `printf ${quoted(marker)}`
    ].join("\n")
    const shell = spawn("bash", ["-c", script], { env: { ...environment }, stdio: ["ignore", "pipe", "inherit"] })
    let output = ""
    shell.stdout.setEncoding("utf8").on("data", (text: string) => (output += text))
    shell.once("error", reject)
    shell.once("exit", (code) => {
      const parts = output.split(marker).slice(1)
      resolve({
        walked: steps.slice(0, parts.length).map((step, index) => ({ step, printed: parts[index] ?? "" })),
        isBroken: code !== 0
      })
    })
  })
