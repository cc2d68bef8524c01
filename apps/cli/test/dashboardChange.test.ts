import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { enveloped, service } from "./Service.ts"
import { everything, headgate } from "./headgate.ts"

const api = service()
const directory = mkdtempSync(join(tmpdir(), "headgate-dashboards-"))
afterAll(() => rmSync(directory, { recursive: true }))

const id = "65f5e4a3b9e77c001a567890"
const place = { x: 0, y: 0, w: 12, h: 4 }
const dashboard = { id, name: "Errors", tiles: [{ id: "t1", ...place, series: [] }], tags: ["ops"] }

const file = (document: unknown): string => {
  const path = join(directory, "dashboard.json")
  writeFileSync(path, typeof document === "string" ? document : JSON.stringify(document))
  return path
}

const run = (...args: ReadonlyArray<string>) => headgate(["dashboard", ...args], { env: everything(api.url) })

const notFound = { status: 404, body: { message: `the organization has no dashboard ${id}` } }

describe("headgate dashboard get", () => {
  it("prints the dashboard as text, and with --json as the service sent it", async () => {
    api.respondWith({ status: 200, body: { data: { ...dashboard, folder: "ops" } } })
    const text = await run("get", id)
    assert.deepStrictEqual([text.exitCode, text.stderr], [0, ""])
    assert.match(text.stdout, /^name +Errors$/m)
    const json = await run("get", id, "--json")
    assert.deepStrictEqual(JSON.parse(json.stdout), { ...dashboard, folder: "ops" })
    assert.deepStrictEqual(
      api.received.map(({ method, path }) => `${method} ${path}`),
      Array.from({ length: 2 }, () => `GET /api/v2/dashboards/${id}`)
    )
  })

  it("ends with 5 if there is no such dashboard", async () => {
    api.respondWith(notFound)
    const { exitCode, stderr, stdout } = await run("get", id)
    assert.deepStrictEqual([exitCode, stdout], [5, ""])
    assert.include(stderr, "headgate dashboard list")
  })
})

describe("headgate dashboard with a key and no token", () => {
  const without = (...names: ReadonlyArray<string>) =>
    Object.fromEntries(Object.entries(everything(api.url)).filter(([name]) => !names.includes(name)))

  it("reaches the dashboards through the service", async () => {
    api.respondWith(enveloped(dashboard))
    const { exitCode, stdout } = await headgate(["dashboard", "get", id, "--json"], { env: without("HEADGATE_TOKEN") })
    assert.deepStrictEqual([exitCode, JSON.parse(stdout)], [0, dashboard])
    const [received] = api.received
    assert.match(received?.path ?? "", new RegExp(`^/v1/organizations/.*/services/.*/dbstack/dashboards/${id}$`))
    assert.match(received?.headers.authorization ?? "", /^Basic /)
  })

  it("asks for a token if there is no key either", async () => {
    const env = without("HEADGATE_TOKEN", "HEADGATE_KEY_ID")
    const { exitCode, stderr } = await headgate(["dashboard", "get", id], { env })
    assert.strictEqual(exitCode, 2)
    assert.include(stderr, "HEADGATE_TOKEN")
  })
})

describe("headgate dashboard update", () => {
  it("sends the document with its tile ids, and prints what the service answers", async () => {
    api.respondWith({ status: 200, body: { data: { ...dashboard, name: "Renamed" } } })
    const { exitCode, stderr, stdout } = await run("update", id, "--file", file(dashboard), "--json")
    assert.deepStrictEqual([exitCode, stderr, JSON.parse(stdout).name], [0, "", "Renamed"])
    const [sent] = api.received
    assert.deepStrictEqual([sent?.method, sent?.path], ["PUT", `/api/v2/dashboards/${id}`])
    assert.deepStrictEqual(JSON.parse(sent?.body ?? ""), dashboard)
  })

  it("warns of a field that looks misspelt", async () => {
    api.respondWith({ status: 200, body: { data: dashboard } })
    const { exitCode, stderr } = await run("update", id, "--file", file({ ...dashboard, tag: ["a"] }))
    assert.strictEqual(exitCode, 0)
    assert.include(stderr, "unknown field tag: did you mean tags?")
  })

  it.each([
    ["no JSON", "{", "this is not JSON"],
    ["a wrong tile", { name: "x", tiles: [{ ...place, w: 0 }] }, "tiles[0].w"]
  ])("ends with 2 for %s, and sends nothing", async (_, document, problem) => {
    const { exitCode, stderr } = await run("update", id, "--file", file(document))
    assert.deepStrictEqual([exitCode, api.received.length], [2, 0])
    assert.include(stderr, problem)
  })

  it("ends with 5 if there is no such dashboard", async () => {
    api.respondWith(notFound)
    assert.strictEqual((await run("update", id, "--file", file(dashboard))).exitCode, 5)
  })
})

describe("headgate dashboard delete", () => {
  it("requires --yes without a terminal, and sends nothing without it", async () => {
    const { exitCode, stderr } = await run("delete", id)
    assert.deepStrictEqual([exitCode, api.received.length], [2, 0])
    assert.include(stderr, "--yes")
  })

  it("deletes with --yes", async () => {
    api.respondWith({ status: 200, body: {} })
    assert.deepStrictEqual(await run("delete", id, "--yes"), {
      exitCode: 0,
      stdout: "",
      stderr: `Dashboard ${id} was deleted.\n`
    })
    assert.strictEqual(api.received[0]?.method, "DELETE")
  })

  it("ends with 5 if there is no such dashboard", async () => {
    api.respondWith(notFound)
    assert.strictEqual((await run("delete", id, "--yes")).exitCode, 5)
  })
})

describe("headgate dashboard validate", () => {
  it("sends a document that is wrong too, and says what the service finds", async () => {
    const errors = [
      { path: "name", message: "Required" },
      { path: "tiles.0.w", message: "Number must be greater than or equal to 1" }
    ]
    api.respondWith({ status: 200, body: { valid: false, errors, normalized: null } })
    const document = { tiles: [{ ...place, w: 0 }] }
    const { exitCode, stderr, stdout } = await run("validate", "--file", file(document), "--json")
    assert.deepStrictEqual([exitCode, stdout], [2, ""])
    const { error } = JSON.parse(stderr)
    assert.deepStrictEqual(
      error.issues.map(({ path }: { path: string }) => path),
      ["name", "tiles[0].w"]
    )
    const [sent] = api.received
    assert.deepStrictEqual([sent?.method, sent?.path], ["POST", "/api/v2/dashboards/validate"])
    assert.deepStrictEqual(JSON.parse(sent?.body ?? ""), document)
  })

  it("ends with 0 for a valid document", async () => {
    api.respondWith({ status: 200, body: { valid: true, errors: [] } })
    const { exitCode, stdout } = await run("validate", "--file", file(dashboard), "--json")
    assert.deepStrictEqual([exitCode, JSON.parse(stdout)], [0, { valid: true, errors: [] }])
  })
})
