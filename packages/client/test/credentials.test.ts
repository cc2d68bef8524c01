import { inspect } from "node:util"
import { assert, describe, it } from "vitest"
import { type ApiKeyCredentials, createClient, secret, UnauthorizedError } from "../src/index.ts"
import { errorReply, json, noReply, type Reply, requestId, service } from "./support/Service.ts"
import { address, management, organizationId, pipe, rejectionOf, secrets } from "./support/samples.ts"

const api = service()
const found = json(200, { status: 200, requestId, result: pipe })
const refusal = errorReply(401, "UNAUTHORIZED: no")

const clientOf = (credentials: (options: { readonly signal: AbortSignal }) => Promise<ApiKeyCredentials>) =>
  createClient({ management: { baseUrl: api.url, credentials }, timeout: 2_000 })

const basic = (keyId: string) => `Basic ${Buffer.from(`${keyId}:${secrets.keySecret}`).toString("base64")}`

/** Accepts the key with this ID. */
const lets =
  (keyId: string): Reply =>
  (response, nth, received) =>
    (received.headers.authorization === basic(keyId) ? found : refusal)(response, nth, received)

describe("credentials from a function", () => {
  it("are fetched for the first call, and again after a 401", async () => {
    let fetched = 0
    await using headgate = clientOf(async () => ({ keyId: `key-${++fetched}`, keySecret: secret(secrets.keySecret) }))
    assert.strictEqual(fetched, 0)
    api.respondWith(lets("key-1"))
    await Promise.all([headgate.pipes.get(address), headgate.pipes.get(address)])
    assert.strictEqual(fetched, 1)
    api.respondWith(lets("key-2"))
    await Promise.all([headgate.pipes.get(address), headgate.pipes.get(address)])
    assert.strictEqual(fetched, 2)
  })

  it("of another shape reject the call, and are not shown", async () => {
    // A caller without a compiler can do this.
    await using headgate = clientOf(async () => ({ id: "x", secret: secrets.keySecret }) as never)
    const error = await rejectionOf(headgate.pipes.get(address))
    assert.instanceOf(error, UnauthorizedError)
    assert.include(String(error), "NotCredentials")
    assert.notInclude(inspect(error, { depth: null, showHidden: true }), secrets.keySecret)
    assert.lengthOf(api.received, 0)
  })

  it.each<[string, () => Promise<ApiKeyCredentials>]>([
    ["rejects", () => Promise.reject(new RangeError(secrets.keySecret))],
    [
      "throws",
      () => {
        throw new RangeError(secrets.keySecret)
      }
    ]
  ])("from a function that %s reject the call, which shows the error's name only", async (_, credentials) => {
    await using headgate = clientOf(credentials)
    const error = await rejectionOf(headgate.keys.create({ organizationId, name: "ci" }))
    assert.instanceOf(error, UnauthorizedError)
    assert.include(String(error), "RangeError")
    assert.notInclude(inspect(error, { depth: null, showHidden: true }), secrets.keySecret)
    assert.lengthOf(api.received, 0)
  })

  it("are not awaited after the call was aborted", async () => {
    const controller = new AbortController()
    let begun: (signal: AbortSignal) => void = () => {}
    const signalled = new Promise<AbortSignal>((resolve) => (begun = resolve))
    await using headgate = clientOf(({ signal }) => {
      begun(signal)
      return new Promise(() => {})
    })
    const rejection = rejectionOf(headgate.pipes.get(address, { signal: controller.signal }))
    const signal = await signalled
    assert.isFalse(signal.aborted)
    controller.abort()
    assert.strictEqual(await rejection, controller.signal.reason)
    assert.isTrue(signal.aborted)
  })

  it("can be a token for the observability API", async () => {
    await using headgate = createClient({
      observability: { baseUrl: api.url, credentials: async () => ({ token: secrets.token }) }
    })
    api.respondWith(json(200, { data: [] }))
    assert.deepStrictEqual(await headgate.dashboards.list(), [])
    assert.strictEqual(api.received[0]?.headers.authorization, `Bearer ${secrets.token}`)
  })
})

describe("limits of the adapter", () => {
  it("maxResponseBytes", async () => {
    await using headgate = createClient({ management: management(api.url), maxResponseBytes: 20 })
    api.respondWith(found)
    const error = await rejectionOf(headgate.pipes.get(address))
    assert.include(error instanceof Error && error.message, "the answer is larger than 20 bytes")
  })

  it("maxConcurrency", async () => {
    await using headgate = createClient({ management: management(api.url), maxConcurrency: 1 })
    api.respondWith(noReply)
    const controller = new AbortController()
    const received = api.next()
    const first = rejectionOf(headgate.pipes.get(address, { signal: controller.signal }))
    const second = rejectionOf(headgate.pipes.get(address, { deadline: 100 }))
    await received
    await second
    assert.lengthOf(api.received, 1)
    controller.abort()
    await first
  })

  it("rateLimit", async () => {
    const rateLimit = { limit: 1, window: 60_000 }
    await using headgate = createClient({ management: management(api.url), rateLimit })
    api.respondWith(found)
    await headgate.pipes.get(address)
    const error = await rejectionOf(headgate.pipes.get(address, { deadline: 100 }))
    assert.strictEqual(error instanceof Error && error.name, "RateLimitedError")
    assert.lengthOf(api.received, 1)
  })

  it("circuitBreaker", async () => {
    const circuitBreaker = { failures: 1, openDuration: 60_000 }
    await using headgate = createClient({ management: management(api.url), circuitBreaker })
    api.respondWith(errorReply(500, "INTERNAL_ERROR: no"))
    await rejectionOf(headgate.pipes.get(address, { maxRetries: 0 }))
    const error = await rejectionOf(headgate.pipes.get(address))
    assert.strictEqual(error instanceof Error && error.name, "ConnectionError")
    assert.lengthOf(api.received, 1)
  })
})
