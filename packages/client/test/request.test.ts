// Requests for operations that the client does not know.
import { afterAll, assert, describe, it } from "vitest"
import {
  ConflictError,
  createClient,
  type HeadgateClient,
  InvalidRequestError,
  RateLimitedError,
  secret,
  ServerError,
  UnexpectedResponseError,
  versionOf
} from "../src/index.ts"
import { createTestClient } from "../src/testing/index.ts"
import { errorReply, json, requestId, resetConnection, service } from "./support/Service.ts"
import { management, observability, organizationId, rejectionOf, secrets } from "./support/samples.ts"

const api = service()
let made: HeadgateClient | undefined
const client = () => (made ??= createClient({ management: management(api.url), observability: observability(api.url) }))
afterAll(() => made?.close())

const path = `/v1/organizations/${organizationId}/backups`

describe("request", () => {
  it("sends JSON with the credentials of the API, and resolves to the JSON of the body", async () => {
    api.respondWith(json(200, { status: 200, requestId, result: { id: "b1", at: "2026-01-01T00:00:00Z" } }))
    const call = client().request("POST", `${path}?full=true`, {
      at: new Date(0),
      password: secret("s"),
      none: undefined
    })
    const { data, status, requestId: id } = await call.withResponse()
    assert.deepStrictEqual(data, { status: 200, requestId, result: { id: "b1", at: "2026-01-01T00:00:00Z" } })
    assert.deepStrictEqual([status, id], [200, requestId])
    const [received] = api.received
    assert.deepStrictEqual([received?.method, received?.path], ["POST", `${path}?full=true`])
    assert.strictEqual(received?.body, `{"at":"1970-01-01T00:00:00.000Z","password":"s"}`)
    assert.strictEqual(
      received?.headers.authorization,
      `Basic ${Buffer.from(`key-id:${secrets.keySecret}`).toString("base64")}`
    )
    assert.match(String(received?.headers["idempotency-key"]), /^[0-9a-f-]{36}$/)
    await client().request("GET", "/api/v2/reports")
    assert.strictEqual(api.received[1]?.headers.authorization, `Bearer ${secrets.token}`)
    assert.strictEqual(api.received[1]?.body, "")
  })

  it("resolves to undefined for no body", async () => {
    api.respondWith((response) => void response.writeHead(204).end())
    assert.isUndefined(await client().request("DELETE", `${path}/b1`))
  })

  it("is repeated as every call: a read after a lost answer, a creation only after a 429", async () => {
    api.respondWith((response, nth, received) =>
      (nth === 1 ? resetConnection : json(200, { result: [] }))(response, nth, received)
    )
    assert.deepStrictEqual(await client().request("GET", path), { result: [] })
    assert.lengthOf(api.received, 2)
    api.respondWith(errorReply(500, "INTERNAL_ERROR: lost"))
    const failed = await rejectionOf(client().request("PATCH", path, {}))
    assert.isTrue(failed instanceof ServerError && failed.attempts === 1)
    api.respondWith(errorReply(429, "TOO_MANY_REQUESTS: later"))
    const limited = await rejectionOf(client().request("POST", path, {}, { maxRetries: 0 }))
    assert.isTrue(limited instanceof RateLimitedError && limited.attempts === 1)
  })

  it("rejects with the errors of every call, which show no query", async () => {
    api.respondWith(errorReply(409, "CONFLICT: busy"))
    const conflict = await rejectionOf(client().request("PUT", `${path}?token=t`, null))
    assert.isTrue(conflict instanceof ConflictError && conflict.path === path && conflict.method === "PUT")
    assert.strictEqual(api.received[0]?.body, "null")
    api.respondWith(errorReply(404, "NOT_FOUND: no such thing"))
    const missing = await rejectionOf(client().request("GET", path))
    assert.isTrue(missing instanceof UnexpectedResponseError && missing.status === 404)
  })

  it("has the version of what was read, and changes it only then", async () => {
    api.respondWith(json(200, { id: "b1" }, { etag: '"7"' }))
    const read = await client().request("GET", `${path}/b1`)
    const version = typeof read === "object" && read !== null ? versionOf(read) : undefined
    assert.strictEqual(version, 7)
    await client().request("PATCH", `${path}/b1`, { name: "x" }, { ifMatch: 7 })
    assert.strictEqual(api.received[1]?.headers["if-match"], '"7"')
  })

  it.each<[string, string, string, unknown, string]>([
    ["another method", "HEAD", path, undefined, "method"],
    ["another API", "GET", "/v2/organizations", undefined, "path"],
    ["a whole URL", "GET", "https://example.com/v1/x", undefined, "path"],
    ["a path that is another", "GET", "/v1/organizations/../x", undefined, "path"],
    ["a path that is another, encoded", "GET", "/v1/%2E%2e/x", undefined, "path"],
    ["a path with a fragment", "GET", "/v1/x#y", undefined, "path"],
    ["a path that is not encoded", "GET", "/v1/x y", undefined, "path"],
    ["a body of a GET", "GET", path, {}, "body"],
    ["no JSON", "POST", path, { at: Number.NaN }, "body.at"],
    ["a map", "POST", path, { tags: new Map() }, "body.tags"]
  ])("does not send %s", async (_, method, to, body, issue) => {
    const error = await rejectionOf(client().request(method as "GET", to, body))
    assert.deepStrictEqual(error instanceof InvalidRequestError && error.issues.map(({ path }) => path), [issue])
    assert.lengthOf(api.received, 0)
  })

  it("names the API that the client does not have", async () => {
    await using headgate = createClient({ management: management(api.url) })
    const error = await rejectionOf(headgate.request("GET", "/api/v2/reports"))
    assert.isTrue(
      error instanceof InvalidRequestError &&
        error.message.includes("path: This is a path of the observability API: pass observability to createClient")
    )
  })

  it("is not in memory", async () => {
    await using headgate = createTestClient()
    assert.instanceOf(await rejectionOf(headgate.request("GET", path)), UnexpectedResponseError)
  })
})
