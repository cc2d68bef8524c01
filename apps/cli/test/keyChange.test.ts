import { assert, describe, it } from "vitest"
import { enveloped, errorReply, requestId, service } from "./Service.ts"
import { everything, headgate, organization, pipeId } from "./headgate.ts"

const api = service()
const id = "51b4936f-cc64-4b62-8949-22ade4e10488"
const path = `/v1/organizations/${organization}/keys`
const used = {
  id,
  name: "ci",
  state: "enabled",
  roles: ["developer"],
  assignedRoles: [
    { roleId: "701e0000-0000-4000-8000-000000000002", roleName: "developer", roleType: "system" },
    { roleId: "1f0a2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b", roleName: "auditor", roleType: "custom" }
  ],
  keySuffix: "4f2c",
  expireAt: "2127-01-31T00:00:00Z",
  usedAt: "2026-11-21T19:23:00Z",
  unknown: "kept"
}
const unused = { id: pipeId, name: "two\nlines", state: "disabled", roles: ["admin"], keySuffix: "Yw7b" }

const key = (...args: ReadonlyArray<string>) => headgate(["key", ...args], { env: everything(api.url) })
const requests = () =>
  api.received.map(({ body, method, path }) => [`${method} ${path}`, body === "" ? undefined : JSON.parse(body)])

describe("headgate key list", () => {
  it("prints a row for each key", async () => {
    api.respondWith(enveloped([used, unused]))
    const run = await key("list")
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
    assert.deepStrictEqual(
      run.stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/ {2,}/)),
      [
        ["ID", "NAME", "STATE", "ROLES", "SUFFIX", "EXPIRES", "LAST USED"],
        [id, "ci", "enabled", "developer, auditor", "4f2c", "2127-01-31T00:00:00Z", "2026-11-21T19:23:00Z"],
        [pipeId, "two\\nlines", "disabled", "admin", "Yw7b", "never", "never"]
      ]
    )
    assert.deepStrictEqual(requests(), [[`GET ${path}`, undefined]])
  })

  it("--json prints what the service sent, and a list without keys has a note", async () => {
    api.respondWith(enveloped([used]))
    assert.deepStrictEqual(JSON.parse((await key("list", "--json")).stdout), [used])
    api.respondWith(enveloped([]))
    const empty = await key("list")
    assert.deepStrictEqual(empty, { exitCode: 0, stdout: "", stderr: "The organization has no API keys.\n" })
  })
})

describe("headgate key get", () => {
  it("shows the key, and --json what the service sent", async () => {
    api.respondWith(enveloped(used))
    const run = await key("get", id)
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
    for (const shown of ["ci", id, "enabled", "developer", "4f2c", "2026-11-21T19:23:00Z"]) {
      assert.include(run.stdout, shown)
    }
    assert.deepStrictEqual(JSON.parse((await key("get", id, "--json")).stdout), used)
    assert.deepStrictEqual(requests(), [
      [`GET ${path}/${id}`, undefined],
      [`GET ${path}/${id}`, undefined]
    ])
  })

  it("ends with 5 if there is no such key", async () => {
    api.respondWith(errorReply(404, "NOT_FOUND: the organization has no such key"))
    const run = await key("get", id)
    assert.strictEqual(run.exitCode, 5)
    assert.include(run.stderr, "the organization has no such key")
  })
})

describe("headgate key update", () => {
  it.each<[ReadonlyArray<string>, object]>([
    [["--name", "ci 2"], { name: "ci 2" }],
    [["--state", "disabled"], { state: "disabled" }],
    [["--expires", "2999-01-31"], { expireAt: "2999-01-31T00:00:00Z" }],
    [["--never-expires"], { expireAt: null }],
    [["--role", "admin", "--role", "developer", "--role", "admin"], { roles: ["admin", "developer"] }],
    [["--no-roles"], { roles: [] }],
    [["--allow", "203.0.113.0/24=office"], { ipAccessList: [{ source: "203.0.113.0/24", description: "office" }] }],
    [
      ["--name", "x", "--state", "enabled", "--never-expires", "--no-roles"],
      { name: "x", state: "enabled", expireAt: null, roles: [] }
    ]
  ])("%j sends %j and nothing else", async (flags, changes) => {
    api.respondWith(enveloped(used))
    const run = await key("update", id, ...flags, "--json")
    assert.strictEqual(run.exitCode, 0)
    assert.match(run.stderr, /^(WARNING: .*\n)*$/)
    assert.deepStrictEqual(requests(), [[`PATCH ${path}/${id}`, changes]])
    assert.deepStrictEqual(JSON.parse(run.stdout), used)
  })

  it("warns before it takes all roles from a key", async () => {
    api.respondWith(enveloped({ ...used, roles: [] }))
    const warned = await key("update", id, "--no-roles")
    assert.strictEqual(warned.exitCode, 0)
    assert.match(warned.stderr, /^WARNING: The key can do NOTHING /)
    assert.strictEqual((await key("update", id, "--name", "other")).stderr.includes("WARNING"), false)
  })

  it("prints the changed key as text", async () => {
    api.respondWith(enveloped(used))
    const { stdout } = await key("update", id, "--name", "ci")
    assert.match(stdout, /^name +ci$/m)
    assert.match(stdout, /^expireAt +2127-01-31T00:00:00Z$/m)
  })

  it.each<[string, ReadonlyArray<string>, string]>([
    ["no change", [id], "There is nothing to change"],
    ["two expiries", [id, "--expires", "90d", "--never-expires"], "either --expires <when> or --never-expires"],
    ["roles and none", [id, "--role", "admin", "--no-roles"], "either --role <role> or --no-roles"],
    ["an unknown role", [id, "--role", "root"], '"admin" | "developer" | "query_endpoints"'],
    ["an expiry in the past", [id, "--expires", "2020-01-01"], "Expected a time in the future"]
  ])("refuses %s and sends nothing", async (_, args, words) => {
    const run = await key("update", ...args)
    assert.deepStrictEqual([run.exitCode, run.stdout, requests()], [2, "", []])
    assert.include(run.stderr, words)
  })

  it("ends with 5 if there is no such key, and says where the ids are", async () => {
    api.respondWith(errorReply(404, "NOT_FOUND: no such key"))
    const run = await key("update", id, "--name", "x")
    assert.deepStrictEqual([run.exitCode, run.stdout], [5, ""])
    assert.include(run.stderr, "headgate key list")
  })

  it("ends with 1 if the key would disable itself", async () => {
    api.respondWith(errorReply(409, "CONFLICT: a key cannot disable itself"))
    const run = await key("update", id, "--state", "disabled")
    assert.deepStrictEqual([run.exitCode, run.stdout], [1, ""])
    assert.include(run.stderr, "a key cannot disable itself")
  })
})

describe("headgate key delete", () => {
  it("requires --yes without a terminal", async () => {
    api.respondWith({ status: 200, body: { status: 200, requestId } })
    const asked = await key("delete", id)
    assert.deepStrictEqual([asked.exitCode, requests()], [2, []])
    assert.include(asked.stderr, "--yes")
    const run = await key("delete", id, "--yes")
    assert.deepStrictEqual(run, { exitCode: 0, stdout: "", stderr: `Key ${id} was deleted.\n` })
    assert.deepStrictEqual(requests(), [[`DELETE ${path}/${id}`, undefined]])
    assert.deepStrictEqual(JSON.parse((await key("delete", id, "-y", "--json")).stdout), { id, deleted: true })
  })

  it("ends with 5 if there is no such key", async () => {
    api.respondWith(errorReply(404, "NOT_FOUND: no such key"))
    const run = await key("delete", id, "--yes")
    assert.deepStrictEqual([run.exitCode, run.stdout], [5, ""])
  })
})
