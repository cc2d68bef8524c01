import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { CallFailed } from "../../src/data/CallFailed.ts"
import { now } from "../../src/data/clock.ts"
import { type HttpRequest, send } from "../../src/data/request.ts"
import { ended, forgetSession, session, signIn } from "../../src/data/session.ts"

const opened = { organizationId: "o", token: "hgs_1", expiresAt: 1, permissions: [] }

interface Sent {
  readonly path: string
  readonly init: RequestInit & { readonly headers: Headers }
}

let sent: Array<Sent>
let answers: Array<() => Response>

const get: HttpRequest = { method: "GET", path: "/v1/x" }

const failure = async (request: HttpRequest): Promise<CallFailed> => {
  try {
    await send(request)
  } catch (error) {
    assert.instanceOf(error, CallFailed)
    return error
  }
  throw new Error("It did not fail.")
}

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  () =>
    Response.json(body, { status, headers })

const header = (index: number, name: string) => sent[index]?.init.headers.get(name) ?? null

describe("send", () => {
  beforeEach(() => {
    sent = []
    answers = []
    vi.stubGlobal("fetch", (path: string, init: Sent["init"]) => {
      sent.push({ path, init })
      const answer = answers.shift()
      return answer === undefined ? Promise.reject(new TypeError("Failed to fetch")) : Promise.resolve(answer())
    })
    signIn(opened, false)
  })
  afterEach(() => {
    forgetSession()
    vi.unstubAllGlobals()
  })

  it("sends the session, no cookie, and takes what is in the envelope", async () => {
    answers = [json({ result: [1] }), json({ data: 2 }), json({ plain: 3 })]
    assert.deepStrictEqual((await send(get)).value, [1])
    assert.strictEqual((await send({ ...get, envelope: "data" })).value, 2)
    assert.deepStrictEqual((await send({ ...get, envelope: "none" })).value, { plain: 3 })
    assert.strictEqual(sent[0]?.path, "/v1/x")
    assert.strictEqual(header(0, "authorization"), "Bearer hgs_1")
    const { body, cache, credentials, method, redirect } = sent[0]?.init ?? {}
    assert.deepStrictEqual([method, credentials, cache, redirect, body], ["GET", "omit", "no-store", "error", null])
    assert.isNull(header(0, "content-type"))
  })

  it.each([
    ["a page", () => new Response("<h1>Sign in</h1>", { headers: { "content-type": "text/html" } })],
    ["nothing", () => new Response(null, { status: 204 })],
    ["null", json(null)],
    ["a list", json([1])],
    ["a number", json(1)],
    ["another object", json({ data: 1 })],
    ["an empty envelope", json({ result: null })]
  ])("takes %s for no answer of the server", async (_, answer) => {
    answers = [answer]
    const failed = await failure(get)
    assert.deepStrictEqual([failed.failure, failed.status], ["unreachable", undefined])
    assert.match(failed.message, /not .* server/)
  })

  it("takes a page for no document without an envelope", async () => {
    answers = [() => new Response("<h1>Sign in</h1>")]
    assert.strictEqual((await failure({ ...get, envelope: "none" })).failure, "unreachable")
  })

  it("takes a change without a result, but no page in its place", async () => {
    answers = [json({ status: 200, requestId: "r" }), () => new Response(null), () => new Response("<h1>Sign in</h1>")]
    assert.isUndefined((await send({ ...get, method: "DELETE" })).value)
    assert.isUndefined((await send({ ...get, method: "DELETE" })).value)
    assert.strictEqual((await failure({ ...get, method: "DELETE" })).failure, "unreachable")
  })

  it("sends a body as JSON, the version that is changed and the key of a creation", async () => {
    answers = [json({ result: {} }), json({ result: {} })]
    await send({ method: "POST", path: "/v1/x", body: { a: 1 }, ifMatch: '"2"', idempotencyKey: "k" })
    assert.strictEqual(sent[0]?.init.body, '{"a":1}')
    assert.deepStrictEqual(
      ["content-type", "if-match", "idempotency-key"].map((name) => header(0, name)),
      ["application/json", '"2"', "k"]
    )
    await send({ method: "POST", path: "/v1/consoleSessions", body: {}, authorization: false })
    assert.isNull(header(1, "authorization"))
  })

  it("keeps an answer by its version, and takes it for one that did not change", async () => {
    answers = [
      json({ result: "first" }, 200, { etag: 'W/"1"' }),
      () => new Response(null, { status: 304, headers: { etag: 'W/"1"' } }),
      json({ result: "second" }, 200, { etag: 'W/"2"' }),
      json({ result: "other" })
    ]
    const first = await send({ ...get, path: "/v1/kept" })
    const again = await send({ ...get, path: "/v1/kept" })
    assert.strictEqual(again, first)
    assert.deepStrictEqual([header(0, "if-none-match"), header(1, "if-none-match")], [null, 'W/"1"'])
    assert.deepStrictEqual(await send({ ...get, path: "/v1/kept" }), { value: "second", etag: 'W/"2"' })
    await send({ ...get, path: "/v1/elsewhere" })
    assert.isNull(header(3, "if-none-match"))
  })

  it("keeps no answer for another session", async () => {
    answers = [json({ result: 1 }, 200, { etag: '"1"' }), json({ result: 2 })]
    await send({ ...get, path: "/v1/mine" })
    signIn({ ...opened, token: "hgs_2" }, false)
    await send({ ...get, path: "/v1/mine" })
    assert.isNull(header(1, "if-none-match"))
  })

  it("keeps no answer that comes after another session was opened", async () => {
    answers = [
      () => {
        signIn({ ...opened, token: "hgs_2" }, false)
        return json({ result: 1 }, 200, { etag: '"1"' })()
      },
      json({ result: 2 })
    ]
    await send({ ...get, path: "/v1/late" })
    await send({ ...get, path: "/v1/late" })
    assert.isNull(header(1, "if-none-match"))
  })

  it("says that no answer came, and passes on that it was cancelled", async () => {
    const failed = await failure(get)
    assert.deepStrictEqual([failed.failure, failed.status], ["unreachable", undefined])
    answers = [() => new Response(new ReadableStream({ start: (half) => half.error(new TypeError("network error")) }))]
    assert.strictEqual((await failure(get)).failure, "unreachable")
    const controller = new AbortController()
    controller.abort()
    let error: unknown
    await send({ ...get, signal: controller.signal }).catch((cause: unknown) => (error = cause))
    assert.instanceOf(error, TypeError)
  })

  it.each([
    [400, "invalid"],
    [403, "forbidden"],
    [404, "notFound"],
    [409, "conflict"],
    [412, "changed"],
    [422, "invalid"],
    [424, "unavailable"],
    [429, "tooMany"],
    [500, "failed"],
    [502, "unavailable"],
    [503, "unavailable"],
    [504, "unavailable"]
  ])("tells what a %i means", async (status, meaning) => {
    answers = [json({ error: "Why" }, status, { "x-request-id": "r1", "retry-after": "7" })]
    const failed = await failure(get)
    assert.deepStrictEqual(
      [failed.failure, failed.message, failed.status, failed.requestId, failed.retryAfter],
      [meaning, "Why", status, "r1", 7000]
    )
    assert.isDefined(session.value)
  })

  it("finds the message of either API, of a text, or has one of its own", async () => {
    answers = [
      json({ message: "In message" }, 500),
      () => new Response("a proxy's text", { status: 502 }),
      () => new Response(null, { status: 503 }),
      json({ error: "" }, 500),
      json({ error: { deep: true } }, 500)
    ]
    const failures = []
    for (const _ of [0, 1, 2, 3, 4]) failures.push(await failure(get))
    assert.deepStrictEqual(
      failures.map(({ message }) => message),
      [
        "In message",
        "a proxy's text",
        "The server answered 503.",
        "The server answered 500.",
        "The server answered 500."
      ]
    )
    assert.deepStrictEqual([failures[0]?.requestId, failures[0]?.retryAfter], [undefined, undefined])
  })

  it("ends the session at a 401, and asks nothing more without one", async () => {
    answers = [json({ error: "ended" }, 401)]
    assert.strictEqual((await failure(get)).failure, "signedOut")
    assert.deepStrictEqual([session.value, ended.value], [undefined, opened])
    assert.strictEqual((await failure(get)).failure, "signedOut")
    assert.lengthOf(sent, 1)
  })

  it("ends no session that was opened meanwhile, nor by a wrong key", async () => {
    const later = { ...opened, token: "hgs_later" }
    answers = [
      () => {
        signIn(later, false)
        return Response.json({}, { status: 401 })
      },
      json({}, 401),
      json({}, 401)
    ]
    await failure(get)
    await failure({ method: "POST", path: "/v1/y", authorization: "Basic x" })
    await failure({ method: "POST", path: "/v1/z", authorization: false })
    assert.strictEqual(session.value, later)
    assert.strictEqual(header(1, "authorization"), "Basic x")
  })

  it("goes by the server's clock if it differs by more than the header tells", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_790_000_000_000 })
    const ahead = (milliseconds: number) =>
      json({ result: 1 }, 200, { date: new Date(Date.now() + milliseconds).toUTCString() })
    answers = [
      ahead(3 * 3_600_000),
      ahead(3 * 3_600_000 + 2000),
      json({ result: 1 }, 200, { date: "soon" }),
      json({ result: 1 }),
      ahead(0)
    ]
    const differences = []
    for (const _ of [0, 1, 2, 3, 4]) {
      await send(get)
      differences.push(now() - Date.now())
    }
    vi.useRealTimers()
    assert.deepStrictEqual(
      differences,
      [3, 3, 3, 3, 0].map((hours) => hours * 3_600_000)
    )
  })
})
