import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeEach, describe, it } from "vitest"
import { configHome } from "./configHome.ts"
import { everything, headgate, organization, pipeId, serviceId } from "./headgate.ts"
import { enveloped, errorReply, service } from "./Service.ts"

const api = service()
const home = configHome()
const newId = "c45fe636-390e-414f-84de-0aea9eda25e4"
const hash = (text: string) => createHash("sha256").update(text).digest("base64")
const old = { id: pipeId, name: "ci", state: "enabled", roles: ["admin"], keySuffix: "4f2c" }
const profile = {
  url: "",
  organization,
  service: serviceId,
  keyId: "abcdefghijklmnop4f2c",
  keySecret: "hgs_old",
  token: "hgt_token"
}

const created = ({ method }: { readonly method: string }) =>
  enveloped(method === "POST" ? { key: { ...old, id: newId } } : old)
const hashOfSecret = (): string =>
  JSON.parse(api.received.find(({ method }) => method === "POST")?.body ?? "{}").hashData.keySecretHash

beforeEach(() => {
  home.clear()
  api.respondWith(created)
})

describe("key rotate of the key of a profile", () => {
  const pending = join(home.file, "../home.rotated.env")
  const rotate = (...args: ReadonlyArray<string>) =>
    headgate(["key", "rotate", pipeId, "--yes", ...args], { env: home.env })
  const withProfile = (change: object = {}) =>
    home.write({ current: "home", profiles: { home: { ...profile, url: api.url, ...change }, other: { url: "x" } } })

  it("saves the new credentials in it, and the old one is used to the end", async () => {
    withProfile()
    const { exitCode, stderr, stdout } = await rotate()
    assert.strictEqual(exitCode, 0, stderr)
    assert.include(stderr, `credentials: to the profile "home" in ${home.file}`)
    const { keyId, keySecret, ...rest } = home.read().profiles["home"] ?? {}
    const { keyId: _, keySecret: __, ...before } = profile
    assert.deepStrictEqual(rest, { ...before, url: api.url })
    assert.strictEqual(hashOfSecret(), hash(String(keySecret)))
    assert.include(stdout, String(keyId))
    assert.notInclude(stdout + stderr, String(keySecret))
    assert.deepStrictEqual(home.read().profiles["other"], { url: "x" })
    assert.strictEqual(home.read().current, "home")
    assert.strictEqual(home.mode(home.file), "600")
    assert.isFalse(existsSync(pending))
    const authorizations = new Set(api.received.map(({ headers }) => headers.authorization))
    assert.deepStrictEqual(authorizations.size, 1)
  })

  it("keeps the old key in it if the creation fails, and the new credentials in a file", async () => {
    withProfile()
    api.respondWith((request) => (request.method === "POST" ? errorReply(409, "CONFLICT: no") : created(request)))
    const { exitCode, stderr } = await rotate()
    assert.strictEqual(exitCode, 1)
    assert.strictEqual(home.read().profiles["home"]?.["keySecret"], profile.keySecret)
    assert.include(stderr, `note: The file ${pending} holds credentials that may be of no key`)
    assert.strictEqual(home.mode(pending), "600")
    assert.match(readFileSync(pending, "utf8"), /^HEADGATE_KEY_ID=.+\nHEADGATE_KEY_SECRET=hgs_.+\n$/)
  })

  it("prints them with --store stdout, and if another key is rotated", async () => {
    withProfile()
    assert.include((await rotate("--store", "stdout")).stdout, "hgs_")
    withProfile({ keyId: "abcdefghijklmnopqrst" })
    assert.include((await rotate()).stdout, "hgs_")
    const { exitCode, stderr } = await rotate("--store", "profile")
    assert.strictEqual(exitCode, 2)
    assert.include(stderr, `--store profile: the profile "home" has another key.`)
  })

  it("refuses the profile of a project before it sends anything", async () => {
    home.writeProject({ current: "home", profiles: { home: { ...profile, url: api.url } } })
    const { exitCode, stderr } = await headgate(["key", "rotate", pipeId, "--yes"], {
      env: home.env,
      cwd: home.project
    })
    assert.strictEqual(exitCode, 2)
    assert.include(stderr, "use --store env-file or --store stdout")
    assert.isEmpty(api.received.filter(({ method }) => method !== "GET"))
  })
})

describe("key create --store profile", () => {
  const create = (...args: ReadonlyArray<string>) =>
    headgate(["key", "create", "--role", "developer", "--store", "profile", ...args], {
      env: { ...everything(api.url), ...home.env }
    })

  it("makes a profile named after the key, which is not the current one", async () => {
    home.write({ current: "home", profiles: { home: profile } })
    const { exitCode, stderr, stdout } = await create("--name", "ci")
    assert.strictEqual(exitCode, 0, stderr)
    const { keyId, keySecret, ...rest } = home.read().profiles["ci"] ?? {}
    assert.deepStrictEqual(rest, { url: api.url, organization, service: serviceId })
    assert.strictEqual(hashOfSecret(), hash(String(keySecret)))
    assert.include(stdout, String(keyId))
    assert.notInclude(stdout + stderr, String(keySecret))
    assert.strictEqual(home.read().current, "home")
  })

  it.each([
    ["home", `There is a profile "home"`],
    ["a b", "--name, which names the profile"]
  ])("refuses the name %j before it sends anything", async (name, message) => {
    home.write({ current: "home", profiles: { home: profile } })
    const { exitCode, stderr } = await create("--name", name)
    assert.strictEqual(exitCode, 2)
    assert.include(stderr, message)
    assert.isEmpty(api.received)
  })
})

describe("key list --unused-for", () => {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const key = (name: string, createdAt: string, usedAt?: string) => ({ ...old, name, createdAt, usedAt })

  it("lists the keys that are older and were not used since", async () => {
    const keys = [
      key("new", ago(1)),
      key("used", ago(100), ago(1)),
      key("left", ago(100), ago(91)),
      key("never", ago(100))
    ]
    api.respondWith(
      enveloped(keys.map((one, index) => ({ ...one, id: `c45fe636-390e-414f-84de-0aea9eda25e${index}` })))
    )
    const { exitCode, stderr, stdout } = await headgate(["key", "list", "--unused-for", "90d", "--json"], {
      env: everything(api.url)
    })
    assert.strictEqual(exitCode, 0, stderr)
    assert.deepStrictEqual(
      JSON.parse(stdout).map(({ name }: { name: string }) => name),
      ["left", "never"]
    )
  })
})
