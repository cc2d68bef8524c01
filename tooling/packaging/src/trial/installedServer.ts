import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** The server that the installed programs call, and its credentials. */
export interface InstalledServer {
  readonly environment: Readonly<Record<string, string>>
  readonly stop: () => Promise<void>
}

interface Credentials {
  readonly keyId: string
  readonly keySecret: string
  readonly token: string
  readonly organization: { readonly id: string }
  readonly services: ReadonlyArray<{ readonly id: string }>
}

interface SnapshotDocument {
  readonly organizations: ReadonlyArray<{
    readonly services: ReadonlyArray<{ readonly pipes: ReadonlyArray<{ readonly id: string }> }>
  }>
}

const startTimeout = 30_000

/** Starts the installed `headgate-server` on a free port with a snapshot and resolves when it accepts requests. */
export const startInstalledServer = async (bin: string, folder: string, snapshot: string): Promise<InstalledServer> => {
  const credentialsFile = join(folder, "credentials.json")
  const args = ["--memory", "--port", "0", "--import", snapshot, "--credentials-file", credentialsFile]
  const server = spawn(bin, args, {
    cwd: folder,
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "pipe"]
  })
  const kill = () => server.kill("SIGKILL")
  process.once("exit", kill)
  let printed = ""
  const ended = new Promise<number | null>((resolve, reject) => {
    server.once("error", reject)
    server.once("close", resolve)
  })
  const url = await new Promise<string>((resolve, reject) => {
    const slow = setTimeout(() => reject(new Error("headgate-server did not start in time")), startTimeout)
    // The access log is not needed.
    server.stdout.resume()
    server.stderr.setEncoding("utf8").on("data", (text: string) => {
      printed += text
      const found = /listening on (\S+)/.exec(printed)?.[1]
      if (found === undefined) return
      clearTimeout(slow)
      resolve(found)
    })
    ended.then((code) => reject(new Error(`headgate-server ended with ${code}: ${printed}`)), reject)
    void ended.finally(() => clearTimeout(slow))
  })
  const [credentials]: ReadonlyArray<Credentials> = JSON.parse(readFileSync(credentialsFile, "utf8"))
  const { organizations }: SnapshotDocument = JSON.parse(readFileSync(snapshot, "utf8"))
  const pipe = organizations[0]?.services[0]?.pipes[0]
  const service = credentials?.services[0]
  if (credentials === undefined || service === undefined || pipe === undefined) {
    throw new Error(`${credentialsFile} or ${snapshot} is not as expected`)
  }
  return {
    environment: {
      HEADGATE_URL: url,
      HEADGATE_ORGANIZATION: credentials.organization.id,
      HEADGATE_SERVICE: service.id,
      HEADGATE_KEY_ID: credentials.keyId,
      HEADGATE_KEY_SECRET: credentials.keySecret,
      HEADGATE_TOKEN: credentials.token,
      PIPE: pipe.id,
      SNAPSHOT: snapshot
    },
    stop: async () => {
      server.kill("SIGTERM")
      await ended
      process.off("exit", kill)
    }
  }
}
