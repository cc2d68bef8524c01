import { assert, describe, it, layer } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as IpNetwork from "effect/net/IpNetwork"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { TestClock } from "effect/testing"
import { TtlMap, memoryRateLimiterStore } from "../src/access/MemoryRateLimiterStore.ts"
import { RequestLimits } from "../src/access/RequestLimits.ts"
import { parseRateLimit } from "../src/flags.ts"
import { maxBodyDepth, maxBodyValues, maxObjectFields, maxPathLength } from "../src/http/Limits.ts"
import { basic, call, memoryServer, ServerUrl } from "./support/liveServer.ts"
import { openConnection } from "./support/rawConnection.ts"
import { as, dashboardsPath, firstPipe, keysPath, pipePath, withToken, environment } from "./support/environment.ts"

const limit = (text: string) => Option.fromUndefinedOr(parseRateLimit(text))
const read = (keyId: string, headers: Record<string, string> = {}) =>
  call(pipePath(firstPipe), { authorization: as(keyId), headers })

// The server runs on the test's clock: it moves when it is told to.
layer(memoryServer(environment, { limits: { requests: limit("3/9s") } }))("--rate-limit", (it) => {
  it.effect("tells a key what is left, refuses what is too much, and forgets after the window", () =>
    Effect.gen(function* () {
      for (const remaining of ["2", "1", "0"]) {
        const { headers, status } = yield* read("admin")
        assert.strictEqual(status, 200)
        assert.strictEqual(headers.get("ratelimit-limit"), "3")
        assert.strictEqual(headers.get("ratelimit-remaining"), remaining)
        assert.strictEqual(headers.get("ratelimit-reset"), headers.get("x-ratelimit-reset"))
      }
      const refused = yield* read("admin")
      assert.strictEqual(refused.status, 429)
      assert.match(refused.json.error, /^TOO_MANY_REQUESTS: /)
      assert.strictEqual(refused.headers.get("retry-after"), "9")
      assert.strictEqual(refused.headers.get("ratelimit-remaining"), "0")
      assert.strictEqual((yield* read("developer")).status, 200)
      yield* TestClock.adjust(Duration.seconds(9))
      assert.strictEqual((yield* read("admin")).status, 200)
    })
  )

  it.effect("counts tokens apart from keys, in the shape of their API", () =>
    Effect.gen(function* () {
      for (let count = 0; count < 3; count++) {
        assert.strictEqual((yield* call(dashboardsPath, { authorization: withToken })).status, 200)
      }
      const refused = yield* call(dashboardsPath, { authorization: withToken })
      assert.strictEqual(refused.status, 429)
      assert.deepStrictEqual(Object.keys(refused.json), ["message"])
    })
  )

  it.effect("a refused request does nothing", () =>
    Effect.gen(function* () {
      for (let count = 0; count < 3; count++) yield* read("from-here")
      const refused = yield* call(keysPath(), { authorization: as("from-here"), body: { name: "x" } })
      assert.strictEqual(refused.status, 429)
    })
  )
})

const loopback = [IpNetwork.fromStringUnsafe("127.0.0.0/8")]
const from = (address: string) => ({ "x-forwarded-for": address })

layer(memoryServer(environment, { limits: { failedLogins: limit("5/m") }, trustedProxies: loopback }))(
  "failed logins",
  (it) => {
    it.effect("with one key ID from one address are bounded, and keep no good credentials out", () =>
      Effect.gen(function* () {
        const guess = (authorization: string) =>
          call(pipePath(firstPipe), { authorization, headers: from("203.0.113.9") })
        const wrong = guess(basic("admin", "wrong"))
        for (let count = 0; count < 5; count++) assert.strictEqual((yield* wrong).status, 401)
        const refused = yield* wrong
        assert.strictEqual(refused.status, 429)
        assert.strictEqual(refused.headers.get("retry-after"), "60")
        assert.strictEqual((yield* read("admin", from("203.0.113.9"))).status, 200)
        assert.strictEqual((yield* guess(basic("developer", "wrong"))).status, 401)
        yield* TestClock.adjust(Duration.minutes(1))
        assert.strictEqual((yield* wrong).status, 401)
      })
    )

    it.effect("are not what good logins and missing credentials count as", () =>
      Effect.gen(function* () {
        for (let count = 0; count < 10; count++) {
          assert.strictEqual((yield* read("admin", from("203.0.113.20"))).status, 200)
          assert.strictEqual((yield* call(pipePath(firstPipe), { headers: from("203.0.113.20") })).status, 401)
        }
      })
    )
  }
)

layer(memoryServer(environment, { trustedProxies: loopback }), { excludeTestServices: true })("--trust-proxy", (it) => {
  it.effect("believes the address a trusted proxy tells, and the last one it does not trust", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* read("from-elsewhere", from("203.0.113.7"))).status, 200)
      assert.strictEqual((yield* read("from-elsewhere", from("198.51.100.1"))).status, 403)
      // A caller may write what it likes in front: what counts is what the proxy appended.
      assert.strictEqual((yield* read("from-elsewhere", from("203.0.113.7, 198.51.100.1"))).status, 403)
      assert.strictEqual((yield* read("from-elsewhere", from("198.51.100.1, 203.0.113.7"))).status, 200)
      assert.strictEqual((yield* read("from-elsewhere", from("203.0.113.7, 127.0.0.9"))).status, 200)
    })
  )
})

layer(memoryServer(environment), { excludeTestServices: true })("without --trust-proxy", (it) => {
  it.effect("X-Forwarded-For does not count", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* read("from-elsewhere", from("203.0.113.7"))).status, 403)
      assert.strictEqual((yield* read("from-here", from("203.0.113.7"))).status, 200)
    })
  )

  it.effect("a body nested too deeply is a 400 that says so, whichever parser reads it", () =>
    Effect.gen(function* () {
      for (const depth of [100, 200_000]) {
        const body = `{"name":"x","a":${"[".repeat(depth)}${"]".repeat(depth)}}`
        const { json, status } = yield* call(keysPath(), { authorization: as("admin"), body })
        assert.strictEqual(status, 400)
        assert.include(json.error, `at most ${maxBodyDepth} levels`)
      }
    })
  )

  it.effect("a body of too many values is a 400 that says so", () =>
    Effect.gen(function* () {
      const create = (values: number) => {
        const body = `{"name":"x","tiles":[],"a":[${Array(values).fill("1").join(",")}]}`
        return call(dashboardsPath, { authorization: withToken, body })
      }
      // Three fields, and the empty array counts as one.
      const { json, status } = yield* create(maxBodyValues - 3)
      assert.strictEqual(status, 400)
      assert.include(json.message, `at most ${maxBodyValues} fields and elements`)
      assert.strictEqual((yield* create(maxBodyValues - 4)).status, 200)
    })
  )

  it.effect("an object of too many fields is a 400 that says so, in whatever depth", () =>
    Effect.gen(function* () {
      const create = (fields: number) => {
        const wide = Array.from({ length: fields }, (_, index) => `"f${index}":1`).join(",")
        return call(dashboardsPath, { authorization: withToken, body: `{"name":"x","tiles":[],"a":[{${wide}}]}` })
      }
      const { json, status } = yield* create(maxObjectFields + 1)
      assert.strictEqual(status, 400)
      assert.include(json.message, `at most ${maxObjectFields} fields in an object`)
      assert.strictEqual((yield* create(maxObjectFields)).status, 200)
    })
  )

  it.effect("a path that is too long is a 400 in the shape of its API, and is not decoded", () =>
    Effect.gen(function* () {
      const [management, observability] = ["/v1/", "/api/v2/"]
      for (const sign of ["%", "%25", "a", ";", "%20"]) {
        const long = sign.repeat(Math.ceil((maxPathLength + 1) / sign.length))
        const refused = yield* call(`${management}${long}`)
        assert.strictEqual(refused.status, 400, sign)
        assert.include(refused.json.error, `at most ${maxPathLength} characters`)
        assert.strictEqual(
          (yield* call(`${observability}${long}`)).json.message,
          "path: Expected at most 2048 characters"
        )
      }
      // What stands for itself is escaped before it is decoded.
      for (const sign of ["%", ";"]) {
        const longest = Math.floor((maxPathLength - management.length) / 3)
        assert.strictEqual((yield* call(`${management}${sign.repeat(longest)}`)).status, 404, sign)
        assert.strictEqual((yield* call(`${management}${sign.repeat(longest + 1)}`)).status, 400, sign)
      }
      assert.strictEqual((yield* call(`${management}x?${"a".repeat(4000)}`)).status, 404)
    })
  )

  it.effect("a body that is no UTF-8 is a 400, and nothing is stored", () =>
    Effect.gen(function* () {
      const url = yield* ServerUrl
      for (const bytes of ["ff", "c328", "eda080", "f8888080"]) {
        const body = Buffer.concat([Buffer.from('{"name":"x'), Buffer.from(bytes, "hex"), Buffer.from('"}')])
        const headers = { authorization: withToken, "content-type": "application/json" }
        const answer = yield* Effect.promise(() => fetch(`${url}${dashboardsPath}`, { method: "POST", headers, body }))
        assert.strictEqual(answer.status, 400, bytes)
        assert.include(yield* Effect.promise(() => answer.text()), "UTF-8")
      }
      const { text } = yield* call(dashboardsPath, { authorization: withToken })
      assert.notInclude(text, "\ufffd")
    })
  )

  it.effect("a request without Host, with two of them, or with two Authorization headers is a 400", () =>
    Effect.gen(function* () {
      const url = yield* ServerUrl
      const answerTo = Effect.fnUntraced(function* (version: string, ...headers: ReadonlyArray<string>) {
        const connection = yield* Effect.promise(() => openConnection(url))
        connection.send([`GET /v1/x HTTP/${version}`, ...headers, "connection: close", "", ""].join("\r\n"))
        return yield* Effect.promise(() => connection.closed)
      })
      const [host, authorization] = ["Host: a", `Authorization: ${withToken}`]
      for (const headers of [[], [host, host], [host, "hOST: b"], [host, authorization, authorization]]) {
        assert.match(yield* answerTo("1.1", ...headers), /^HTTP\/1\.1 400 [\s\S]*Expected/)
      }
      assert.match(yield* answerTo("1.1", host, authorization), /^HTTP\/1\.1 404 /)
      assert.match(yield* answerTo("1.1", "Host:"), /^HTTP\/1\.1 404 /)
      assert.match(yield* answerTo("1.0"), /^HTTP\/1\.1 404 /)
    })
  )

  it.effect("every answer says it is not to be sniffed, and a page what it may do", () =>
    Effect.gen(function* () {
      const answer = yield* read("admin")
      assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff")
      const page = yield* call("/docs")
      assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'.*frame-ancestors 'none'/)
      assert.strictEqual(page.headers.get("x-frame-options"), "DENY")
    })
  )
})

describe("failed logins from ever new addresses and key IDs", () => {
  it.effect("cost a bounded number of windows for each address, and are forgotten when these have ended", () =>
    Effect.gen(function* () {
      const held = new TtlMap<any>()
      const { afterFailedLogin } = yield* RequestLimits.layer({
        failedLogins: limit("5/m"),
        requests: Option.none()
      }).pipe(
        Layer.provide(RateLimiter.layer),
        Layer.provide(memoryRateLimiterStore(held)),
        Layer.build,
        Effect.map((built) => Context.get(built, RequestLimits))
      )
      const fail = (address: string, keyId: string) => Effect.exit(afterFailedLogin(address, keyId))
      for (let count = 0; count < 5000; count++) yield* fail("203.0.113.9", `made up ${count}`)
      assert.strictEqual(held.size, 64)
      for (let count = 0; count < 5000; count++) yield* fail(`2001:db8::${count.toString(16)}`, "admin")
      assert.strictEqual(held.size, 5064)
      yield* TestClock.adjust(Duration.minutes(2))
      yield* fail("203.0.113.9", "admin")
      assert.strictEqual(held.size, 1)
    })
  )
})

describe("a clock that is set back", () => {
  it.effect("makes no window longer", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      let setBack = 0
      const wall: Clock.Clock = {
        ...clock,
        sleep: clock.sleep,
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() - setBack
      }
      yield* TestClock.setTime(Date.parse("2026-06-01T12:00:00Z"))
      const store = Context.get(yield* Layer.build(memoryRateLimiterStore()), RateLimiter.RateLimiterStore)
      const use = store
        .fixedWindow({ key: "a", tokens: 1, limit: 1, refillRate: Duration.minutes(1) })
        .pipe(Effect.provideService(Clock.Clock, wall))
      yield* use
      setBack = Duration.toMillis("3 hours")
      assert.deepStrictEqual(yield* use, [2, 60_000])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* use, [1, 60_000])
    })
  )
})

describe("what the limits read", () => {
  it.effect.each([
    { text: "10/10s", expected: [10, 10_000] },
    { text: "20/m", expected: [20, 60_000] },
    { text: "1000/2h", expected: [1000, 7_200_000] }
  ])("$text is a rate", ({ expected, text }) =>
    Effect.sync(() => {
      const rate = parseRateLimit(text)
      assert.deepStrictEqual(rate && [rate.limit, Duration.toMillis(rate.window)], expected)
    })
  )

  it.effect.each(
    ["", "10", "0/s", "10/0s", "10/", "/s", "10/10", "10/10d", "-1/s", "1e3/s", "10/10s "].map((text) => ({ text }))
  )("$text is none", ({ text }) => Effect.sync(() => assert.isUndefined(parseRateLimit(text))))
})
