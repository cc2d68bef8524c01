import { type ChildProcess, spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { join } from "node:path"

/** Who takes part, and how its process is started. */
export interface Contestant {
  readonly name: string
  readonly isHeadgate: boolean
  readonly script: string
  /** A directory of its own is made for each start. */
  readonly args: (options: { readonly logging: boolean; readonly directory: string }) => ReadonlyArray<string>
}

const scriptOf = (name: string) => fileURLToPath(new URL(`contestants/${name}.ts`, import.meta.url))

export const headgateScript = fileURLToPath(new URL("../../../../apps/server/bin/headgate-server.mjs", import.meta.url))

/** What makes headgate-server write one JSON line for each request, or none. */
const accessLog = (logging: boolean): string => `--access-log=${logging ? "json" : "off"}`

const other = (name: string): Contestant => ({
  name,
  isHeadgate: false,
  script: scriptOf(name),
  args: ({ logging }) => (logging ? ["--log"] : [])
})

const headgate = (store: string, storeFlags: (directory: string) => ReadonlyArray<string>): Contestant => ({
  name: `headgate ${store}`,
  isHeadgate: true,
  script: headgateScript,
  args: ({ directory, logging }) => [
    ...storeFlags(directory),
    "--port=0",
    `--import=${join(directory, "snapshot.json")}`,
    accessLog(logging)
  ]
})

/** In the order of a round. */
export const contestants: ReadonlyArray<Contestant> = [
  other("raw"),
  other("fastify"),
  other("hono"),
  headgate("memory", () => ["--memory"]),
  headgate("sqlite", (directory) => ["--data", join(directory, "data")])
]

/** A server that takes requests. */
export interface Running {
  readonly url: string
  readonly pid: number
  readonly stop: () => Promise<void>
}

// Whatever ends the benchmark, no server outlives it.
const running = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130))

/** Starts a script on the Node that runs this and answers once it has said where it listens. */
export const start = (script: string, args: ReadonlyArray<string>): Promise<Running> =>
  new Promise((resolve, reject) => {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("HEADGATE_"))
    const env = { ...Object.fromEntries(inherited), NODE_ENV: "production" }
    const child = spawn(process.execPath, [script, ...args], { env, stdio: ["ignore", "pipe", "pipe"] })
    running.add(child)
    let printed = ""
    let complaint = ""
    const ended = new Promise<void>((done) =>
      child.once("close", (code) => {
        running.delete(child)
        reject(new Error(`${script} ended with ${code} as it started: ${complaint}`))
        done()
      })
    )
    child.once("error", reject)
    child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text))
    const read = (text: string) => {
      printed += text
      const url = /listening on (\S+)/.exec(printed)?.[1]
      if (url === undefined) return
      // What follows is the log of the requests: read, as a pipe to a collector would be, and dropped.
      child.stdout.off("data", read).resume()
      child.stderr.off("data", read)
      resolve({
        url,
        pid: child.pid ?? 0,
        stop: () => {
          child.kill("SIGTERM")
          return ended
        }
      })
    }
    child.stdout.setEncoding("utf8").on("data", read)
    // Headgate's stdout is its access log alone.
    child.stderr.on("data", read)
  })

/** The CPU time that a process and its threads have used, in microseconds: user and system, from /proc. */
export const cpuMicroseconds = (pid: number): number => {
  const tasks = `/proc/${pid}/task`
  // Nanoseconds on a CPU, by thread; /proc/<pid>/stat counts in steps of 10 ms.
  return readdirSync(tasks).reduce((sum, task) => {
    const [nanoseconds = "0"] = readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ")
    return sum + Number(nanoseconds) / 1000
  }, 0)
}

/** The memory that a process holds, in MiB. */
export const residentMebibytes = (pid: number): number => {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return Number(kilobytes ?? 0) / 1024
}
