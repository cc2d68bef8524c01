import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

/** The server that a trial tries unless it is told of another. */
export const builtServer = fileURLToPath(new URL("../../../../apps/server/bin/headgate-server.mjs", import.meta.url))

/** What a process printed, and how it ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** What it wrote on stderr once it had said that it listens: a server that is well has nothing to say there. */
  readonly complaints: string
}

/** A real `headgate-server` that takes requests. */
export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** How it ended; `undefined` while it runs. */
  readonly endedAs: () => Ended | undefined
  /** SIGKILL: no handler runs, nothing is flushed. Resolves when the process is gone. */
  readonly kill: () => Promise<Ended>
  /** SIGTERM, as an operator would. */
  readonly stop: () => Promise<Ended>
}

const startTimeout = 30_000

const announcement = /^headgate-server listening on .*\n(?: {2}.*\n)*\n?/m

/** What stands after the announcement; all of it, where there is none. */
export const complaintsIn = (stderr: string): string => {
  const found = announcement.exec(stderr)
  return found === null ? stderr : stderr.slice(found.index + found[0].length)
}

// Whatever ends the trial, no server outlives it.
const running = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130))

const launch = (script: string, args: ReadonlyArray<string>) => {
  // A clean environment: what is set where the trial runs must not reach the server.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("HEADGATE_"))
  const child = spawn(process.execPath, [script, ...args], {
    env: Object.fromEntries(inherited),
    stdio: ["ignore", "pipe", "pipe"]
  })
  running.add(child)
  const printed = { stdout: "", stderr: "" }
  // Decoded as streams: a character may be cut in two by the end of a chunk.
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text))
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code) => {
      running.delete(child)
      resolve({ code, ...printed, complaints: complaintsIn(printed.stderr) })
    })
  })
  return { child, printed, ended }
}

const listening = ({ child, ended, printed }: ReturnType<typeof launch>) =>
  new Promise<string>((resolve, reject) => {
    const slow = setTimeout(
      () => reject(new Error(`the server took more than ${startTimeout} ms to start`)),
      startTimeout
    )
    child.stderr.on("data", () => {
      const url = /listening on (\S+)/.exec(printed.stderr)?.[1]
      if (url === undefined) return
      clearTimeout(slow)
      resolve(url)
    })
    ended.then(
      ({ code, stderr }) => reject(new Error(`the server ended with ${code} as it started: ${stderr}`)),
      reject
    )
  })

/** Starts a server on a free port and answers once it takes requests. */
export const startServer = async (script: string, ...args: ReadonlyArray<string>): Promise<ServerProcess> => {
  const launched = launch(script, ["--port", "0", ...args])
  const { child, ended } = launched
  let endedAs: Ended | undefined
  ended.then(
    (result) => (endedAs = result),
    () => undefined
  )
  const url = await listening(launched)
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

/** Runs one command of `headgate-server` to its end; rejects, with what it said, unless it ended well. */
export const runServerCommand = async (script: string, ...args: ReadonlyArray<string>): Promise<Ended> => {
  const ended = await launch(script, args).ended
  if (ended.code === 0) return ended
  throw new Error(`headgate-server ${args[0]} ended with ${ended.code}: ${ended.stderr}`)
}
