import { startProcess } from "@headgate/harness/ServerProcess"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { consoleOf } from "./ConsoleServer.ts"

const engineModule = new URL("../../../../toolchain/engineModule.mjs", import.meta.url)

/** Starts a server with pipes that move made-up rows. It needs the embedded engine in the folder HEADGATE_CHDB. */
export const startDemo = async (script: string, directory: string) => {
  const file = join(directory, "credentials.json")
  const server = await startProcess(
    script,
    ["--port", "0", "--demo", "--data", join(directory, "data"), "--credentials-file", file],
    {
      env: {
        NODE_OPTIONS: `--import ${engineModule.href}`,
        HEADGATE_ENGINE: process.env["HEADGATE_CHDB"] ?? ""
      }
    }
  )
  const [{ keyId, keySecret, organization, services, token }] = JSON.parse(readFileSync(file, "utf8"))
  const owner = { id: organization.id, serviceId: services[0].id, keyId, keySecret, token }
  return consoleOf(server, owner, owner)
}
