import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createClient, type HeadgateClient, isHeadgateError } from "../src/index.ts"
import { createTestClient, sampleOrganizationId } from "../src/testing/index.ts"
import { errorReply, json, requestId, service } from "./support/Service.ts"
import { address, management, observability, pipe, rejectionOf } from "./support/samples.ts"

const api = service()
const found = { status: 200, requestId, result: pipe }

describe("withResponse", () => {
  let headgate: HeadgateClient
  beforeAll(() => {
    headgate = createClient({ management: management(api.url), observability: observability(api.url), maxRetries: 1 })
  })
  afterAll(() => headgate.close())

  it("resolves to the result with its status, headers and request id", async () => {
    api.respondWith(json(200, found, { "ratelimit-remaining": "7" }))
    const { data, headers, requestId: id, status } = await headgate.pipes.get(address).withResponse()
    assert.strictEqual(data.name, "orders")
    assert.strictEqual(status, 200)
    assert.instanceOf(headers, Headers)
    assert.strictEqual(headers.get("RateLimit-Remaining"), "7")
    assert.strictEqual(id, requestId)
  })

  it("sends one request, however often the call is awaited", async () => {
    api.respondWith(json(200, found))
    const call = headgate.pipes.get(address)
    const [response, again, plain] = await Promise.all([call.withResponse(), call.withResponse(), call])
    assert.deepStrictEqual([response.data, again.data], [plain, plain])
    assert.lengthOf(api.received, 1)
  })

  it("has the response of the attempt that succeeded", async () => {
    api.respondWith((response, nth, received) =>
      nth === 1
        ? errorReply(503, "UNAVAILABLE: later", { "retry-after": "0" })(response, nth, received)
        : json(200, found, { "x-nth": String(nth) })(response, nth, received)
    )
    const { headers } = await headgate.pipes.get(address).withResponse()
    assert.strictEqual(headers.get("x-nth"), "2")
  })

  it("of a list, and of a call that returns nothing", async () => {
    api.respondWith(json(200, { data: [{ id: "d1", name: "Errors" }] }, { "x-list": "yes" }))
    const list = await headgate.dashboards.list().withResponse()
    assert.strictEqual(list.data[0]?.name, "Errors")
    assert.strictEqual(list.headers.get("x-list"), "yes")
    api.respondWith(json(200, { status: 200, requestId }))
    const deleted = await headgate.pipes.delete(address).withResponse()
    assert.isUndefined(deleted.data)
    assert.strictEqual(deleted.status, 200)
  })

  it("rejects as the call does, and leaves no other rejection unhandled", async () => {
    const unheard: Array<unknown> = []
    const hear = (reason: unknown) => void unheard.push(reason)
    process.on("unhandledRejection", hear)
    api.respondWith(errorReply(403, "FORBIDDEN: no"))
    const error = await rejectionOf(headgate.pipes.get(address).withResponse())
    await new Promise((resolve) => setTimeout(resolve, 50))
    process.off("unhandledRejection", hear)
    assert.isTrue(isHeadgateError(error) && error._tag === "Forbidden" && error.status === 403)
    assert.deepStrictEqual(unheard, [])
  })

  it("of the test client has no headers", async () => {
    await using memory = createTestClient({ pipes: [{ ...pipe, id: address.pipeId }] })
    const call = memory.pipes.get({ ...address, organizationId: sampleOrganizationId })
    const { data, headers, requestId: id, status } = await call.withResponse()
    assert.deepStrictEqual([data.name, status, [...headers], id], ["orders", 200, [], undefined])
  })
})

describe("idempotencyKey", () => {
  it("is sent with a create, and must be visible ASCII", async () => {
    api.respondWith(json(200, { status: 200, requestId, result: { key: { id: address.pipeId, name: "ci" } } }))
    await using headgate = createClient({ management: management(api.url), maxRetries: 0 })
    const request = { organizationId: address.organizationId, name: "ci" }
    await rejectionOf(headgate.keys.create(request, { idempotencyKey: "job-17" }).then(() => Promise.reject("done")))
    assert.strictEqual(api.received[0]?.headers["idempotency-key"], "job-17")
    const error = await rejectionOf(headgate.keys.create(request, { idempotencyKey: "job 17" }))
    assert.isTrue(isHeadgateError(error) && error.message.startsWith("idempotencyKey: Expected 1 to 255 visible"))
    assert.lengthOf(api.received, 1)
  })
})
