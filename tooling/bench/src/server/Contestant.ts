import { type ServerProcess, serverScript, startProcess } from "@headgate/harness/ServerProcess"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { snapshot } from "./environment.ts"

export interface StartOptions {
  /** Where the server may keep its files. */
  readonly directory: string
  /** Whether it writes one JSON line for each request. */
  readonly isLogging: boolean
}

/** A server that is measured. */
export interface Contestant {
  readonly name: string
  readonly start: (options: StartOptions) => Promise<ServerProcess>
}

const fastify: Contestant = {
  name: "fastify",
  start: ({ isLogging }) =>
    startProcess(fileURLToPath(new URL("contestants/fastify.ts", import.meta.url)), isLogging ? ["--log"] : [], {
      keepStdout: false
    })
}

/** Starts headgate-server with these flags, on a free port. */
export const startHeadgate = (
  flags: ReadonlyArray<string>,
  { env = {}, isLogging = false }: { readonly isLogging?: boolean; readonly env?: Record<string, string> } = {}
): Promise<ServerProcess> => {
  const accessLog = `--access-log=${isLogging ? "json" : "off"}`
  // The load creates more dashboards than an organization may have, and copies a pipe again soon after the last time.
  const limits = ["--max-dashboards=0", "--max-documents=0", "--step=1ms"]
  return startProcess(serverScript, ["--port=0", accessLog, ...limits, ...flags], { env, keepStdout: false })
}

/** headgate-server over a store of its own that holds the snapshot; `flags` name the store. */
export const headgate = (
  name: string,
  flags: (directory: string) => ReadonlyArray<string>,
  env: Record<string, string> = {}
): Contestant => ({
  name,
  start: async ({ directory, isLogging }) => {
    const own = mkdtempSync(join(directory, "headgate-"))
    const file = join(own, "snapshot.json")
    writeFileSync(file, snapshot())
    const server = await startHeadgate([...flags(own), `--import=${file}`], { isLogging, env })
    const stop = async () => {
      const ended = await server.stop()
      rmSync(own, { recursive: true, force: true })
      return ended
    }
    return { ...server, stop }
  }
})

export const inSqlite = (directory: string) => [`--data=${join(directory, "data")}`]

export const contestants: ReadonlyArray<Contestant> = [
  fastify,
  headgate("headgate memory", () => ["--memory"]),
  headgate("headgate sqlite", inSqlite)
]
