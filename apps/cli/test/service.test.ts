import { assert, describe, it } from "vitest"
import { enveloped, errorReply, service } from "./Service.ts"
import { everything, headgate, organization, serviceId } from "./headgate.ts"

const api = service()
const found = { id: serviceId, name: "ingest\u001b[2J", state: "idle", provider: "aws", region: "eu-central-1" }
const own = { id: organization, name: "Acme", createdAt: "2026-01-02T03:04:05Z" }
const requests = () => api.received.map(({ body, method, path }) => `${method} ${path}${body === "" ? "" : ` ${body}`}`)

describe("headgate service", () => {
  it("list prints a table without control characters", async () => {
    api.respondWith(enveloped([found]))
    const run = await headgate(["service", "list"], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
    assert.match(run.stdout, /^ID +STATE +REGION +NAME\n/)
    assert.include(run.stdout, `${serviceId}  idle`)
    assert.notInclude(run.stdout, "\u001b")
    assert.deepStrictEqual(requests(), [`GET /v1/organizations/${organization}/services`])
  })

  it("get prints the service, and with --json its document", async () => {
    api.respondWith(enveloped(found))
    const text = await headgate(["service", "get"], { env: everything(api.url) })
    assert.match(text.stdout, /state +idle/)
    const json = await headgate(["service", "get", "--json"], { env: everything(api.url) })
    assert.deepStrictEqual(JSON.parse(json.stdout), found)
  })

  it.each([
    ["start", "start"],
    ["stop", "stop"],
    ["wake", "awake"]
  ])("%s sends its command", async (verb, command) => {
    api.respondWith(enveloped({ ...found, state: "awaking" }))
    const run = await headgate(["service", verb], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
    assert.include(run.stdout, "awaking")
    assert.deepStrictEqual(requests(), [
      `PATCH /v1/organizations/${organization}/services/${serviceId}/state {"command":"${command}"}`
    ])
  })

  it("exits with 5 for an unknown service", async () => {
    api.respondWith(errorReply(404, "NOT_FOUND: the organization has no such service"))
    const run = await headgate(["service", "get"], { env: everything(api.url) })
    assert.strictEqual(run.exitCode, 5)
    assert.include(run.stderr, "--service")
  })
})

describe("headgate organization and whoami", () => {
  it("list, get and whoami print what the service answers", async () => {
    api.respondWith(({ path }) =>
      enveloped(
        path === "/v1/organizations"
          ? [own]
          : path === "/v1/whoami"
            ? { roles: ["admin"], permissions: ["pipe:read", "moon:read"] }
            : own
      )
    )
    const listed = await headgate(["organization", "list"], { env: everything(api.url) })
    assert.match(listed.stdout, new RegExp(`^ID +NAME\n${organization} +Acme`))
    const read = await headgate(["organization", "get", "--json"], { env: everything(api.url) })
    assert.deepStrictEqual(JSON.parse(read.stdout), own)
    const caller = await headgate(["whoami"], { env: everything(api.url) })
    assert.include(caller.stdout, "admin")
    assert.notInclude(caller.stdout, "pipe:read")
    const { permissions } = JSON.parse((await headgate(["whoami", "--json"], { env: everything(api.url) })).stdout)
    // A permission of a later version stays.
    assert.deepStrictEqual(permissions, ["pipe:read", "moon:read"])
    assert.deepStrictEqual(requests(), [
      "GET /v1/organizations",
      `GET /v1/organizations/${organization}`,
      "GET /v1/whoami",
      "GET /v1/whoami"
    ])
  })
})
