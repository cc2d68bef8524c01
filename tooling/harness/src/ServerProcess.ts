import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

const built = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/** The scripts under test: the built ones, or those that `TRIAL_SERVER` and `TRIAL_CLI` name. */
export const serverScript = process.env["TRIAL_SERVER"] ?? built("apps/server/bin/headgate-server.mjs")
export const cliScript = process.env["TRIAL_CLI"] ?? built("apps/cli/bin/headgate.mjs")

/** What a process printed and how it ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A server process that accepts requests. */
export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** How it ended; `undefined` while it runs. */
  readonly endedAs: () => Ended | undefined
  /** Sends SIGKILL (no handler runs, nothing is flushed) and resolves when the process is gone. */
  readonly kill: () => Promise<Ended>
  /** Sends SIGTERM and resolves when the process is gone. */
  readonly stop: () => Promise<Ended>
}

export interface ProgramOptions {
  readonly args: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** The working directory: that of this process if it is absent. */
  readonly cwd?: string
}

// On a machine that is busy with other work a start takes long, and nothing is judged by it.
const startTimeout = 120_000
const programTimeout = 30_000

const announcement = /^headgate-server listening on .*\n(?: {2}.*\n)*\n?/m

// It tells of a client, not of the server.
const refusedFields = /^\[[\d:.]+\] WARN \(#\d+\): refused the unknown field ".*\n/gm

/** The errors that a server wrote to stderr after it announced its address; everything, if it never did. */
export const complaintsIn = (stderr: string): string => {
  const found = announcement.exec(stderr)
  return found === null ? stderr : stderr.slice(found.index + found[0].length).replaceAll(refusedFields, "")
}

// No child process outlives this one.
const running = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130))

// Only servers on Postgres use it.
const sealingKey = "q8Jc2ZkYt0yqvXyqkQ0XqL0o2m3mWJ9bq8v1Yh0uYvE="

const launch = (script: string, { args, cwd, env = {}, stdin }: ProgramOptions) => {
  // The settings of the shell that runs the trial must not reach the server.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("HEADGATE_"))
  const child = spawn(process.execPath, [script, ...args], {
    cwd,
    env: { ...Object.fromEntries(inherited), NODE_ENV: "production", HEADGATE_SEALING_KEY: sealingKey, ...env }
  })
  running.add(child)
  const printed = { stdout: "", stderr: "" }
  const keep = { stdout: true }
  // Decoded as streams: the end of a chunk may split a character.
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (keep.stdout) printed.stdout += text
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text))
  // A program that ends without reading has closed its stdin.
  child.stdin.on("error", () => undefined).end(stdin)
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code) => {
      running.delete(child)
      resolve({ code, ...printed })
    })
  })
  return { child, printed, ended, keep }
}

/** Starts a script that prints `listening on <url>` and resolves when it does. */
export const startProcess = async (
  script: string,
  args: ReadonlyArray<string>,
  { env = {}, keepStdout = true }: { readonly env?: Record<string, string>; readonly keepStdout?: boolean } = {}
): Promise<ServerProcess> => {
  const { child, ended, keep, printed } = launch(script, { args, env })
  let endedAs: Ended | undefined
  ended.then(
    (result) => (endedAs = result),
    () => undefined
  )
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${script} did not start in ${startTimeout} ms`)), startTimeout)
    const look = () => {
      const found = /listening on (\S+)/.exec(printed.stderr + printed.stdout)?.[1]
      if (found === undefined) return
      for (const stream of [child.stdout, child.stderr]) stream.off("data", look)
      clearTimeout(timer)
      resolve(found)
    }
    for (const stream of [child.stdout, child.stderr]) stream.on("data", look)
    ended.then(
      ({ code, stderr }) => reject(new Error(`${script} ended with ${code} during its start: ${stderr}`)),
      reject
    )
  })
  // An access log is read, as a collector would, and dropped.
  keep.stdout = keepStdout
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  return {
    url,
    pid: child.pid ?? 0,
    endedAs: () => endedAs,
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM")
  }
}

/** Starts a `headgate-server` on a free port. */
export const startServer = (script: string, ...args: ReadonlyArray<string>): Promise<ServerProcess> =>
  startProcess(script, ["--port", "0", ...args])

/** Runs a program to its end, whatever its exit code. */
export const runProgram = async (script: string, options: ProgramOptions): Promise<Ended> => {
  const { child, ended } = launch(script, options)
  const timer = setTimeout(() => child.kill("SIGKILL"), programTimeout)
  const result = await ended
  clearTimeout(timer)
  if (result.code !== null) return result
  throw new Error(`${options.args.join(" ")}: not done after ${programTimeout} ms: ${JSON.stringify(result)}`)
}

/** Runs a command of `headgate-server` and returns its stdout; rejects unless it exits with 0. */
export const runServerCommand = async (script: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const { code, stderr, stdout } = await runProgram(script, { args })
  if (code === 0) return stdout
  throw new Error(`headgate-server ${args[0]} ended with ${code}: ${stderr}`)
}
