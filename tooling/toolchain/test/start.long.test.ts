import { execFile, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, describe, it } from "vitest"

const root = join(import.meta.dirname, "../../..")
const data = mkdtempSync(join(tmpdir(), "headgate-"))
afterAll(() => rmSync(data, { recursive: true }))

const node = async (...args: ReadonlyArray<string>) => {
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  return stdout
}

/** Starts and waits until the server stays up; returns what was printed and how to stop it. */
const startAndStay = (...args: ReadonlyArray<string>) =>
  new Promise<{ printed: string; stop: () => Promise<unknown> }>((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, "tooling/toolchain/start.mjs"), ...args], { cwd: root })
    const ended = new Promise((done) => child.once("close", done))
    const stop = () => {
      child.kill("SIGTERM")
      return ended
    }
    let printed = ""
    child.stdout.on("data", (chunk: Buffer) => {
      printed += String(chunk)
      if (printed.includes("They read the URL")) resolve({ printed, stop })
    })
    child.once("exit", (code) => reject(new Error(`npm start ended with ${code}: ${printed}`)))
  })

describe("npm start", () => {
  it("uses names of pipes that the guides do not use: a name would mean two", () => {
    const read = (path: string) => readFileSync(join(root, path), "utf8")
    const { organizations } = JSON.parse(read("tooling/toolchain/sample/snapshot.json"))
    const sample: ReadonlyArray<string> = [
      JSON.parse(read("tooling/toolchain/sample/pipe.json")).name,
      ...organizations
        .flatMap(({ services }: { services: ReadonlyArray<{ pipes: ReadonlyArray<{ name: string }> }> }) => services)
        .flatMap(({ pipes }: { pipes: ReadonlyArray<{ name: string }> }) => pipes.map(({ name }) => name))
    ]
    assert.strictEqual(new Set(sample).size, sample.length)
    const guide = Array.from(read("docs/moving-data.md").matchAll(/^name: (\S+)$/gm), ([, name]) => name)
    assert.isNotEmpty(guide)
    assert.deepStrictEqual(
      guide.filter((name) => sample.some((one) => one === name)),
      []
    )
  })

  it("writes the profile of its project, so that headgate needs no variables there, each time anew", async () => {
    const project = mkdtempSync(join(tmpdir(), "headgate-"))
    afterAll(() => rmSync(project, { recursive: true }))
    for (const _ of ["first", "second"]) {
      const { printed, stop } = await startAndStay("--data", join(project, ".headgate"))
      try {
        const file = join(project, ".headgate/config.json")
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        const { local } = JSON.parse(readFileSync(file, "utf8")).profiles
        for (const secret of [local.keySecret, local.token]) assert.notInclude(printed, secret)
        const cli = join(root, "apps/cli/bin/headgate.mjs")
        const env = { PATH: process.env["PATH"] }
        const { stdout } = await promisify(execFile)(process.execPath, [cli, "pipe", "list"], { cwd: project, env })
        assert.include(stdout, "orders")
      } finally {
        await stop()
      }
    }
  })

  it("leaves one key and one dashboard, however often it is run", async () => {
    const start = join(root, "tooling/toolchain/start.mjs")
    const printed = await node(start, "--once", "--data", data)
    assert.include(printed, "$ headgate dashboard create --file")
    // What it makes and deletes, it says.
    for (const noun of ["pipe", "key"])
      assert.match(printed, new RegExp(`^\\$ headgate ${noun} delete \\S+ --yes$`, "m"))
    assert.notInclude(await node(start, "--once", "--data", data), "$ headgate dashboard create --file")
    const server = join(root, "apps/server/bin/headgate-server.mjs")
    assert.strictEqual(JSON.parse(await node(server, "key", "list", "--json", "--data", data)).length, 1)
    const [{ dashboards }] = JSON.parse(await node(server, "export", "--data", data)).organizations
    assert.strictEqual(dashboards.length, 1)
  })
})
