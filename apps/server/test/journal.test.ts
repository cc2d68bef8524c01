import { assert, describe, it, layer } from "@effect/vitest"
import { ApiKeyCreate } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { makeJournal } from "../src/admin/Journal.ts"
import { makeRedactBody } from "../src/admin/redaction.ts"
import { attempt, journal, rawExchange } from "./support/admin.ts"
import { bearer, call, memoryServer } from "./support/liveServer.ts"
import {
  as,
  dashboardsPath,
  firstPipe,
  hashDataOf,
  keysPath,
  pipePath,
  uuidV4,
  withToken,
  environment
} from "./support/environment.ts"

const authorization = as("admin")
const minted = `hgs_${"a".repeat(40)}`

layer(memoryServer(environment, { admin: true }))("the journal", (it) => {
  const cleared = call("/_admin/requests", { method: "DELETE" })

  it.effect("tells what was asked and what was answered, in the order of arrival", () =>
    Effect.gen(function* () {
      yield* cleared
      const created = yield* call(keysPath(), { authorization, body: { name: "ci", roles: ["developer"] } })
      yield* call(`${pipePath(firstPipe)}?token=${minted}&x`, { authorization, headers: { "x-mine": "secret" } })
      yield* call("/no;jsessionid=hunter2;x/such/path;y")
      const [first, second, third, ...more] = yield* journal()
      assert.deepStrictEqual(more, [])
      const { headers, milliseconds, time, ...rest } = first
      assert.deepStrictEqual(rest, {
        requestId: created.headers.get("x-request-id"),
        keyIdSuffix: "dmin",
        method: "POST",
        path: keysPath(),
        query: {},
        fault: null,
        outcome: "answered",
        status: 200,
        answerSize: Buffer.byteLength(created.text),
        bodySize: 35,
        body: { name: "ci", roles: ["developer"] }
      })
      assert.isAtLeast(milliseconds, 0)
      assert.isFalse(Number.isNaN(Date.parse(time)))
      assert.strictEqual(headers.authorization, "Basic <redacted>")
      assert.strictEqual(headers["content-type"], "application/json")
      assert.deepStrictEqual(second.query, { token: "<redacted>", x: "<redacted>" })
      assert.strictEqual(second.headers["x-mine"], "<redacted>")
      assert.notProperty(second, "body")
      assert.deepStrictEqual([third.status, third.keyIdSuffix], [404, null])
      assert.strictEqual(third.path, "/no;<redacted>/such/path;<redacted>")
    })
  )

  it.effect("shows no credential, wherever it was sent", () =>
    Effect.gen(function* () {
      yield* cleared
      const token = "a-token-that-is-nobodys"
      const hashData = hashDataOf("chosen", "by-the-caller")
      yield* call(keysPath(), { authorization, body: { name: "x", hashData, keySecret: "sent-by-mistake" } })
      yield* call(keysPath(), { authorization: bearer(token), body: { name: { password: "nested" }, roles: [minted] } })
      yield* call(dashboardsPath, { authorization: token, body: [{ name: "in-a-list" }] })
      yield* call(`/${minted}?${minted}=${minted}`, {
        authorization,
        headers: {
          cookie: "session",
          "proxy-authorization": "Basic eDp5",
          "x-api-key": "another",
          "user-agent": minted
        }
      })
      const { text } = yield* call("/_admin/requests")
      for (const secret of [
        token,
        minted,
        hashData.keyIdHash,
        hashData.keySecretHash,
        authorization.slice("Basic ".length),
        "sent-by-mistake",
        "nested",
        "in-a-list",
        "session",
        "eDp5",
        "another"
      ]) {
        assert.notInclude(text, secret)
      }
      assert.include(text, '"keySecret":"<redacted>"')
      assert.include(text, '"authorization":"Bearer <redacted>"')
    })
  )

  it.effect("says why a body is not shown", () =>
    Effect.gen(function* () {
      yield* cleared
      yield* call(keysPath(), { authorization, body: "no JSON" })
      yield* call(keysPath(), { authorization, body: { name: "x".repeat(20_000) } })
      yield* call(keysPath(), { authorization, body: `{"name":${"[".repeat(40)}${"]".repeat(40)}}` })
      yield* attempt(keysPath(), { authorization, body: { name: "x".repeat(2 * 1024 * 1024) } })
      const requests = yield* journal()
      assert.deepStrictEqual(
        requests.map(({ bodyOmitted, status }: any) => [status, bodyOmitted]),
        [
          [400, "it is not JSON"],
          [400, "it is longer than 16384 characters"],
          [400, "it is nested too deeply"],
          [413, undefined]
        ]
      )
      assert.match(requests.at(-1).requestId, uuidV4)
    })
  )

  it.effect("is asked for by method, path and status, and for the last few", () =>
    Effect.gen(function* () {
      yield* cleared
      for (const path of [dashboardsPath, "/api/v2/nothing", dashboardsPath]) {
        yield* call(path, { authorization: withToken })
      }
      yield* call(dashboardsPath, { authorization: withToken, body: { name: "x" } })
      const count = (query: string) =>
        Effect.map(call(`/_admin/requests?${query}`), ({ json }) => [json.requests.length, json.matched])
      assert.deepStrictEqual(yield* count("method=POST"), [1, 1])
      assert.deepStrictEqual(yield* count("method=GET&status=200"), [2, 2])
      assert.deepStrictEqual(yield* count(`path=/api/*&limit=3`), [3, 4])
      assert.deepStrictEqual(yield* count(`path=/api/v2/:noun&status=404`), [1, 1])
      assert.deepStrictEqual(yield* count("path=/v1/*"), [0, 0])
      const last = yield* journal("?limit=1")
      assert.deepStrictEqual([last.length, last[0].method], [1, "POST"])
    })
  )

  for (const [query, named] of [
    ["limit=0", "limit"],
    ["limit=1001", "limit"],
    ["limit=x", "limit"],
    ["status=5xx", "status"],
    ["path=api", "path"],
    ["verb=GET", "verb"]
  ] as const) {
    it.effect(`refuses ?${query} by name`, () =>
      Effect.gen(function* () {
        const { json, status } = yield* call(`/_admin/requests?${query}`)
        assert.strictEqual(status, 400)
        assert.include(json.error, `BAD_REQUEST: ${named}: `)
      })
    )
  }

  it.effect("holds nothing of /_admin, however it is spelled", () =>
    Effect.gen(function* () {
      yield* cleared
      for (const path of ["/_admin/faults", "/_admin/faults/", "/%5Fadmin/faults"]) {
        assert.strictEqual((yield* call(path)).status, 200, path)
      }
      yield* rawExchange(["GET /_admin/nothing HTTP/1.1", "host: localhost", "connection: close"])
      assert.deepStrictEqual(yield* journal(), [])
      assert.deepStrictEqual((yield* cleared).json, { removed: 0 })
    })
  )
})

describe("a journal", () => {
  const request = { time: "", method: "GET", path: "/", query: {}, headers: {} }

  it("keeps the last requests, and counts what it forgot", () => {
    const small = makeJournal(3)
    for (const path of ["/1", "/2", "/3", "/4", "/5"]) small.add({ ...request, path }, path)
    const { forgotten, matched, requests } = small.list({})
    assert.deepStrictEqual([requests.map(({ path }) => path), matched, forgotten], [["/3", "/4", "/5"], 3, 2])
    assert.strictEqual(small.clear(), 3)
    assert.deepStrictEqual(small.list({}), { requests: [], matched: 0, forgotten: 0 })
  })

  it("ignores the end of a request that was removed while it was in flight", () => {
    const small = makeJournal(1)
    const page = small.add(request, "/")
    small.add({ ...request, path: "/next" }, "/next")
    page.end({ requestId: "x", outcome: "answered", status: 200, answerSize: 0, milliseconds: 1 })
    assert.deepStrictEqual(
      small.list({}).requests.map(({ outcome, path }) => [path, outcome]),
      [["/next", "in flight"]]
    )
  })
})

describe("a body that is shown", () => {
  const redact = makeRedactBody()

  it("has every field of the contract, but for credentials", () => {
    const body: typeof ApiKeyCreate.Encoded = {
      name: "x",
      expireAt: "2999-01-01T00:00:00Z",
      state: "enabled",
      roles: ["admin"],
      ipAccessList: [{ source: "192.0.2.0/24", description: "office" }]
    }
    assert.deepStrictEqual(redact(body), body)
    const dashboard = {
      name: "x",
      tags: ["a"],
      tiles: [{ x: 0, y: 0, w: 1, h: 1, series: [{ type: "time", where: "level:error", groupBy: ["a"] }] }]
    }
    assert.deepStrictEqual(redact(dashboard), dashboard)
    assert.deepStrictEqual(redact({ ...body, hashData: hashDataOf("a", "b") }), { ...body, hashData: "<redacted>" })
    assert.isTrue(Schema.is(ApiKeyCreate)(Schema.decodeUnknownSync(ApiKeyCreate)(body)))
  })

  it("has no value of a field that the contract keeps secret", () => {
    for (const field of [
      "keySecret",
      "connectionString",
      "token",
      "tokenHash",
      "keyIdHash",
      "keySecretHash",
      "secret"
    ]) {
      assert.deepStrictEqual(redact({ [field]: "SECRET", tiles: [{ [field]: { name: "SECRET" } }] }), {
        [field]: "<redacted>",
        tiles: [{ [field]: "<redacted>" }]
      })
    }
  })
})
