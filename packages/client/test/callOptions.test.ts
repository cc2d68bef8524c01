import { afterAll, assert, beforeAll, describe, it } from "vitest"
import {
  createClient,
  type HeadgateClient,
  InvalidRequestError,
  PreconditionFailedError,
  ServerError,
  TimeoutError,
  versionOf
} from "../src/index.ts"
import { createTestClient, sampleOrganizationId } from "../src/testing/index.ts"
import { errorReply, json, noReply, requestId, service } from "./support/Service.ts"
import { address, management, observability, organizationId, pipe, rejectionOf } from "./support/samples.ts"

const api = service()
let headgate: HeadgateClient

beforeAll(() => {
  headgate = createClient({
    management: management(api.url),
    observability: observability(api.url),
    maxRetries: 1,
    userAgent: "pipe-watch/1.0"
  })
})
afterAll(() => headgate.close())

const fault = errorReply(500, "INTERNAL_ERROR: no")
const found = json(200, { status: 200, requestId, result: pipe })

describe("maxRetries", () => {
  it("is an option of the client", async () => {
    api.respondWith(fault)
    const error = await rejectionOf(headgate.pipes.get(address))
    assert.isTrue(error instanceof ServerError && error.attempts === 2)
    assert.lengthOf(api.received, 2)
  })

  it("of a call overrides that of the client", async () => {
    api.respondWith(fault)
    await rejectionOf(headgate.pipes.get(address, { maxRetries: 0 }))
    assert.lengthOf(api.received, 1)
  })

  it("repeats a read until it succeeds", async () => {
    api.respondWith((response, nth, received) => (nth < 3 ? fault : found)(response, nth, received))
    assert.strictEqual((await headgate.pipes.get(address, { maxRetries: 2 })).name, "orders")
    assert.lengthOf(api.received, 3)
  })

  it("does not repeat a create that may have taken effect, except with retryCreates", async () => {
    // It asks with a HEAD whether a repeat is safe. This service does not say so.
    const creates = () => api.received.filter(({ method }) => method === "POST")
    api.respondWith(fault)
    await rejectionOf(headgate.keys.create({ organizationId, name: "ci" }))
    assert.lengthOf(creates(), 1)
    await rejectionOf(headgate.keys.create({ organizationId, name: "ci" }, { retryCreates: true }))
    assert.lengthOf(creates(), 3)
  })
})

describe("ifMatch", () => {
  it("sends the version that was read, which a copy of the resource does not have", async () => {
    const answers = json(200, { status: 200, requestId, result: pipe })
    api.respondWith((response, nth, received) => {
      response.setHeader("etag", '"7"')
      answers(response, nth, received)
    })
    const read = await headgate.pipes.get(address)
    assert.strictEqual(versionOf(read), 7)
    assert.isUndefined(versionOf({ ...read }))
    await headgate.pipes.delete(address, { ifMatch: versionOf(read) })
    assert.strictEqual(api.received.at(-1)?.headers["if-match"], '"7"')
  })

  it("rejects with PreconditionFailedError over memory too, and with InvalidRequestError for what is no version", async () => {
    await using memory = createTestClient({ pipes: [{ ...pipe }] })
    const here = { ...address, organizationId: sampleOrganizationId }
    assert.instanceOf(await rejectionOf(memory.pipes.delete(here, { ifMatch: 2 })), PreconditionFailedError)
    assert.instanceOf(await rejectionOf(memory.pipes.delete(here, { ifMatch: 0 })), InvalidRequestError)
    await memory.pipes.delete(here, { ifMatch: versionOf(await memory.pipes.get(here)) })
  })
})

describe("timeout and deadline", () => {
  it("a timeout applies to one attempt, in milliseconds", async () => {
    api.respondWith(noReply)
    const error = await rejectionOf(headgate.dashboards.list({ timeout: 50, maxRetries: 1 }))
    assert.isTrue(error instanceof TimeoutError && error.message.includes("50ms"))
    assert.lengthOf(api.received, 2)
  })

  it("a deadline applies to the whole call", async () => {
    api.respondWith(noReply)
    const error = await rejectionOf(headgate.dashboards.list({ deadline: 50, maxRetries: 5 }))
    assert.isTrue(error instanceof TimeoutError && error.message.includes("deadline of 50ms"))
    assert.lengthOf(api.received, 1)
  })

  it.each([Infinity, Number.MAX_SAFE_INTEGER])("%d is no limit", async (limit) => {
    api.respondWith((response, nth, received) => void setTimeout(() => found(response, nth, received), 30))
    const { id } = await headgate.pipes.get(address, { timeout: limit, deadline: limit, maxRetries: 0 })
    assert.strictEqual(id, address.pipeId)
  })
})

describe("a request", () => {
  it("has the credentials of its API and the client's User-Agent, and no trace headers", async () => {
    api.respondWith(json(200, { data: [] }))
    await headgate.dashboards.list()
    api.respondWith(found)
    await headgate.pipes.get(address)
    const [list, get] = api.received
    assert.match(list?.headers.authorization ?? "", /^Bearer hgt_/)
    assert.match(get?.headers.authorization ?? "", /^Basic /)
    for (const { headers } of api.received) {
      assert.match(headers["user-agent"] ?? "", /^pipe-watch\/1\.0 headgate\//)
      assert.notProperty(headers, "traceparent")
      assert.notProperty(headers, "b3")
    }
  })

  it("uses the names of the client's dialect", async () => {
    await using official = createClient({ management: { ...management(api.url), dialect: "clickhouse" } })
    api.respondWith(json(200, { status: 200, requestId, result: { ...pipe, settings: { clickhouse_max_threads: 8 } } }))
    const { settings } = await official.pipes.get(address)
    assert.strictEqual(settings?.db_max_threads, 8)
    assert.include(api.received[0]?.path, "/clickpipes/")
  })

  it("with parts that are shared many times over is rejected at once", async () => {
    let shared: object = { leaf: true }
    for (let level = 0; level < 60; level++) shared = { left: shared, right: shared }
    const request = { name: "d", tiles: [], shared }
    const error = await rejectionOf(headgate.dashboards.create(request))
    if (!(error instanceof InvalidRequestError)) return assert.fail(String(error))
    assert.strictEqual(error.message, "Expected at most 1,000,000 values, each shared part counted wherever it stands")
    assert.lengthOf(api.received, 0)
  })

  it("with parts that are shared a few times is sent", async () => {
    api.respondWith(errorReply(403, "FORBIDDEN: no"))
    const part = { deep: [1, 2] }
    const request = { name: "d", tiles: [], tags: [], first: part, second: [part, part] }
    await rejectionOf(headgate.dashboards.create(request))
    assert.deepStrictEqual(JSON.parse(api.received[0]?.body ?? ""), request)
  })

  it("has a Date as its time, and no field that is undefined", async () => {
    api.respondWith(errorReply(403, "FORBIDDEN: no"))
    const expireAt = new Date("2999-01-01T00:00:00.5Z")
    await rejectionOf(headgate.keys.create({ organizationId, name: "ci", expireAt, roles: undefined }))
    assert.deepStrictEqual(JSON.parse(api.received[0]?.body ?? ""), {
      name: "ci",
      expireAt: "2999-01-01T00:00:00.500Z"
    })
    await rejectionOf(headgate.dashboards.create({ name: "d", tags: undefined, tiles: [{ x: 0, y: 0, w: 1, h: 1 }] }))
    assert.deepStrictEqual(JSON.parse(api.received[1]?.body ?? ""), {
      name: "d",
      tiles: [{ x: 0, y: 0, w: 1, h: 1 }],
      tags: []
    })
  })
})
