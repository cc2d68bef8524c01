import { createHash } from "node:crypto"
import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { enveloped, errorReply, type ReceivedRequest, service } from "./Service.ts"
import { everything, headgate, pipeId } from "./headgate.ts"

const api = service()
const day = 86_400_000
const createdAt = Date.now() - 10 * day
const newId = "c45fe636-390e-414f-84de-0aea9eda25e4"
const custom = "0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d"
const old = {
  id: pipeId,
  name: "ci",
  state: "enabled",
  roles: ["developer"],
  assignedRoles: [{ roleId: custom, roleName: "loader", roleType: "custom" }],
  keySuffix: "4f2c",
  createdAt: new Date(createdAt).toISOString(),
  expireAt: new Date(createdAt + 90 * day).toISOString(),
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }]
}

const respond = (key: object = old, onCreate: (request: ReceivedRequest) => void = () => {}) =>
  api.respondWith((request) => {
    if (request.method !== "POST") return enveloped(key)
    onCreate(request)
    return enveloped({ key: { ...key, id: newId } })
  })

const rotate = (...args: ReadonlyArray<string>) =>
  headgate(["key", "rotate", pipeId, ...args], { env: everything(api.url) })

const bodyOf = (method: string) => JSON.parse(api.received.find((request) => request.method === method)?.body ?? "null")

const hash = (text: string) => createHash("sha256").update(text).digest("base64")

describe("key rotate", () => {
  it("creates a key with the same rights from hashes, prints its secret, and lets the old one expire", async () => {
    respond()
    const before = Date.now()
    const run = await rotate("--yes", "--json")
    assert.strictEqual(run.exitCode, 0, run.stderr)
    assert.include(run.stderr, "credentials: to stdout, shown once; --store env-file keeps them in a file")
    const { keyId, keySecret } = JSON.parse(run.stdout)
    const { expireAt, hashData, ...request } = bodyOf("POST")
    assert.deepStrictEqual(request, {
      name: "ci",
      state: "enabled",
      assignedRoleIds: [custom],
      ipAccessList: old.ipAccessList
    })
    assert.deepStrictEqual(hashData, {
      keyIdHash: hash(keyId),
      keyIdSuffix: keyId.slice(-4),
      keySecretHash: hash(keySecret)
    })
    assert.isTrue(api.received.every(({ body }) => !body.includes(keySecret)))
    // As long as the lifetime of the old key, from now.
    assert.isAtLeast(Date.parse(expireAt), before + 90 * day)
    assert.isAtMost(Date.parse(expireAt), Date.now() + 90 * day)
    const end = Date.parse(bodyOf("PATCH").expireAt)
    assert.isAtLeast(end, before + day)
    assert.isAtMost(end, Date.now() + day)
    assert.deepStrictEqual(Object.keys(bodyOf("PATCH")), ["expireAt"])
    assert.include(run.stderr, `new key "ci": roles loader; addresses 203.0.113.0/24; expires `)
    assert.include(run.stderr, `old key ${pipeId}: will expire `)
  })

  it("leaves a key alone that expires before the end of the overlap", async () => {
    respond({ ...old, expireAt: new Date(Date.now() + day).toISOString() })
    const run = await rotate("--yes", "--overlap", "7d")
    assert.strictEqual(run.exitCode, 0, run.stderr)
    assert.isNull(bodyOf("PATCH"))
    assert.include(run.stderr, "as before")
  })

  it("writes the secret to a file of its owner before the hash is sent, and nowhere else", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "headgate-rotate-")), "new.env")
    let atCreation = ""
    respond(old, () => (atCreation = readFileSync(file, "utf8")))
    const run = await rotate("--yes", "--credentials-file", file)
    assert.strictEqual(run.exitCode, 0, run.stderr)
    const [, keyId = "", keySecret = ""] =
      /^HEADGATE_KEY_ID=(.+)\nHEADGATE_KEY_SECRET=(hgs_.+)\n$/.exec(readFileSync(file, "utf8")) ?? []
    assert.strictEqual(atCreation, readFileSync(file, "utf8"))
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    assert.strictEqual(bodyOf("POST").hashData.keySecretHash, hash(keySecret))
    assert.include(run.stdout, keyId)
    assert.notInclude(run.stdout + run.stderr, keySecret)
  })

  it("overwrites no file, and then sends nothing", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "headgate-rotate-")), "there")
    writeFileSync(file, "kept")
    respond()
    const run = await rotate("--yes", "--credentials-file", file)
    assert.strictEqual(run.exitCode, 2)
    assert.include(run.stderr, `cannot be written to ${file}`)
    assert.strictEqual(readFileSync(file, "utf8"), "kept")
    assert.isEmpty(api.received.filter(({ method }) => method !== "GET"))
  })

  it("shows the plan and needs --yes without a terminal", async () => {
    respond()
    const run = await rotate()
    assert.strictEqual(run.exitCode, 2)
    assert.include(run.stderr, "new key")
    assert.include(run.stderr, "--yes")
    assert.isEmpty(api.received.filter(({ method }) => method !== "GET"))
  })

  it("says that the new key is there if the old one cannot be changed", async () => {
    api.respondWith(({ method }) => {
      if (method === "GET") return enveloped(old)
      return method === "POST" ? enveloped({ key: { ...old, id: newId } }) : errorReply(409, "CONFLICT: no")
    })
    const run = await rotate("--yes")
    assert.strictEqual(run.exitCode, 1)
    assert.include(run.stdout, "hgs_")
    assert.include(run.stderr, `The new key ${newId} was created. The old key ${pipeId} keeps its expiry.`)
  })
})

describe("a key that has expired", () => {
  const expired = { ...old, id: "d45fe636-390e-414f-84de-0aea9eda25e4", expireAt: "2026-01-01T00:00:00Z" }
  const respondWithKeys = (...keys: ReadonlyArray<typeof old>) =>
    api.respondWith(({ method, path }) => {
      if (method === "POST") return enveloped({ key: { ...old, id: newId } })
      if (method === "DELETE") return enveloped(undefined)
      return enveloped(path.endsWith("/keys") ? keys : keys.find(({ id }) => path.endsWith(id)))
    })
  const run = (...args: ReadonlyArray<string>) => headgate(["key", ...args], { env: everything(api.url) })
  const sent = () =>
    api.received
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method} ${path.split("/").at(-1)}`)

  it("is shown as expired", async () => {
    respondWithKeys(expired, old)
    const states = (await run("list")).stdout.split("\n").map((line) => line.split(/ {2,}/)[2])
    assert.deepStrictEqual(states.slice(1, 3), ["expired", "enabled"])
    assert.match((await run("get", expired.id)).stdout, /^state +expired$/m)
    assert.strictEqual(JSON.parse((await run("get", expired.id, "--json")).stdout).state, "enabled")
  })

  it("is not meant by its name, unless no other has it", async () => {
    respondWithKeys(expired, old)
    assert.strictEqual((await run("rotate", "ci", "--yes")).exitCode, 0)
    assert.deepStrictEqual(sent(), ["POST keys", `PATCH ${pipeId}`])
    assert.strictEqual((await run("delete", "ci", "--yes")).exitCode, 0)
    assert.strictEqual(sent().at(-1), `DELETE ${pipeId}`)
    respondWithKeys(expired)
    assert.strictEqual((await run("delete", "ci", "--yes")).exitCode, 0)
    assert.strictEqual(sent().at(-1), `DELETE ${expired.id}`)
    respondWithKeys(old, { ...old, id: newId })
    assert.strictEqual((await run("delete", "ci", "--yes")).exitCode, 2)
  })

  it("is deleted by rotate --delete-expired, with its namesakes, and no other key", async () => {
    respondWithKeys(
      expired,
      old,
      { ...expired, id: newId, name: "other" },
      { ...old, id: newId.replace("c4", "c5"), name: "other" }
    )
    const rotated = await run("rotate", "ci", "--yes", "--delete-expired")
    assert.strictEqual(rotated.exitCode, 0, rotated.stderr)
    assert.include(rotated.stderr, `expired key ${expired.id}: is deleted`)
    assert.deepStrictEqual(sent(), ["POST keys", `PATCH ${pipeId}`, `DELETE ${expired.id}`])
  })
})

describe("key create warns before it sends", () => {
  it.each<[string, ReadonlyArray<string>, ReadonlyArray<string>]>([
    ["any address", ["--role", "admin"], ["ANY address"]],
    ["no rights", ["--role", "query_endpoints", "--allow", "203.0.113.7"], ["NOTHING"]],
    ["nothing", ["--role", "developer", "--allow", "203.0.113.7"], []]
  ])("of %s", async (_, args, expected) => {
    let whenSent = ""
    api.respondWith(({ body }) => {
      whenSent = body
      return errorReply(409, "CONFLICT: no")
    })
    const run = await headgate(["key", "create", "--name", "x", ...args], { env: everything(api.url) })
    assert.notStrictEqual(whenSent, "")
    const warnings = run.stderr.split("\n").filter((line) => line.startsWith("WARNING: "))
    assert.lengthOf(warnings, expected.length)
    for (const [index, word] of expected.entries()) assert.include(warnings[index], word)
    assert.match(run.stderr, /^(WARNING: .*\n)*error: /)
  })
})
