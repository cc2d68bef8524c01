import { spawn } from "node:child_process"
import type { Mark } from "./Marks.ts"
import type { Stage } from "./Stage.ts"

/** How a program is run. */
export interface Invocation {
  readonly args: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** What its stdout is documented to show; told from it where the program makes it. */
  readonly shows?: (stdout: string) => ReadonlyArray<Mark>
  /** Whether it must end well; most here must not. */
  readonly succeeds?: boolean
}

export interface Printed {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const patience = 30_000

/** Runs a program to its end. */
const run = (script: string, { args, env = {}, stdin = "" }: Invocation): Promise<Printed> =>
  new Promise((resolve, reject) => {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("HEADGATE_"))
    const child = spawn(process.execPath, [script, ...args], {
      env: { ...Object.fromEntries(inherited), ...env },
      timeout: patience,
      killSignal: "SIGKILL"
    })
    const printed = { stdout: "", stderr: "" }
    child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text))
    // A program that ends without reading has closed its stdin.
    child.stdin.on("error", () => undefined)
    child.stdin.end(stdin)
    child.once("error", reject)
    child.once("close", (code) => {
      if (code === null)
        reject(new Error(`${args.join(" ")}: not done after ${patience} ms; it printed ${JSON.stringify(printed)}`))
      else resolve({ code, ...printed })
    })
  })

/** Runs a program and keeps what it printed. Rejects when it ended otherwise than it should: then it showed nothing. */
export const runAndKeep = async (
  { search }: Stage,
  name: string,
  script: string,
  invocation: Invocation
): Promise<Printed> => {
  const printed = await run(script, invocation)
  const { code, stderr, stdout } = printed
  if ((code === 0) !== (invocation.succeeds ?? false)) {
    throw new Error(`${name}: it ended with ${code}; stdout: ${stdout.slice(0, 500)}; stderr: ${stderr.slice(0, 500)}`)
  }
  search.add(`${name}, stdout`, stdout, invocation.shows?.(stdout))
  search.add(`${name}, stderr`, stderr)
  return printed
}
