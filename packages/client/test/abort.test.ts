import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createClient, type HeadgateClient } from "../src/index.ts"
import { createTestClient } from "../src/testing/index.ts"
import { errorReply, json, noReply, service } from "./support/Service.ts"
import { address, management, observability, organizationId, rejectionOf } from "./support/samples.ts"

const api = service()
let headgate: HeadgateClient

beforeAll(() => {
  headgate = createClient({ management: management(api.url), observability: observability(api.url) })
})
afterAll(() => headgate.close())

type Call = (headgate: HeadgateClient, signal: AbortSignal) => Promise<unknown>

const calls: ReadonlyArray<[string, Call]> = [
  ["pipes.get", ({ pipes }, signal) => pipes.get(address, { signal })],
  ["pipes.delete", ({ pipes }, signal) => pipes.delete(address, { signal })],
  ["keys.create", ({ keys }, signal) => keys.create({ organizationId, name: "ci" }, { signal })],
  ["dashboards.create", ({ dashboards }, signal) => dashboards.create({ name: "d" }, { signal })],
  ["dashboards.list", ({ dashboards }, signal) => dashboards.list({ signal })]
]

describe.each(calls)("%s", (_, call) => {
  it("rejects with the platform's AbortError and aborts its request on the socket", async () => {
    api.respondWith(noReply)
    const controller = new AbortController()
    const received = api.next()
    const rejection = rejectionOf(call(headgate, controller.signal))
    const { disconnected } = await received
    controller.abort()
    const error = await rejection
    assert.strictEqual(error, controller.signal.reason)
    assert.isTrue(error instanceof DOMException && error.name === "AbortError")
    await disconnected
    assert.lengthOf(api.received, 1)
  })

  it("sends nothing if the signal is aborted already", async () => {
    const reason = new Error("changed my mind")
    assert.strictEqual(await rejectionOf(call(headgate, AbortSignal.abort(reason))), reason)
    assert.strictEqual(await rejectionOf(call(createTestClient(), AbortSignal.abort(reason))), reason)
    assert.lengthOf(api.received, 0)
  })
})

it("rejects with the reason of the signal, also if it is no error", async () => {
  api.respondWith(noReply)
  const controller = new AbortController()
  const received = api.next()
  const rejection = rejectionOf(headgate.pipes.get(address, { signal: controller.signal }))
  await received
  controller.abort("enough")
  assert.strictEqual(await rejection, "enough")
})

it("rejects with a TimeoutError after AbortSignal.timeout, as fetch does", async () => {
  api.respondWith(noReply)
  const error = await rejectionOf(headgate.pipes.get(address, { signal: AbortSignal.timeout(50) }))
  assert.isTrue(error instanceof DOMException && error.name === "TimeoutError")
})

it("an abort ends a pause between attempts", async () => {
  api.respondWith(errorReply(429, "TOO_MANY_REQUESTS", { "retry-after": "60" }))
  const controller = new AbortController()
  const received = api.next()
  const rejection = rejectionOf(headgate.pipes.get(address, { signal: controller.signal }))
  await received
  setTimeout(() => controller.abort(), 50)
  assert.strictEqual(await rejection, controller.signal.reason)
  assert.lengthOf(api.received, 1)
})

it("an abort after the call does nothing", async () => {
  api.respondWith(json(200, { data: [] }))
  const controller = new AbortController()
  assert.deepStrictEqual(await headgate.dashboards.list({ signal: controller.signal }), [])
  controller.abort()
  assert.deepStrictEqual(await headgate.dashboards.list(), [])
})
