import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createClient, type HeadgateClient, ServerError, TimeoutError } from "../src/index.ts"
import { json, refused, requestId, service, silence } from "./support/Service.ts"
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

const fault = refused(500, "INTERNAL_ERROR: no")
const found = json(200, { status: 200, requestId, result: pipe })

describe("maxRetries", () => {
  it("is the client's", async () => {
    api.answers(fault)
    const error = await rejectionOf(headgate.pipes.get(address))
    assert.isTrue(error instanceof ServerError && error.attempts === 2)
    assert.lengthOf(api.asked, 2)
  })

  it("of a call goes before the client's", async () => {
    api.answers(fault)
    await rejectionOf(headgate.pipes.get(address, { maxRetries: 0 }))
    assert.lengthOf(api.asked, 1)
  })

  it("repeats what may be repeated until it works", async () => {
    api.answers((response, nth, asked) => (nth < 3 ? fault : found)(response, nth, asked))
    assert.strictEqual((await headgate.pipes.get(address, { maxRetries: 2 })).name, "orders")
    assert.lengthOf(api.asked, 3)
  })

  it("does not repeat a create that may have taken effect, unless told to", async () => {
    api.answers(fault)
    await rejectionOf(headgate.keys.create({ organizationId, name: "ci" }))
    assert.lengthOf(api.asked, 1)
    await rejectionOf(headgate.keys.create({ organizationId, name: "ci" }, { retryCreates: true }))
    assert.lengthOf(api.asked, 3)
  })
})

describe("timeout and deadline", () => {
  it("a timeout is for one attempt, in milliseconds", async () => {
    api.answers(silence)
    const error = await rejectionOf(headgate.dashboards.list({ timeout: 50, maxRetries: 1 }))
    assert.isTrue(error instanceof TimeoutError && error.message.includes("50ms"))
    assert.lengthOf(api.asked, 2)
  })

  it("a deadline is for the whole call", async () => {
    api.answers(silence)
    const error = await rejectionOf(headgate.dashboards.list({ deadline: 50, maxRetries: 5 }))
    assert.isTrue(error instanceof TimeoutError && error.message.includes("deadline of 50ms"))
    assert.lengthOf(api.asked, 1)
  })

  it.each([Infinity, Number.MAX_SAFE_INTEGER])("%d is as good as no limit", async (limit) => {
    api.answers((response, nth, asked) => void setTimeout(() => found(response, nth, asked), 30))
    const { id } = await headgate.pipes.get(address, { timeout: limit, deadline: limit, maxRetries: 0 })
    assert.strictEqual(id, address.pipeId)
  })
})

describe("what is sent", () => {
  it("has the credentials of its API and the client's User-Agent, and no trace headers", async () => {
    api.answers(json(200, { data: [] }))
    await headgate.dashboards.list()
    api.answers(found)
    await headgate.pipes.get(address)
    const [list, get] = api.asked
    assert.match(list?.headers.authorization ?? "", /^Bearer hgt_/)
    assert.match(get?.headers.authorization ?? "", /^Basic /)
    for (const { headers } of api.asked) {
      assert.match(headers["user-agent"] ?? "", /^pipe-watch\/1\.0 headgate\//)
      assert.notProperty(headers, "traceparent")
      assert.notProperty(headers, "b3")
    }
  })

  it("is spelled in the client's dialect", async () => {
    await using official = createClient({ management: { ...management(api.url), dialect: "clickhouse" } })
    api.answers(json(200, { status: 200, requestId, result: { ...pipe, settings: { clickhouse_max_threads: 8 } } }))
    const { settings } = await official.pipes.get(address)
    assert.strictEqual(settings?.db_max_threads, 8)
    assert.include(api.asked[0]?.path, "/clickpipes/")
  })

  it("is what was written: a Date as its time, and nothing for undefined", async () => {
    api.answers(refused(403, "FORBIDDEN: no"))
    const expireAt = new Date("2999-01-01T00:00:00.5Z")
    await rejectionOf(headgate.keys.create({ organizationId, name: "ci", expireAt, roles: undefined }))
    assert.deepStrictEqual(JSON.parse(api.asked[0]?.body ?? ""), { name: "ci", expireAt: "2999-01-01T00:00:00.500Z" })
    await rejectionOf(headgate.dashboards.create({ name: "d", tags: undefined, tiles: [{ x: 0, y: 0, w: 1, h: 1 }] }))
    assert.deepStrictEqual(JSON.parse(api.asked[1]?.body ?? ""), { name: "d", tiles: [{ x: 0, y: 0, w: 1, h: 1 }] })
  })
})
