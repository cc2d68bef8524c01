import * as Effect from "effect/Effect"
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { clearTimeout, setTimeout } from "node:timers"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

const bin = (app: string, file: string) => fileURLToPath(new URL(`../../../${app}/bin/${file}`, import.meta.url))

/** How long a process may take to end as it was told, in milliseconds: longer than any server takes. */
const longestWait = 30_000

/** What a process printed, and how it ended. */
export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** How a server ended. */
export interface Ended extends Finished {
  /** What it said on stderr after it had announced itself. */
  readonly complaints: string
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
    // A server on Postgres needs a sealing key; no other does.
    env: {
      ...Object.fromEntries(inherited),
      HEADGATE_SEALING_KEY: "q8Jc2ZkYt0yqvXyqkQ0XqL0o2m3mWJ9bq8v1Yh0uYvE=",
      ...env
    },
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

/** A port of 127.0.0.1 that takes connections, and never answers, until the end of the test. */
export const takenPort = Effect.acquireRelease(
  Effect.callback<Server>((resume) => {
    const server = createServer().listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => server.close())
).pipe(
  Effect.map((server) => {
    const address = server.address()
    return typeof address === "object" && address !== null ? address.port : 0
  })
)

/** A process that is gone at the end of the scope, whatever a test came to. */
const started = (...args: Parameters<typeof run>) =>
  Effect.acquireRelease(
    Effect.sync(() => run(...args)),
    ({ child, finished }) =>
      Effect.promise(async () => {
        child.kill("SIGTERM")
        const overdue = setTimeout(() => child.kill("SIGKILL"), longestWait)
        await finished
        clearTimeout(overdue)
      })
  )

/** Runs a process to its end; it ends with the test at the latest. */
const runToEnd = (...args: Parameters<typeof run>) =>
  Effect.scoped(Effect.flatMap(started(...args), ({ finished }) => Effect.promise(() => finished)))

/** Runs the real `headgate` to its end. */
export const headgate = (env: Record<string, string>, ...args: ReadonlyArray<string>) =>
  runToEnd(bin("cli", "headgate.mjs"), args, env)

const server = bin("server", "headgate-server.mjs")

/** Runs `headgate-server` to its end: an operator's command, or a server that is expected not to start. */
export const operate = (...args: ReadonlyArray<string>) => runToEnd(server, args)

/** The same, in an environment. */
export const operateIn = (env: Record<string, string>, ...args: ReadonlyArray<string>) => runToEnd(server, args, env)

/** The same, its stdout going to an open file. */
export const operateInto = (stdout: number, ...args: ReadonlyArray<string>) => runToEnd(server, args, {}, stdout)

/** A real `headgate-server` that takes requests. */
export interface ServerProcess {
  readonly url: string
  readonly pid: number
  readonly printed: Running["printed"]
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ended>
  readonly signal: (signal: NodeJS.Signals) => void
  /** Waits until something has been printed, on either stream. */
  readonly printedBy: (pattern: RegExp) => Promise<void>
  /** Reads nothing more of what it prints. */
  readonly closeStdout: () => void
}

/** Waits until a server takes requests; answers what it said until then, and where it listens. */
const listening = ({ child, finished, printed }: Running) =>
  Effect.promise(
    () =>
      new Promise<{ announced: string; url: string }>((resolve, reject) => {
        child.stderr?.on("data", () => {
          const [announced, url] = /^[^]*listening on (\S+)\n[^]*  docs .*\n\n/.exec(printed.stderr) ?? []
          if (announced !== undefined && url !== undefined) resolve({ announced, url })
        })
        void finished.then(({ code, stderr }) => reject(new Error(`headgate-server ended with ${code}: ${stderr}`)))
      })
  )

/** A `headgate-server` on a free port that has just been started, whatever comes of it. */
export const startingServer = (...args: ReadonlyArray<string>) => started(server, ["--port", "0", ...args])

/** Starts a real `headgate-server` in an environment, on a free port; it is stopped at the end of the test. */
export const serverProcessIn = Effect.fnUntraced(function* (
  env: Record<string, string>,
  ...args: ReadonlyArray<string>
) {
  const running = yield* started(server, ["--port", "0", ...args], env)
  const { announced, url } = yield* listening(running)
  const { child, finished, printed } = running
  const process: ServerProcess = {
    url,
    pid: child.pid ?? 0,
    printed,
    stop: async (signal = "SIGTERM") => {
      child.kill(signal)
      const ended = await finished
      return { ...ended, complaints: ended.stderr.slice(announced.length) }
    },
    signal: (signal) => void child.kill(signal),
    printedBy: async (pattern) => {
      while (!pattern.test(printed.stdout + printed.stderr)) await sleep(20)
    },
    closeStdout: () => void child.stdout?.destroy()
  }
  return process
})

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
