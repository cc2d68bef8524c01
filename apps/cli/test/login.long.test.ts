import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { configHome } from "./configHome.ts"
import { headgateProcess } from "./headgate.ts"

const root = join(import.meta.dirname, "../../..")
const bin = join(import.meta.dirname, "../bin/headgate.mjs")
const home = configHome()

interface Credentials {
  readonly keyId: string
  readonly keySecret: string
  readonly token: string
  readonly organization: { readonly id: string }
  readonly services: ReadonlyArray<{ readonly id: string }>
}

/** A real server with the sample organization, and the credentials that it made. */
const startServer = () =>
  new Promise<{ url: string; credentials: Credentials; stop: () => void }>((resolve, reject) => {
    const credentialsFile = join(home.file, "../../credentials.json")
    const snapshot = join(root, "tooling/toolchain/sample/snapshot.json")
    const server = join(root, "apps/server/bin/headgate-server.mjs")
    const args = ["--memory", "--port", "0", "--import", snapshot, "--credentials-file", credentialsFile]
    const child = spawn(process.execPath, [server, ...args], { env: { PATH: process.env["PATH"] } })
    let printed = ""
    child.stdout.resume()
    child.stderr.on("data", (chunk: Buffer) => {
      printed += String(chunk)
      const url = /listening on (\S+)/.exec(printed)?.[1]
      if (url === undefined) return
      const [credentials] = JSON.parse(readFileSync(credentialsFile, "utf8"))
      resolve({ url, credentials, stop: () => child.kill() })
    })
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${printed}`)))
  })

/** Runs `headgate` at a pseudo-terminal and gives each question its answer. */
const atTerminal = (args: ReadonlyArray<string>, answers: ReadonlyArray<readonly [question: string, answer: string]>) =>
  new Promise<{ exitCode: number | null; screen: string }>((resolve, reject) => {
    const command = [process.execPath, bin, ...args].join(" ")
    const env = { PATH: process.env["PATH"], TERM: "xterm", ...home.env }
    const child = spawn("script", ["-qec", command, "/dev/null"], {
      cwd: home.file.replace(/headgate.config.json$/, ""),
      env
    })
    let screen = ""
    let answered = 0
    const read = (chunk: Buffer) => {
      screen += String(chunk)
      const next = answers[answered]
      if (next === undefined || !screen.includes(next[0])) return
      answered++
      child.stdin.write(`${next[1]}\r`)
    }
    child.stdout.on("data", read)
    child.stderr.on("data", read)
    child.once("error", reject)
    child.once("close", (exitCode) => resolve({ exitCode, screen }))
  })

describe("headgate login at a terminal, with a real server", () => {
  let server: Awaited<ReturnType<typeof startServer>>
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.stop())

  it("asks for what is missing, shows no secret, and the next command needs nothing more", async () => {
    const { keyId, keySecret, organization, services, token } = server.credentials
    const { exitCode, screen } = await atTerminal(
      ["login"],
      [
        ["URL of the service", server.url],
        ["Key ID", keyId],
        ["Key secret", keySecret],
        ["Token for dashboards", token]
      ]
    )
    assert.strictEqual(exitCode, 0, screen)
    assert.notInclude(screen, keySecret)
    assert.notInclude(screen, token)
    const profile = home.read().profiles[new URL(server.url).host]
    assert.include(profile, { keyId, keySecret, token, organization: organization.id, service: services[0]?.id })
    const pipes = await headgateProcess(["pipe", "list"], { env: home.env })
    assert.deepStrictEqual([pipes.exitCode, pipes.stderr], [0, ""])
    assert.include(pipes.stdout, "orders")
    const dashboards = await headgateProcess(["dashboard", "list"], { env: home.env })
    assert.deepStrictEqual([dashboards.exitCode, dashboards.stderr.split(":")[0]], [0, "No dashboards yet"])
  })

  it("asks for the secret alone if the key id is given, and says that the service refused it", async () => {
    const args = ["login", "--profile", "wrong", "--url", server.url, "--key-id", server.credentials.keyId]
    const { exitCode, screen } = await atTerminal(args, [["Key secret", "hgs_wrong"]])
    assert.strictEqual(exitCode, 4, screen)
    assert.include(screen.replaceAll("\r\n", "\n"), `refused the key ${server.credentials.keyId}`)
    assert.notProperty(home.read().profiles, "wrong")
  })
})
