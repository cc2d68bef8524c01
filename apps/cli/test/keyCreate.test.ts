import { createHash } from "node:crypto"
import { assert, describe, it } from "vitest"
import { type ReceivedRequest, enveloped, errorReply, service } from "./Service.ts"
import { everything, headgate, organization, pipeId } from "./headgate.ts"

const api = service()

const respondLikeTheService = () =>
  api.respondWith((received: ReceivedRequest) => {
    const { hashData, ...request } = JSON.parse(received.body)
    const key = { id: pipeId, keySuffix: "4f2c", createdAt: "2026-01-02T03:04:05Z", ...request }
    return enveloped(hashData === undefined ? { key, keyId: "keyIdOfTheNew4f2c", keySecret: "hgs_new" } : { key })
  })

const sent = () => JSON.parse(api.received[0]?.body ?? "null")

const create = (...args: ReadonlyArray<string>) => headgate(["key", "create", ...args], { env: everything(api.url) })

const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64")

describe("headgate key create", () => {
  it("sends the flags and nothing else: without --allow no access list", async () => {
    respondLikeTheService()
    const run = await create("--name", "ci", "--role", "developer")
    assert.strictEqual(run.exitCode, 0)
    assert.deepStrictEqual(sent(), { name: "ci", roles: ["developer"] })
    assert.strictEqual(api.received[0]?.path, `/v1/organizations/${organization}/keys`)
  })

  it("prints the credentials to stdout, and a note to stderr that they are not shown again", async () => {
    respondLikeTheService()
    const run = await create("--name", "ci", "--role", "developer")
    assert.match(run.stdout, /^keyId +keyIdOfTheNew4f2c$/m)
    assert.match(run.stdout, /^keySecret +hgs_new$/m)
    assert.match(run.stderr, /not shown again/)
    assert.notInclude(run.stderr, "hgs_new")
  })

  it("--json prints key, keyId and keySecret", async () => {
    respondLikeTheService()
    const run = await create("--name", "ci", "--role", "developer", "--json")
    const { key, ...credentials } = JSON.parse(run.stdout)
    assert.deepStrictEqual(credentials, { keyId: "keyIdOfTheNew4f2c", keySecret: "hgs_new" })
    assert.strictEqual(key.name, "ci")
  })

  it("accepts roles, a state, and addresses with and without description", async () => {
    respondLikeTheService()
    const allow = ["--allow", "203.0.113.0/24=office, 2nd floor = west", "--allow", "2001:db8::7"]
    await create(
      "--name",
      "x",
      "--role",
      "admin",
      "--role",
      "developer",
      "--role=admin",
      "--state",
      "disabled",
      ...allow
    )
    assert.deepStrictEqual(sent(), {
      name: "x",
      roles: ["admin", "developer"],
      state: "disabled",
      ipAccessList: [{ source: "203.0.113.0/24", description: "office, 2nd floor = west" }, { source: "2001:db8::7" }]
    })
  })

  it.each([
    ["90d", 90 * 24 * 3_600_000],
    ["12h", 12 * 3_600_000]
  ])("--expires %s counts from now", async (expires, span) => {
    respondLikeTheService()
    const before = Date.now()
    await create("--name", "x", "--role", "admin", "--expires", expires)
    const at = Date.parse(sent().expireAt) - span
    assert.isAtLeast(at, before)
    assert.isAtMost(at, Date.now())
  })

  it("--local-secret sends only the hashes of the credentials that it prints", async () => {
    respondLikeTheService()
    const run = await create("--name", "vault", "--role", "developer", "--local-secret", "--json")
    const { keyId, keySecret } = JSON.parse(run.stdout)
    assert.deepStrictEqual(sent().hashData, {
      keyIdHash: sha256(keyId),
      keyIdSuffix: keyId.slice(-4),
      keySecretHash: sha256(keySecret)
    })
    assert.notInclude(api.received[0]?.body ?? "", keySecret)
  })

  it("--help says what each role may do", async () => {
    const { stdout } = await headgate(["key", "create", "--help"])
    // A row with the lines that go on with it.
    const row = (role: string) =>
      (new RegExp(`^  ${role} {2,}(.*(?:\\n {10,}.*)*)$`, "m").exec(stdout)?.[1] ?? "").replaceAll(/\s+/g, " ")
    assert.match(stdout, /^ROLES$/m)
    for (const operation of ["Read a pipe", "Delete a pipe", "Create an API key"])
      assert.include(row("admin"), operation)
    assert.include(row("developer"), "Read a pipe")
    assert.notInclude(row("developer"), "Delete a pipe")
    assert.include(row("query_endpoints"), "Nothing here")
  })

  it.each<[string, ReadonlyArray<string>, string]>([
    ["no role", ["--name", "x"], "Missing required flag: --role: Role of the key"],
    ["an unknown role", ["--name", "x", "--role", "root"], '"admin" | "developer" | "query_endpoints"'],
    ["no name", ["--role", "admin"], "Missing required flag: --name"],
    ["an empty name", ["--name=", "--role", "admin"], "Expected 1 to 255 characters"],
    ["a name of blanks", ["--name=   ", "--role", "admin"], "Expected more than blanks"],
    ["an unknown state", ["--name", "x", "--role", "admin", "--state", "on"], '"enabled" | "disabled"'],
    [
      "a malformed address",
      ["--name", "x", "--role", "admin", "--allow", "203.0.113.0/33=office"],
      '"203.0.113.0/33=office"'
    ],
    ["an invalid expiry", ["--name", "x", "--role", "admin", "--expires", "tomorrow"], '"tomorrow"'],
    ["an expiry in the past", ["--name", "x", "--role", "admin", "--expires", "2020-01-01"], "2020-01-01T00:00:00"]
  ])("rejects %s and sends nothing", async (_, args, words) => {
    const run = await create(...args)
    assert.deepStrictEqual([run.exitCode, run.stdout, api.received.length], [2, "", 0])
    assert.include(run.stderr, words)
    assert.include(run.stderr, "headgate key create --help")
  })

  it("prints no credentials if the service rejects the request", async () => {
    api.respondWith(errorReply(409, "CONFLICT: 100 keys are the limit"))
    const run = await create("--name", "x", "--role", "admin", "--local-secret")
    assert.deepStrictEqual([run.exitCode, run.stdout], [1, ""])
    assert.notMatch(run.stderr, /hgs_/)
    assert.include(run.stderr, "100 keys are the limit")
  })
})
