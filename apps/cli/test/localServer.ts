import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"

const bin = join(import.meta.dirname, "../../server/bin/headgate-server.mjs")

/** A `headgate-server` in memory. */
export interface LocalServer {
  readonly url: string
  /** A token of the same organization. */
  readonly token: string
  /** The environment of a `headgate` with an admin key. */
  readonly env: Readonly<Record<string, string>>
  /** Takes away everything that was created. */
  readonly reset: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts a server on a free port, whose pipes pass a state in 20 ms. */
export const startLocalServer = async (...flags: ReadonlyArray<string>): Promise<LocalServer> => {
  const directory = mkdtempSync(join(tmpdir(), "headgate-cli-server-"))
  const file = join(directory, "credentials.json")
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("HEADGATE_"))
  const own = ["--memory", "--port", "0", "--admin", "--step", "20ms", "--credentials-file", file]
  const child = spawn(process.execPath, [bin, ...own, ...flags], {
    env: Object.fromEntries(inherited),
    stdio: ["ignore", "ignore", "pipe"]
  })
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    let printed = ""
    child.stderr.on("data", (chunk: Buffer) => {
      printed += String(chunk)
      const found = /listening on (\S+)/.exec(printed)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${printed}`)))
  })
  const [{ keyId, keySecret, organization, services, token }] = JSON.parse(readFileSync(file, "utf8"))
  rmSync(directory, { recursive: true })
  return {
    url,
    token,
    env: {
      HEADGATE_URL: url,
      HEADGATE_ORGANIZATION: organization.id,
      HEADGATE_SERVICE: services[0].id,
      HEADGATE_KEY_ID: keyId,
      HEADGATE_KEY_SECRET: keySecret
    },
    // A connection of its own: an idle one that `fetch` keeps may be closed by now.
    reset: () =>
      new Promise((resolve, reject) => {
        const reset = request(`${url}/_admin/reset`, { method: "POST", agent: false }, (response) => {
          response.resume().once("end", () => {
            if (response.statusCode === 200 || response.statusCode === 204) resolve()
            else reject(new Error(`reset: ${response.statusCode}`))
          })
        })
        reset.once("error", reject).end()
      }),
    stop: () => {
      child.kill()
      return ended
    }
  }
}
