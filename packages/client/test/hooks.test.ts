import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { createClient, PipeNotFoundError, ServerError } from "../src/index.ts"
import { errorReply, json, requestId, service } from "./support/Service.ts"
import { address, management, observability, organizationId, pipe, rejectionOf, secrets } from "./support/samples.ts"

const api = service()
const found = { status: 200, requestId, result: pipe }
const unavailable = errorReply(503, "UNAVAILABLE: later", { "retry-after": "0" })
const path = `/v1/organizations/${organizationId}/services/${address.serviceId}/dbpipes/${address.pipeId}`

/** A client that notes each event, in order. */
const noting = () => {
  const events: Array<{ readonly hook: string; readonly event: any }> = []
  const note = (hook: string) => (event: unknown) => void events.push({ hook, event })
  const headgate = createClient({
    management: management(api.url),
    observability: observability(api.url),
    onRequest: note("onRequest"),
    onResponse: note("onResponse"),
    onRetry: note("onRetry")
  })
  return { events, headgate }
}

describe("the hooks", () => {
  it("are called for a request, its response and its retry, with plain values", async () => {
    api.respondWith((response, nth, received) =>
      nth === 1 ? unavailable(response, nth, received) : json(200, found)(response, nth, received)
    )
    const { events, headgate } = noting()
    await headgate.pipes.get(address)
    assert.deepStrictEqual(
      events.map(({ hook }) => hook),
      ["onRequest", "onResponse", "onRetry", "onRequest", "onResponse"]
    )
    const [sent, failed, repeated, again, answered] = events.map(({ event }) => event)
    const request = { method: "GET", url: api.url + path }
    assert.deepStrictEqual(sent, { ...request, attempt: 1 })
    assert.deepStrictEqual({ ...failed, duration: 0 }, { ...request, attempt: 1, status: 503, duration: 0, requestId })
    assert.isAtLeast(failed.duration, 0)
    assert.deepStrictEqual(Object.keys(repeated), ["method", "url", "attempt", "delay", "error"])
    assert.strictEqual(repeated.attempt, 1)
    assert.isAtLeast(repeated.delay, 0)
    assert.instanceOf(repeated.error, ServerError)
    assert.strictEqual(repeated.error.status, 503)
    assert.deepStrictEqual(again, { ...request, attempt: 2 })
    assert.strictEqual(answered.status, 200)
    await headgate.close()
  })

  it("get an event of their own: what one writes into it no other one gets", async () => {
    api.respondWith(json(200, found))
    const urls: Array<string> = []
    const headgate = createClient({
      management: management(api.url),
      onRequest: (event) =>
        void Object.assign(event, { method: "X", url: "https://elsewhere.example.com", attempt: 7 }),
      onResponse: ({ attempt, method, url }) => void urls.push(`${method} ${url} ${attempt}`)
    })
    await headgate.pipes.get(address)
    await headgate.close()
    assert.deepStrictEqual(urls, [`GET ${api.url}${path} 1`])
  })

  it("see no credential that a service sends back as the id of a request", async () => {
    api.respondWith(json(200, found, { "x-request-id": `echo ${secrets.keySecret}` }))
    const { events, headgate } = noting()
    await headgate.pipes.get(address)
    await headgate.close()
    const [, answered] = events.map(({ event }) => event)
    assert.match(answered.requestId, /^echo </)
    assert.notInclude(JSON.stringify(events), secrets.keySecret)
  })

  it("have the query of a request, and no credentials", async () => {
    api.respondWith(json(200, { status: 200, requestId, result: [] }))
    const { events, headgate } = noting()
    await headgate.pipes.events({ ...address, before: "7 & 8" })
    await headgate.dashboards.get("d").catch(() => undefined)
    assert.strictEqual(events[0]?.event.url, `${api.url}${path}/events?before=7+%26+8`)
    assert.isAtLeast(events.length, 4)
    for (const secret of [...Object.values(secrets), "Authorization", btoa(`key-id:${secrets.keySecret}`)]) {
      assert.notInclude(JSON.stringify(events).toLowerCase(), secret.toLowerCase())
    }
    await headgate.close()
  })

  it("are called for no response where there is none", async () => {
    api.respondWith((response) => void response.socket?.resetAndDestroy())
    const { events, headgate } = noting()
    const error = await rejectionOf(headgate.pipes.get(address, { maxRetries: 1 }))
    assert.propertyVal(error, "_tag", "ConnectionError")
    assert.deepStrictEqual(
      events.map(({ hook }) => hook),
      ["onRequest", "onRetry", "onRequest"]
    )
    await headgate.close()
  })
})

describe("a hook that fails or is slow", () => {
  const warn = vi.spyOn(console, "warn")
  beforeEach(() => void warn.mockReset().mockImplementation(() => {}))
  afterEach(() => void warn.mockReset())

  const failing: ReadonlyArray<readonly [string, () => unknown]> = [
    [
      "throws",
      () => {
        throw new Error("a fault of the hook")
      }
    ],
    ["rejects", () => Promise.reject(new Error("a fault of the hook"))],
    ["never settles", () => new Promise(() => {})]
  ]

  for (const [what, hook] of failing) {
    it(`changes no call: it ${what}`, async () => {
      const headgate = createClient({
        management: management(api.url),
        onRequest: hook,
        onResponse: hook,
        onRetry: hook
      })
      api.respondWith((response, nth, received) =>
        nth === 1 ? unavailable(response, nth, received) : json(200, found)(response, nth, received)
      )
      assert.strictEqual((await headgate.pipes.get(address)).name, "orders")
      assert.lengthOf(api.received, 2)
      api.respondWith(errorReply(404, "NOT_FOUND: no such pipe"))
      assert.instanceOf(await rejectionOf(headgate.pipes.get(address)), PipeNotFoundError)
      await headgate.close()
      const warned = warn.mock.calls.map(([text]) => text)
      assert.includeMembers(
        warned,
        what === "never settles" ? [] : ["@headgate/client: onRequest failed:", "@headgate/client: onResponse failed:"]
      )
    })
  }
})
