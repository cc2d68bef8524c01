import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

// By its path: the server has the console, whose types are this package's, and a dependency on it would be a cycle.
const bin = join(import.meta.dirname, "../../../../apps/server/bin/headgate-server.mjs")

/** A running `headgate-server`, in memory. */
export interface TestServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Starts a server on a free port with a snapshot; resolves when it accepts requests. */
export const startServer = (snapshot: unknown, ...flags: ReadonlyArray<string>): Promise<TestServer> => {
  const directory = mkdtempSync(join(tmpdir(), "headgate-client-"))
  const file = join(directory, "snapshot.json")
  writeFileSync(file, JSON.stringify(snapshot))
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("HEADGATE_"))
  const child = spawn(process.execPath, [bin, "--memory", "--port", "0", "--import", file, ...flags], {
    env: Object.fromEntries(inherited),
    stdio: ["ignore", "pipe", "pipe"]
  })
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => {
      rmSync(directory, { recursive: true, force: true })
      resolve()
    })
  })
  const stop = () => {
    child.kill()
    return ended
  }
  return new Promise((resolve, reject) => {
    let printed = ""
    // Its access log is not needed.
    child.stdout.resume()
    child.stderr.on("data", (chunk: Buffer) => {
      printed += String(chunk)
      const url = /listening on (\S+)/.exec(printed)?.[1]
      if (url !== undefined) resolve({ url, stop })
    })
    child.once("error", reject)
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${printed}`)))
  })
}
