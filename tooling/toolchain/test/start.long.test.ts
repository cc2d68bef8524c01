import { execFile, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, describe, it } from "vitest"

const root = join(import.meta.dirname, "../../..")
const start = join(root, "tooling/toolchain/start.mjs")
const data = mkdtempSync(join(tmpdir(), "headgate-"))
afterAll(() => rmSync(data, { recursive: true }))

const node = async (...args: ReadonlyArray<string>) => {
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  return stdout
}

/** Runs to the end; returns the exit code and what was printed. */
const runToEnd = (environment: Record<string, string>, ...args: ReadonlyArray<string>) =>
  new Promise<{ code: number | null; printed: string }>((resolve, reject) => {
    const env = { PATH: process.env["PATH"] ?? "", ...environment }
    const child = spawn(process.execPath, [start, ...args], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] })
    let printed = ""
    child.stdout.on("data", (chunk: Buffer) => (printed += String(chunk)))
    child.stderr.on("data", (chunk: Buffer) => (printed += String(chunk)))
    child.once("error", reject)
    child.once("close", (code) => resolve({ code, printed }))
  })

/** Starts and waits until the server stays up; returns what was printed and how to stop it. */
const startAndStay = (...args: ReadonlyArray<string>) =>
  new Promise<{ printed: string; stop: () => Promise<unknown> }>((resolve, reject) => {
    const child = spawn(process.execPath, [start, ...args], { cwd: root })
    const ended = new Promise((done) => child.once("close", done))
    const stop = () => {
      child.kill("SIGTERM")
      return ended
    }
    let printed = ""
    child.stdout.on("data", (chunk: Buffer) => {
      printed += String(chunk)
      if (/#code=\S+\n/.test(printed)) resolve({ printed, stop })
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
    const guide = ["docs/start.md", "docs/move-your-first-rows.md", "docs/moving-data.md"].flatMap((page) =>
      Array.from(read(page).matchAll(/^name: (\S+)$/gm), ([, name]) => name)
    )
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
        const [, page, code] = /^ {2}(\S+)\/console#code=(\S+)$/m.exec(printed) ?? []
        assert.strictEqual(page, local.url)
        const signIn = () =>
          fetch(`${local.url}/v1/consoleSessions`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ code })
          })
        assert.deepStrictEqual([(await signIn()).status, (await signIn()).status], [200, 401])
      } finally {
        await stop()
      }
    }
  })

  it("leaves one key and one dashboard, however often it is run", async () => {
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

describe("npm start -- --demo", () => {
  it("says what it would install and what to type, where nobody can be asked", async () => {
    const folder = join(data, "no engine here")
    const { code, printed } = await runToEnd({ HEADGATE_CHDB: folder }, "--demo", "--data", join(data, "demo"))
    assert.strictEqual(code, 1)
    for (const part of ["chdb@3.4.0, about 540 MB", "no engine here", "npm start -- --demo --yes"])
      assert.include(printed, part)
    assert.isFalse(existsSync(folder))
    assert.isFalse(existsSync(join(data, "demo")))
  })

  it("installs the engine with npm into its folder, and says when that fails", async () => {
    const [folder, programs] = [join(data, "engine"), join(data, "programs")]
    mkdirSync(programs)
    // In the place of npm: 540 MB are not loaded for a test.
    writeFileSync(join(programs, "npm"), '#!/bin/sh\necho "npm was called with: $*"\nexit 3\n', { mode: 0o755 })
    const PATH = `${programs}:${process.env["PATH"]}`
    const { code, printed } = await runToEnd(
      { HEADGATE_CHDB: folder, PATH },
      "--demo",
      "--yes",
      "--data",
      join(data, "demo")
    )
    assert.strictEqual(code, 1)
    assert.include(printed, `npm was called with: install --prefix ${folder}`)
    assert.match(printed, /--save-exact chdb@3\.4\.0\n/)
    assert.include(printed, "npm could not install chdb@3.4.0")
  })

  it("is refused beside other flags", async () => {
    const { code, printed } = await runToEnd({}, "--yes")
    assert.strictEqual(code, 1)
    assert.include(printed, "--yes goes with --demo")
  })

  const engine = process.env["HEADGATE_CHDB"] ?? ""
  it.skipIf(engine === "" && process.env["HEADGATE_REQUIRE_CHDB"] !== "1")(
    "shows pipes that move, and ends",
    async () => {
      const project = mkdtempSync(join(tmpdir(), "headgate-"))
      afterAll(() => rmSync(project, { recursive: true }))
      const directory = join(project, ".headgate", "demo")
      const { code, printed } = await runToEnd({ HEADGATE_CHDB: engine }, "--demo", "--once", "--data", directory)
      assert.strictEqual(code, 0, printed)
      assert.match(printed, /^de300000-\S+ +Running +kafka +clicks/m)
      assert.include(printed, "The rows are made up")
      // The profile is that of the project, as without --demo.
      assert.isTrue(existsSync(join(project, ".headgate", "config.json")))
    }
  )
})
