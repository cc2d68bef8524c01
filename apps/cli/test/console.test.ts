import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeEach, describe, it } from "vitest"
import { everything, headgate, headgateProcess, organization } from "./headgate.ts"
import { enveloped, errorReply, service } from "./Service.ts"

const api = service()
const code = `hgc_${"a1B2".repeat(10)}`
const expiresAt = "2026-10-18T17:45:00.000Z"

const directory = mkdtempSync(join(tmpdir(), "headgate-"))
afterAll(() => rmSync(directory, { recursive: true }))
const temporary = join(directory, "tmp")
const programs = join(directory, "bin")
const opened = join(directory, "opened.json")

beforeEach(() => {
  api.respondWith(enveloped({ code, expiresAt }))
  for (const made of [temporary, programs]) {
    rmSync(made, { recursive: true, force: true })
    mkdirSync(made)
  }
  rmSync(opened, { force: true })
})

/** Puts a program that opens files into the PATH: it notes its arguments, and what it finds in the file. */
const installOpener = (exitCode = 0) => {
  const file = join(programs, process.platform === "darwin" ? "open" : "xdg-open")
  const script = `#!${process.execPath}
const { readFileSync, statSync, writeFileSync } = require("node:fs")
const { dirname } = require("node:path")
const [file] = process.argv.slice(2)
const mode = (path) => (statSync(path).mode & 0o777).toString(8)
const seen = { args: process.argv.slice(2), text: readFileSync(file, "utf8"), modes: [mode(file), mode(dirname(file))] }
writeFileSync(${JSON.stringify(opened)}, JSON.stringify(seen))
process.exit(${exitCode})
`
  writeFileSync(file, script)
  chmodSync(file, 0o755)
}

/** What this program left. Node keeps its compiled code there, too. */
const left = () => readdirSync(temporary).filter((name) => name.startsWith("headgate-"))

const run = (...args: ReadonlyArray<string>) => headgate(["console", ...args], { env: everything(api.url) })

const open = (...args: ReadonlyArray<string>) =>
  headgateProcess(["console", "--open", ...args], {
    env: { ...everything(api.url), PATH: programs, TMPDIR: temporary }
  })

describe("headgate console", () => {
  it("prints the address of the console, with a code in its fragment", async () => {
    const { exitCode, stderr, stdout } = await run()
    assert.deepStrictEqual([exitCode, stdout], [0, `${api.url}/console#code=${code}\n`])
    assert.include(stderr, "signs in once, within 5 minutes")
    assert.deepStrictEqual(
      api.received.map(({ method, path }) => [method, path]),
      [["POST", `/v1/organizations/${organization}/consoleCodes`]]
    )
  })

  it("keeps the path of the URL", async () => {
    for (const end of ["", "/"]) {
      const { stdout } = await run("--url", `${api.url}/below${end}`)
      assert.strictEqual(stdout, `${api.url}/below/console#code=${code}\n`)
    }
  })

  it("prints JSON", async () => {
    const { stdout } = await run("--json")
    assert.deepStrictEqual(JSON.parse(stdout), { url: `${api.url}/console#code=${code}`, expiresAt })
  })

  it.each([404, 405])("says of an API that answers %i that it has no console", async (status) => {
    api.respondWith(errorReply(status, "NOT_FOUND: no such path"))
    const { exitCode, stderr, stdout } = await run()
    assert.deepStrictEqual([exitCode, stdout], [1, ""])
    assert.include(stderr, `The API at ${api.url} has no console: only headgate-server has one.`)
    assert.include(stderr, `POST /v1/organizations/${organization}/consoleCodes, HTTP ${status}`)
  })

  it("passes on why the key gets no code", async () => {
    api.respondWith(errorReply(403, "FORBIDDEN: the key's IP access list does not hold the address of this request"))
    const { exitCode, stderr } = await run()
    assert.strictEqual(exitCode, 4)
    assert.include(stderr, "IP access list")
  })
})

describe("headgate console --open", () => {
  it("hands the browser a file for this user alone, and prints no code", async () => {
    installOpener()
    const { exitCode, stderr, stdout } = await open()
    assert.strictEqual(exitCode, 0, stderr)
    assert.notInclude(stdout + stderr, code)
    const { args, modes, text } = JSON.parse(readFileSync(opened, "utf8"))
    assert.strictEqual(args.length, 1)
    assert.notInclude(args[0], code)
    assert.isTrue(args[0].startsWith(temporary))
    assert.deepStrictEqual(modes, ["600", "700"])
    assert.include(text, `url=${api.url}/console#code=${code}"`)
  })

  it("prints no code with --json", async () => {
    installOpener()
    const { stdout } = await open("--json")
    assert.deepStrictEqual(JSON.parse(stdout), { opened: true, expiresAt })
  })

  it("escapes what the URL holds", async () => {
    installOpener()
    await open("--url", `${api.url}/a"<b&c`)
    const { text } = JSON.parse(readFileSync(opened, "utf8"))
    assert.notMatch(text, /"<b|a"</)
  })

  it.each(["no program to open files", "a program that fails"])(
    "with %s says what to do, and leaves no file",
    async (what) => {
      if (what === "a program that fails") installOpener(3)
      const { exitCode, stderr, stdout } = await open()
      assert.deepStrictEqual([exitCode, stdout], [2, ""])
      assert.include(stderr, "No browser was opened")
      assert.include(stderr, "Run 'headgate console' without --open")
      assert.notInclude(stderr, code)
      assert.deepStrictEqual(left(), [])
    }
  )

  it("removes the files of earlier commands whose codes have expired, and no other", async () => {
    installOpener()
    const make = (name: string, minutes: number) => {
      const made = join(temporary, name)
      mkdirSync(made)
      writeFileSync(join(made, "open.html"), "")
      const written = Date.now() / 1000 - minutes * 60
      utimesSync(made, written, written)
    }
    make("headgate-console-old", 6)
    make("headgate-console-young", 4)
    make("headgate-other", 60)
    await open()
    assert.notInclude(left(), "headgate-console-old")
    assert.includeMembers(left(), ["headgate-console-young", "headgate-other"])
    assert.strictEqual(left().length, 3)
  })
})
