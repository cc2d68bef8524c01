import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeEach, describe, it } from "vitest"
import { configHome } from "./configHome.ts"
import { headgate, organization, secrets, serviceId } from "./headgate.ts"
import { enveloped, service } from "./Service.ts"

const api = service()
const home = configHome()
const directory = mkdtempSync(join(tmpdir(), "headgate-keyring-"))
afterAll(() => rmSync(directory, { recursive: true }))
beforeEach(home.clear)

/** Writes a package with the interface of @napi-rs/keyring. */
const keyring = (name: string, source: string): string => {
  const file = join(directory, `${name}.cjs`)
  writeFileSync(file, source)
  return file
}

const store = join(directory, "store.json")

const working = keyring(
  "working",
  `const { existsSync, readFileSync, writeFileSync } = require("node:fs")
const file = ${JSON.stringify(store)}
const read = () => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {})
exports.Entry = class {
  constructor(service, account, { linux }) {
    if (linux.store !== "secret-service") throw new Error("would fall back silently")
    this.name = service + " " + account
  }
  getPassword() { return read()[this.name] ?? null }
  setPassword(secret) { writeFileSync(file, JSON.stringify({ ...read(), [this.name]: secret })) }
  deletePassword() { const { [this.name]: _, ...rest } = read(); writeFileSync(file, JSON.stringify(rest)) }
}`
)

const locked = keyring("locked", `exports.Entry = class { setPassword(secret) { throw new Error("it is locked") } }`)

// What blocks the thread cannot be interrupted by a timer.
const silent = keyring("silent", `exports.Entry = class { setPassword() { for (;;) {} } }`)

const inKeychain = () => JSON.parse(readFileSync(store, "utf8"))

const run = (args: ReadonlyArray<string>, keyringFile?: string) =>
  headgate(args, { env: home.env, ...(keyringFile === undefined ? {} : { keyring: keyringFile }) })

const login = (keyringFile?: string, where = "keychain") => {
  api.respondWith(({ path }) => {
    if (path.includes("/dashboards")) return { status: 200, body: { data: [] } }
    return enveloped([{ id: path.endsWith("/services") ? serviceId : organization, name: "n", state: "running" }])
  })
  const credentials = ["--key-id", "k", "--key-secret", secrets.keySecret, "--token", secrets.token]
  return run(["login", "--profile", "p", "--url", api.url, "--store", where, ...credentials], keyringFile)
}

describe("login --store keychain", () => {
  it("keeps the secrets in the keychain alone, and commands read them there", async () => {
    assert.strictEqual((await login(working)).exitCode, 0)
    assert.notInclude(readFileSync(home.file, "utf8"), "s3cr3t")
    assert.deepStrictEqual(inKeychain(), {
      [`headgate ${home.file}#p#keySecret`]: secrets.keySecret,
      [`headgate ${home.file}#p#token`]: secrets.token
    })
    assert.strictEqual((await run(["organization", "list"], working)).exitCode, 0)
    const basic = Buffer.from(`k:${secrets.keySecret}`).toString("base64")
    assert.strictEqual(api.received.at(-1)?.headers.authorization, `Basic ${basic}`)
    assert.strictEqual((await run(["profile", "delete", "p", "--yes"], working)).exitCode, 0)
    assert.deepStrictEqual(inKeychain(), {})
  })

  it("removes the secrets from the keychain when the profile moves to the file", async () => {
    await login(working)
    assert.strictEqual((await login(working, "file")).exitCode, 0)
    assert.deepStrictEqual(inKeychain(), {})
    assert.strictEqual(home.read().profiles["p"]?.["token"], secrets.token)
  })

  it.each<[string, string | undefined, string]>([
    ["is not installed", undefined, "npm install --global @napi-rs/keyring"],
    ["refuses", locked, "The keychain refused: it is locked"],
    ["does not answer", silent, "The keychain did not answer within 2 s"]
  ])("saves nothing anywhere if the keychain %s", async (_, file, words) => {
    const ended = await login(file)
    assert.deepStrictEqual([ended.exitCode, ended.stdout], [2, ""])
    assert.include(ended.stderr, words)
    assert.include(ended.stderr, "--store file")
    assert.notInclude(ended.stderr, "s3cr3t")
    assert.throws(() => home.read(), /ENOENT/)
  })

  it("says what to do if the keychain has lost a secret", async () => {
    await login(working)
    writeFileSync(store, "{}")
    const ended = await run(["organization", "list"], working)
    assert.strictEqual(ended.exitCode, 2)
    assert.include(ended.stderr, "run 'headgate login --profile p'")
  })
})
