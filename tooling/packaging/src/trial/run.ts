import { spawn } from "node:child_process"

/** How a process ended. One that could not be started has no code, and the reason is in `stderr`. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end. Its environment has no setting of Headgate but those in `env`. */
export const run = (
  command: string,
  args: ReadonlyArray<string>,
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> }
): Promise<Ended> =>
  new Promise((resolve) => {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("HEADGATE_"))
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...Object.fromEntries(inherited), ...options.env },
      shell: process.platform === "win32",
      stdio: ["ignore", "pipe", "pipe"]
    })
    const printed = { stdout: "", stderr: "" }
    child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text))
    child.once("error", (error) => resolve({ code: null, stdout: printed.stdout, stderr: error.message }))
    child.once("close", (code) => resolve({ code, ...printed }))
  })
