import { assert, describe, it } from "vitest"
import { enveloped, errorReply, type Reply, service } from "./Service.ts"
import { everything, headgate, organization, pipeId, serviceId } from "./headgate.ts"

const api = service()
const otherId = "7a2c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f"
const inOrganization = `/v1/organizations/${organization}`
const inService = `${inOrganization}/services/${serviceId}`

const pipe = (id: string, name: string) => ({ id, serviceId, name, state: "Running" })
const found = (id: string, name: string) => ({ id, name, state: "running" })

/** Answers each path with what belongs to it, and any other with 404. */
const respondWith = (answers: Readonly<Record<string, unknown>>) =>
  api.respondWith(({ path }): Reply => {
    if (!Object.hasOwn(answers, path)) return errorReply(404, `NOT_FOUND: ${path}`)
    const answer = answers[path]
    return path.startsWith("/api/") ? { status: 200, body: { data: answer } } : enveloped(answer)
  })

const run = (args: ReadonlyArray<string>, ...without: ReadonlyArray<string>) => {
  const settings = Object.entries(everything(api.url)).filter(([name]) => !without.includes(name))
  return headgate(args, { env: Object.fromEntries(settings) })
}
const requests = () => api.received.map(({ method, path }) => `${method} ${path}`)

const pipesPath = `${inService}/dbpipes`
const pipes = { [pipesPath]: [pipe(pipeId, "orders"), pipe(otherId, "invoices")] }

describe("a name in place of an id", () => {
  it.each<[string, ReadonlyArray<string>, Readonly<Record<string, unknown>>, ReadonlyArray<string>]>([
    [
      "of a pipe",
      ["pipe", "get", "orders"],
      { ...pipes, [`${pipesPath}/${pipeId}`]: pipe(pipeId, "orders") },
      [`GET ${pipesPath}`, `GET ${pipesPath}/${pipeId}`]
    ],
    [
      "of a key",
      ["key", "delete", "ci", "--yes"],
      {
        [`${inOrganization}/keys`]: [{ id: pipeId, name: "ci", state: "enabled", roles: [] }],
        [`${inOrganization}/keys/${pipeId}`]: undefined
      },
      [`GET ${inOrganization}/keys`, `DELETE ${inOrganization}/keys/${pipeId}`]
    ],
    [
      "of a role",
      ["role", "get", "auditor"],
      {
        [`${inOrganization}/roles`]: [found(pipeId, "auditor")],
        [`${inOrganization}/roles/${pipeId}`]: found(pipeId, "auditor")
      },
      [`GET ${inOrganization}/roles`, `GET ${inOrganization}/roles/${pipeId}`]
    ],
    [
      "of a dashboard, whose id is any text",
      ["dashboard", "get", "Errors"],
      {
        "/api/v2/dashboards": [{ id: "d1", name: "Errors", tiles: [] }],
        "/api/v2/dashboards/d1": { id: "d1", name: "Errors", tiles: [] }
      },
      ["GET /api/v2/dashboards", "GET /api/v2/dashboards/d1"]
    ],
    [
      "of a connection",
      ["connection", "get", "db"],
      {
        "/api/v2/connections": [{ id: "c1", name: "db", host: "https://h" }],
        "/api/v2/connections/c1": { id: "c1", name: "db", host: "https://h" }
      },
      ["GET /api/v2/connections", "GET /api/v2/connections/c1"]
    ],
    [
      "of a service",
      ["service", "get", "--service", "ingest"],
      {
        [`${inOrganization}/services`]: [found(otherId, "other"), found(serviceId, "ingest")],
        [inService]: found(serviceId, "ingest")
      },
      [`GET ${inOrganization}/services`, `GET ${inService}`]
    ],
    [
      "of an organization",
      ["role", "list", "--organization", "Acme"],
      {
        "/v1/organizations": [
          { id: otherId, name: "Other" },
          { id: organization, name: "Acme" }
        ],
        [`${inOrganization}/roles`]: []
      },
      ["GET /v1/organizations", `GET ${inOrganization}/roles`]
    ]
  ])("%s is looked up once", async (_, args, answers, expected) => {
    respondWith(answers)
    const { exitCode } = await run(args)
    assert.deepStrictEqual([exitCode, requests()], [0, expected])
  })

  it("that several have ends with 2 and their ids", async () => {
    respondWith({ [pipesPath]: [pipe(pipeId, "orders"), pipe(otherId, "orders")] })
    const { exitCode, stderr, stdout } = await run(["pipe", "delete", "orders", "--yes"])
    assert.deepStrictEqual([exitCode, stdout, requests()], [2, "", [`GET ${pipesPath}`]])
    const message = `<pipe-id>: 2 pipes have the name "orders". Give the id:\n  ${pipeId}  orders\n  ${otherId}  orders`
    assert.strictEqual(stderr, `error: ${message}\n`)
  })

  it.each<[string, ReadonlyArray<string>, string]>([
    ["nearest name", ["pipe", "get", "ordrs"], 'no pipe with the name "ordrs". Did you mean "orders"?'],
    ["list to read", ["pipe", "get", "zzz"], "'headgate pipe list' shows all."]
  ])("that nothing has ends with 5 and the %s", async (_, args, text) => {
    respondWith(pipes)
    const { exitCode, stderr, stdout } = await run(args)
    assert.deepStrictEqual([exitCode, stdout], [5, ""])
    assert.include(stderr, text)
    const json = await run([...args, "--json"])
    assert.strictEqual(JSON.parse(json.stderr).error.tag, "NameNotFound")
  })
})

describe("without --organization and --service", () => {
  const unset = ["HEADGATE_ORGANIZATION", "HEADGATE_SERVICE"]
  const own = { id: organization, name: "Acme" }
  const services = `${inOrganization}/services`

  it("the only ones are used, with one list call for each", async () => {
    respondWith({ "/v1/organizations": [own], [services]: [found(serviceId, "ingest")], ...pipes })
    const { exitCode, stdout } = await run(["pipe", "list", "--fields", "name"], ...unset)
    assert.deepStrictEqual([exitCode, stdout], [0, "name\norders\ninvoices\n"])
    assert.deepStrictEqual(requests(), ["GET /v1/organizations", `GET ${services}`, `GET ${pipesPath}`])
  })

  it("several services end with 2 and their names", async () => {
    respondWith({
      "/v1/organizations": [own],
      [services]: [found(serviceId, "ingest"), found(otherId, "logs\u001b[2J")]
    })
    const { exitCode, stderr } = await run(["pipe", "list"], ...unset)
    assert.strictEqual(exitCode, 2)
    assert.include(stderr, `There are 2 services: give --service <name> or HEADGATE_SERVICE.\n  ${serviceId}  ingest\n`)
    assert.notInclude(stderr, "hint:")
    assert.notInclude(stderr, "\u001b")
  })

  it("no service ends with 5", async () => {
    respondWith({ [services]: [] })
    const { exitCode, stderr } = await run(["pipe", "list"], "HEADGATE_SERVICE")
    assert.strictEqual(exitCode, 5)
    assert.include(stderr, "There is no service")
  })

  it("the dashboards of the only service are reached with a key alone", async () => {
    const dashboards = `${inService}/dbstack/dashboards`
    respondWith({ "/v1/organizations": [own], [services]: [found(serviceId, "ingest")], [dashboards]: [] })
    const { exitCode } = await run(["dashboard", "list"], ...unset, "HEADGATE_TOKEN")
    assert.deepStrictEqual([exitCode, requests().at(-1)], [0, `GET ${dashboards}`])
  })
})
