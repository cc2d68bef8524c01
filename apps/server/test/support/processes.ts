import * as Effect from "effect/Effect"
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"

const bin = (app: string, file: string) => fileURLToPath(new URL(`../../../${app}/bin/${file}`, import.meta.url))

/** What a process printed, and how it ended. */
export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A process whose output is kept while it runs. */
interface Running {
  readonly child: ChildProcess
  readonly printed: { stdout: string; stderr: string }
  readonly finished: Promise<Finished>
}

const run = (
  script: string,
  args: ReadonlyArray<string>,
  env: Record<string, string> = {},
  stdout: number | "pipe" = "pipe"
): Running => {
  // A clean environment: what is set where the tests run must not reach the programs under test.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("HEADGATE_"))
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ["ignore", stdout, "pipe"]
  })
  const printed = { stdout: "", stderr: "" }
  child.stdout?.on("data", (chunk) => (printed.stdout += chunk))
  child.stderr?.on("data", (chunk) => (printed.stderr += chunk))
  const finished = new Promise<Finished>((resolve) => child.once("close", (code) => resolve({ code, ...printed })))
  return { child, printed, finished }
}

/** An empty directory, removed at the end of the test. */
export const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "headgate-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

/** Runs the real `headgate` to its end. */
export const headgate = (env: Record<string, string>, ...args: ReadonlyArray<string>) =>
  Effect.promise(() => run(bin("cli", "headgate.mjs"), args, env).finished)

/** Runs `headgate-server` to its end: an operator's command, or a server that is expected not to start. */
export const operate = (...args: ReadonlyArray<string>) =>
  Effect.promise(() => run(bin("server", "headgate-server.mjs"), args).finished)

/** The same, in an environment. */
export const operateIn = (env: Record<string, string>, ...args: ReadonlyArray<string>) =>
  Effect.promise(() => run(bin("server", "headgate-server.mjs"), args, env).finished)

/** The same, its stdout going to an open file. */
export const operateInto = (stdout: number, ...args: ReadonlyArray<string>) =>
  Effect.promise(() => run(bin("server", "headgate-server.mjs"), args, {}, stdout).finished)

/** A real `headgate-server` that takes requests. */
export interface ServerProcess {
  readonly url: string
  readonly pid: number
  readonly printed: Running["printed"]
  readonly stop: (signal?: NodeJS.Signals) => Promise<Finished>
  readonly signal: (signal: NodeJS.Signals) => void
  /** Waits until something has been printed, on either stream. */
  readonly printedBy: (pattern: RegExp) => Promise<void>
  /** Reads nothing more of what it prints. */
  readonly closeStdout: () => void
}

const launch = async (args: ReadonlyArray<string>, env: Record<string, string>): Promise<ServerProcess> => {
  const running = run(bin("server", "headgate-server.mjs"), ["--port", "0", ...args], env)
  const stop = (signal: NodeJS.Signals = "SIGTERM") => {
    running.child.kill(signal)
    return running.finished
  }
  const url = await new Promise<string>((resolve, reject) => {
    running.child.stdout?.on("data", () => {
      const found = /listening on (\S+)/.exec(running.printed.stdout)?.[1]
      if (found !== undefined) resolve(found)
    })
    running.finished.then(({ code, stderr }) => reject(new Error(`headgate-server ended with ${code}: ${stderr}`)))
  })
  const printedBy = async (pattern: RegExp) => {
    while (!pattern.test(running.printed.stdout + running.printed.stderr)) await setTimeout(20)
  }
  return {
    url,
    pid: running.child.pid ?? 0,
    printed: running.printed,
    stop,
    signal: (signal) => void running.child.kill(signal),
    printedBy,
    closeStdout: () => void running.child.stdout?.destroy()
  }
}

/** A `headgate-server` that has just been started, whatever comes of it; it is gone at the end of the test. */
export const startingServer = (...args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => run(bin("server", "headgate-server.mjs"), ["--port", "0", ...args])),
    ({ child, finished }) =>
      Effect.promise(() => {
        child.kill("SIGTERM")
        return finished
      })
  )

/** Starts a real `headgate-server` in an environment, on a free port; it is stopped at the end of the test. */
export const serverProcessIn = (env: Record<string, string>, ...args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(() => launch(args, env)),
    (server) => Effect.promise(() => server.stop())
  )

/** The same, in an environment that says nothing. */
export const serverProcess = (...args: ReadonlyArray<string>) => serverProcessIn({}, ...args)

/** One organization of a credentials file. */
export interface StoredCredentials {
  readonly organization: { readonly id: string; readonly name: string }
  readonly services: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly keyId: string
  readonly keySecret: string
  readonly token: string
}

export const readCredentials = (file: string): ReadonlyArray<StoredCredentials> =>
  JSON.parse(readFileSync(file, "utf8"))

/** The environment in which `headgate` talks to a server with these credentials. */
export const environmentOf = (url: string, credentials: StoredCredentials): Record<string, string> => ({
  HEADGATE_URL: url,
  HEADGATE_ORGANIZATION: credentials.organization.id,
  ...(credentials.services[0] === undefined ? {} : { HEADGATE_SERVICE: credentials.services[0].id }),
  HEADGATE_KEY_ID: credentials.keyId,
  HEADGATE_KEY_SECRET: credentials.keySecret,
  HEADGATE_TOKEN: credentials.token
})
