import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { service } from "./Service.ts"
import { everything, headgate } from "./headgate.ts"

const api = service()
const directory = mkdtempSync(join(tmpdir(), "headgate-documents-"))
afterAll(() => rmSync(directory, { recursive: true }))

const id = "65f5e4a3b9e77c001a567890"
const alert = {
  savedSearchId: id,
  threshold: 5,
  thresholdType: "above",
  interval: "5m",
  channel: { type: "webhook", webhookId: id }
} as const

const kinds = {
  connection: {
    request: { name: "production", host: "https://db.example.com:8443", password: "marked-secret" },
    document: { id, name: "production", host: "https://db.example.com:8443" },
    wrong: [{ name: "" }, "host: "]
  },
  source: {
    request: { name: "Logs", kind: "log", connection: id },
    document: { id, name: "Logs", kind: "log", connection: id },
    wrong: [{ name: "Logs", kind: "table", connection: id }, "kind: "]
  },
  "saved-search": {
    request: { name: "Errors", sourceId: id, where: "level:error" },
    document: { id, name: "Errors", sourceId: id, where: "level:error" },
    wrong: [{ name: "Errors", sourceId: id, where: 7 }, "where: "]
  },
  webhook: {
    request: {
      name: "On call",
      service: "generic",
      url: "https://hooks.test/marked-secret",
      headers: { authorization: "marked-secret" }
    },
    document: { id, name: "On call", service: "generic", url: "https://hooks.test/marked-secret" },
    wrong: [
      { name: "On call", service: "generic", url: "https://hooks.test/x", headers: ["marked-secret"] },
      "headers: "
    ]
  },
  alert: {
    request: { name: "Too many", ...alert },
    document: { id, name: "Too many", ...alert },
    wrong: [{ ...alert, threshold: "5" }, "threshold: "]
  }
} as const

const plurals: Readonly<Record<string, string>> = { "saved-search": "saved-searches" }

const file = (document: unknown): string => {
  const path = join(directory, "document.json")
  writeFileSync(path, JSON.stringify(document))
  return path
}

describe.each(Object.entries(kinds))("headgate %s", (noun, { document, request, wrong }) => {
  const path = `/api/v2/${plurals[noun] ?? `${noun}s`}`
  const run = (...args: ReadonlyArray<string>) => headgate([noun, ...args], { env: everything(api.url) })
  const received = () => api.received.map(({ method, path }) => `${method} ${path}`)

  it("lists, as a table and as JSON", async () => {
    api.respondWith({ status: 200, body: { data: [document] } })
    const text = await run("list")
    assert.deepStrictEqual([text.exitCode, text.stderr], [0, ""])
    assert.match(text.stdout, /^ID +NAME/)
    assert.include(text.stdout, document.name)
    assert.deepStrictEqual(JSON.parse((await run("list", "--json")).stdout), [document])
    assert.deepStrictEqual(received(), [`GET ${path}`, `GET ${path}`])
  })

  it("shows no secret as text", async () => {
    api.respondWith({ status: 200, body: { data: document } })
    const { exitCode, stderr, stdout } = await run("get", id)
    assert.deepStrictEqual([exitCode, stderr], [0, ""])
    assert.include(stdout, document.name)
    assert.notInclude(stdout, "marked-secret")
  })

  it("reads, creates and replaces", async () => {
    api.respondWith({ status: 200, body: { data: document } })
    for (const args of [
      ["get", id],
      ["create", "--file", file(request)],
      ["update", id, "--file", file(request)]
    ]) {
      const { exitCode, stderr, stdout } = await run(...args, "--json")
      assert.deepStrictEqual([exitCode, stderr, JSON.parse(stdout)], [0, "", document])
    }
    assert.deepStrictEqual(received(), [`GET ${path}/${id}`, `POST ${path}`, `PUT ${path}/${id}`])
    assert.deepStrictEqual(JSON.parse(api.received[1]?.body ?? ""), request)
  })

  it("deletes with --yes only", async () => {
    api.respondWith({ status: 200, body: {} })
    assert.strictEqual((await run("delete", id)).exitCode, 2)
    assert.deepStrictEqual(received(), [])
    assert.strictEqual((await run("delete", id, "--yes")).exitCode, 0)
    assert.deepStrictEqual(received(), [`DELETE ${path}/${id}`])
  })

  it("names each wrong field of a document, and sends nothing", async () => {
    const [body, path] = wrong
    const { exitCode, stderr } = await run("create", "--file", file(body))
    assert.strictEqual(exitCode, 2)
    assert.include(stderr, path)
    assert.deepStrictEqual(received(), [])
  })

  it("ends with 5 if there is none", async () => {
    api.respondWith({ status: 404, body: { message: `the organization has no ${noun} ${id}` } })
    const { exitCode, stderr } = await run("get", id)
    assert.strictEqual(exitCode, 5)
    assert.include(stderr, `headgate ${noun} list`)
  })
})
