import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { examples, neutral } from "@headgate/http-contract"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { headgate, headgateProcess } from "./headgate.ts"
import { type LocalServer, startLocalServer } from "./localServer.ts"
import { dashboard } from "./resourceDirectory.ts"

const bin = join(import.meta.dirname, "../bin/headgate.mjs")

let server: LocalServer
const pipeFile = "orders.pipe.json"
let directory = ""
let isHeld = (_method: string, _path: string): boolean => false
let held = (): void => {}

/** Stands between the process and the server. The server carries out a held request, but its answer never comes. */
const proxy = createServer((received: IncomingMessage, response: ServerResponse) => {
  const { headers, method = "", url = "" } = received
  const forwarded = request(new URL(url, server.url), {
    method,
    headers: { ...headers, host: new URL(server.url).host }
  })
  forwarded.on("response", (answer) => {
    if (!isHeld(method, url)) {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      return void answer.pipe(response)
    }
    answer.resume().once("end", () => held())
  })
  received.pipe(forwarded)
})
beforeAll(async () => {
  server = await startLocalServer()
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
})
beforeEach(async () => {
  await server.reset()
  isHeld = () => false
  directory = mkdtempSync(join(tmpdir(), "headgate-interrupt-"))
  writeFileSync(join(directory, pipeFile), JSON.stringify(examples(neutral).pipe.create.payload))
  return () => rmSync(directory, { recursive: true })
})
afterAll(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await server.stop()
})

const urlOfProxy = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
const env = () => ({ ...server.env, HEADGATE_URL: urlOfProxy(), XDG_CONFIG_HOME: directory })
const files = () => readdirSync(directory, { recursive: true, encoding: "utf8" }).toSorted()

/** Runs a command and sends SIGINT once a request that it made is held. */
const interruptAt = (predicate: typeof isHeld, args: ReadonlyArray<string>, more: Record<string, string> = {}) => {
  isHeld = predicate
  return headgateProcess(args, {
    cwd: directory,
    env: { ...env(), ...more },
    onStart: (kill) => (held = () => kill("SIGINT"))
  })
}

/** Runs a command in this process. */
const done = async (...args: ReadonlyArray<string>) => {
  const run = await headgate(args, { cwd: directory, env: env() })
  assert.strictEqual(run.exitCode, 0, run.stderr)
  return run.stdout
}
const namesOf = async (noun: string): Promise<ReadonlyArray<string>> =>
  JSON.parse(await done(noun, "list", "--json")).map(({ name }: { readonly name: string }) => name)
const newKey = async (): Promise<string> =>
  JSON.parse(await done("key", "create", "--name", "ci", "--role", "developer", "--json")).key.id

const sent = (expected: string) => (method: string) => method === expected
const may = (what: string) => `Interrupted: ${what}.\n`

describe("Ctrl-C while the answer of a change is awaited says what may have happened", () => {
  it("to a new pipe", async () => {
    const { exitCode, stderr, stdout } = await interruptAt(sent("POST"), ["pipe", "create", "--file", pipeFile])
    assert.deepStrictEqual([exitCode, stdout], [130, ""])
    assert.strictEqual(stderr, may("the pipe may have been created: see 'headgate pipe list'"))
    isHeld = () => false
    assert.lengthOf(await namesOf("pipe"), 1)
    assert.deepStrictEqual(files(), [pipeFile])
  })

  it.each<[string, string, (id: string) => ReadonlyArray<string>, string]>([
    ["a new key", "POST", () => ["key", "create", "--name", "x", "--role", "admin"], "key may have been created"],
    ["a changed key", "PATCH", (id) => ["key", "update", id, "--name", "x"], "key may have been changed"],
    ["a deleted key", "DELETE", (id) => ["key", "delete", id, "--yes"], "key may have been deleted"],
    ["the old key of a rotation", "PATCH", (id) => ["key", "rotate", id, "--yes"], "key may have been changed"]
  ])("to %s", async (_, method, command, what) => {
    const { exitCode, stderr } = await interruptAt(sent(method), command(await newKey()))
    assert.strictEqual(exitCode, 130)
    assert.isTrue(stderr.endsWith(may(`the ${what}: see 'headgate key list'`)), stderr)
    assert.deepStrictEqual(files(), [pipeFile])
  })

  it("to a service, and to a raw request", async () => {
    const stopped = await interruptAt(sent("PATCH"), ["service", "stop"])
    assert.strictEqual(stopped.stderr, may("the service may have been changed: see 'headgate service get'"))
    const raw = await interruptAt(sent("DELETE"), ["api", "DELETE", "/v1/unknown"])
    assert.strictEqual(raw.stderr, may("the service may have carried out DELETE /v1/unknown"))
    assert.deepStrictEqual([stopped.exitCode, raw.exitCode], [130, 130])
  })

  it("to the new key of a rotation, whose credentials are whole in their file", async () => {
    const command = ["key", "rotate", await newKey(), "--yes", "--credentials-file", "new.env"]
    const { exitCode, stderr } = await interruptAt(sent("POST"), command)
    assert.strictEqual(exitCode, 130)
    assert.include(stderr, "new.env holds credentials that may be of no key: see 'headgate key list'")
    assert.isTrue(stderr.endsWith(may("the key may have been created: see 'headgate key list'")), stderr)
    assert.deepStrictEqual(files(), ["new.env", pipeFile])
    assert.match(readFileSync(join(directory, "new.env"), "utf8"), /^HEADGATE_KEY_ID=\S+\nHEADGATE_KEY_SECRET=\S+\n$/)
  })

  it("to the resource that apply was creating", async () => {
    rmSync(join(directory, pipeFile))
    writeFileSync(join(directory, "errors.dashboard.json"), dashboard)
    const { exitCode, stderr } = await interruptAt(sent("POST"), ["apply", "-f", directory, "--yes"])
    assert.strictEqual(exitCode, 130)
    assert.include(stderr, 'Interrupted while creating dashboard "Errors". 0 of 1 changes were made.')
    assert.isTrue(stderr.endsWith(may("the dashboard may have been created: see 'headgate dashboard list'")), stderr)
    assert.deepStrictEqual(files(), ["errors.dashboard.json", "headgate.lock.json"])
    isHeld = () => false
    await done("apply", "-f", directory, "--yes")
    assert.lengthOf(await namesOf("dashboard"), 1)
  })
})

describe("Ctrl-C while the answer of a read is awaited says nothing and leaves no file", () => {
  it.each<[ReadonlyArray<string>]>([
    [["pipe", "list"]],
    [["export", "--dir", "."]],
    [["diff", "-f", "."]],
    [["login", "--profile", "x"]]
  ])("%j", async (command) => {
    const run = await interruptAt(sent("GET"), command)
    assert.deepStrictEqual(run, { exitCode: 130, stdout: "", stderr: "" })
    assert.deepStrictEqual(files(), [pipeFile])
  })

  it("and a check of a document changes nothing either", async () => {
    writeFileSync(join(directory, "errors.json"), dashboard)
    const run = await interruptAt(sent("POST"), ["dashboard", "validate", "--file", "errors.json"], {
      HEADGATE_TOKEN: server.token
    })
    assert.deepStrictEqual([run.exitCode, run.stderr], [130, ""])
  })

  it.each([[["wait", "--for", "Running"]], [["watch"]]])("pipe %j", async ([verb = "", ...flags]) => {
    const { id } = JSON.parse(await done("pipe", "create", "--file", join(directory, pipeFile), "--json"))
    const { exitCode, stderr } = await interruptAt(sent("GET"), ["pipe", verb, id, ...flags])
    assert.deepStrictEqual([exitCode, stderr], [130, ""])
  })

  it("pipe create --wait, once the pipe was created", async () => {
    const command = ["pipe", "create", "--file", pipeFile, "--wait"]
    const { exitCode, stderr, stdout } = await interruptAt(sent("GET"), command)
    assert.deepStrictEqual([exitCode, stdout], [130, ""])
    assert.match(stderr, /^Pipe \S+ is \w+, waiting for .* \(0s\)\n$/)
  })
})

/** Runs `headgate` at a pseudo-terminal and types Ctrl-C once it shows a text. */
const typeInterruptAt = (text: string, args: ReadonlyArray<string>, variables: Record<string, string>) =>
  new Promise<{ exitCode: number | null; screen: string }>((resolve, reject) => {
    const options = { cwd: directory, env: { PATH: process.env["PATH"], TERM: "xterm", ...variables } }
    const child = spawn("script", ["-qec", [process.execPath, bin, ...args].join(" "), "/dev/null"], options)
    let screen = ""
    let isTyped = false
    child.stdout.on("data", (chunk: Buffer) => {
      screen += String(chunk)
      if (isTyped || !screen.includes(text)) return
      isTyped = true
      child.stdin.write("\u0003")
    })
    child.once("error", reject)
    child.once("close", (exitCode) => resolve({ exitCode, screen }))
  })

// What is shown, without what moves the cursor or colours.
// oxlint-disable-next-line no-control-regex
const shownOn = (screen: string): string => screen.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, "")

describe("Ctrl-C at a question ends its line, and does nothing", () => {
  it.each(["URL of the service", "Key secret"])("of login: %s", async (question) => {
    const given = question === "Key secret" ? { HEADGATE_URL: urlOfProxy(), HEADGATE_KEY_ID: "x" } : {}
    const { exitCode, screen } = await typeInterruptAt(question, ["login"], { XDG_CONFIG_HOME: directory, ...given })
    assert.strictEqual(exitCode, 130, screen)
    assert.match(shownOn(screen), new RegExp(`${question}[^\r\n]*\r\n$`))
    assert.deepStrictEqual(files(), [pipeFile])
  })

  it("of key rotate and apply", async () => {
    const id = await newKey()
    const { exitCode, screen } = await typeInterruptAt("[y/N]", ["key", "rotate", id], env())
    assert.strictEqual(exitCode, 130, screen)
    assert.notInclude(screen, "may have")
    assert.match(shownOn(screen), /\[y\/N\] (\^C)?\r\n$/)
    assert.lengthOf(
      (await namesOf("key")).filter((name) => name === "ci"),
      1
    )
    rmSync(join(directory, pipeFile))
    writeFileSync(join(directory, "errors.dashboard.json"), dashboard)
    const apply = await typeInterruptAt("[y/N]", ["apply", "-f", "."], env())
    assert.strictEqual(apply.exitCode, 130, apply.screen)
    assert.match(shownOn(apply.screen), /\[y\/N\] (\^C)?\r\n$/)
    assert.deepStrictEqual(files(), ["errors.dashboard.json"])
    assert.lengthOf(await namesOf("dashboard"), 0)
  })
})
