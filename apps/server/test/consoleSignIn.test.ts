import { assert, layer } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as IpNetwork from "effect/net/IpNetwork"
import { TestClock } from "effect/testing"
import { parseRateLimit } from "../src/flags.ts"
import { journal, rawExchange } from "./support/admin.ts"
import { codeOf, exchange, signInPath, tokenOf, withSessionOf } from "./support/console.ts"
import { as, dashboardsPath, environment, firstPipe, pipePath } from "./support/environment.ts"
import { bearer, call, memoryServer, ServerUrl } from "./support/liveServer.ts"

const own = pipePath(firstPipe)
const limit = (text: string) => Option.fromUndefinedOr(parseRateLimit(text))
const loopback = [IpNetwork.fromStringUnsafe("127.0.0.0/8")]
const unknownCode = `hgc_${"a".repeat(40)}`

const statusAndBody = ({ received }: { readonly received: string }) => {
  const [head = "", body = ""] = received.split("\r\n\r\n", 2)
  return { status: Number(head.split(" ", 2)[1]), body }
}

/** A request of a session with these headers alone, over a connection of its own. */
const asking = (token: string, ...headers: ReadonlyArray<string>) =>
  Effect.map(
    rawExchange([`GET ${own} HTTP/1.1`, "connection: close", `authorization: Bearer ${token}`, ...headers]),
    statusAndBody
  )

const signingIn = (code: string, ...headers: ReadonlyArray<string>) =>
  Effect.map(
    rawExchange([`POST ${signInPath} HTTP/1.1`, "connection: close", ...headers], JSON.stringify({ code })),
    statusAndBody
  )

layer(memoryServer(environment))("a sign-in", (it) => {
  it.effect.each<readonly [what: string, body: unknown, expected: RegExp]>([
    ["no body", "", /body: Expected a JSON object/],
    ["what is not JSON", "{", /body: Expected valid JSON/],
    ["no code", {}, /code: /],
    ["a code that is a number", { code: 12345 }, /code: /],
    ["a code that is null", { code: null }, /code: /],
    ["a list", [unknownCode], /body: Expected a JSON object/]
  ])("with %s is a 400 that names the field", ([, body, expected]) =>
    Effect.gen(function* () {
      const refused = yield* call(signInPath, { body })
      assert.strictEqual(refused.status, 400, refused.text)
      assert.match(refused.json.error, expected)
      assert.notInclude(refused.text, "12345")
    })
  )

  it.effect("takes a body of 1 KiB of JSON and no more", () =>
    Effect.gen(function* () {
      const long = { code: "x".repeat(1024) }
      assert.strictEqual((yield* call(signInPath, { body: long })).status, 413)
      const url = yield* ServerUrl
      // Without a length that says so before.
      const chunked = yield* Effect.promise(() =>
        fetch(`${url}${signInPath}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: new Blob([JSON.stringify(long)]).stream(),
          duplex: "half"
        })
      )
      assert.strictEqual(chunked.status, 413)
      assert.strictEqual((yield* call(signInPath, { body: long, contentType: "text/plain" })).status, 413)
      const plain = yield* call(signInPath, { body: { code: "x" }, contentType: "text/plain" })
      assert.strictEqual(plain.status, 415)
      assert.strictEqual((yield* call(signInPath, { body: { code: "x".repeat(1000) } })).status, 401)
    })
  )

  it.effect("says the same of a code that is unknown, used, malformed and of another kind", () =>
    Effect.gen(function* () {
      const used = yield* codeOf("admin")
      assert.strictEqual((yield* exchange(used)).status, 200)
      const answers = yield* Effect.forEach([unknownCode, used, "", "x", yield* tokenOf("admin")], (code) =>
        exchange(code)
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [401, 401, 401, 401, 401]
      )
      assert.strictEqual(new Set(answers.map(({ json }) => json.error)).size, 1)
    })
  )

  it.effect("uses nothing up from an address that its key does not allow", () =>
    Effect.gen(function* () {
      const code = yield* codeOf("from-elsewhere")
      for (const _ of ["first", "second"]) {
        const refused = yield* exchange(code)
        assert.strictEqual(refused.status, 403)
        assert.include(refused.json.error, "IP access list")
      }
    })
  )

  it.effect("is in no table of operations and takes no other method", () =>
    Effect.gen(function* () {
      for (const method of ["GET", "PUT", "PATCH"]) {
        const refused = yield* call(signInPath, { method })
        assert.deepStrictEqual([refused.status, refused.headers.get("allow")], [405, "POST, DELETE"])
      }
      assert.notInclude((yield* call("/openapi.json")).text, `"${signInPath}"`)
    })
  )

  it.effect("needs a session to sign out", () =>
    Effect.gen(function* () {
      for (const headers of [{}, { authorization: as("admin") }, { authorization: bearer("hgt_x") }]) {
        const refused = yield* call(signInPath, { method: "DELETE", headers })
        assert.deepStrictEqual(
          [refused.status, refused.headers.get("www-authenticate")],
          [401, 'Bearer realm="headgate"']
        )
      }
    })
  )
})

layer(memoryServer(environment, { limits: { failedLogins: limit("5/m"), requests: limit("8/h") } }))(
  "the limits of the console",
  (it) => {
    it.effect("bound codes and sessions that are wrong, from one address, and keep no good ones out", () =>
      Effect.gen(function* () {
        const authorization = yield* withSessionOf("admin")
        const left = yield* codeOf("admin")
        const wrong = [exchange(unknownCode), call(own, { authorization: bearer(`hgs_${"a".repeat(40)}`) })]
        for (let count = 0; count < 5; count++) assert.strictEqual((yield* wrong[count % 2]!).status, 401)
        for (const attempt of wrong) {
          const refused = yield* attempt
          assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [429, "60"])
        }
        assert.strictEqual((yield* call(own, { authorization })).status, 200)
        assert.strictEqual((yield* exchange(left)).status, 200)
        yield* TestClock.adjust(Duration.minutes(1))
        assert.strictEqual((yield* exchange(unknownCode)).status, 401)
      })
    )

    it.effect("count the requests of a session as those of its key", () =>
      Effect.gen(function* () {
        const authorization = yield* withSessionOf("developer")
        for (let count = 0; count < 8; count++) {
          const { status } = yield* call(own, { authorization: count % 2 === 0 ? authorization : as("developer") })
          assert.strictEqual(status, 200)
        }
        for (const one of [authorization, as("developer")]) {
          assert.strictEqual((yield* call(own, { authorization: one })).status, 429)
        }
      })
    )
  }
)

const https = "https://console.example.com"
const publicUrls = [https, "https://other.example.com:8443"]

layer(memoryServer(environment, { publicUrls, trustedProxies: loopback }))("a request with a session", (it) => {
  const port = Effect.map(ServerUrl, (url) => new URL(url).port)

  it.effect("and a sign-in come under a name of this server, with its port", () =>
    Effect.gen(function* () {
      const [token, ownPort] = [yield* tokenOf("admin"), yield* port]
      for (const host of [
        `127.0.0.1:${ownPort}`,
        `localhost:${ownPort}`,
        `LocalHost:${ownPort}`,
        `[::1]:${ownPort}`,
        "console.example.com",
        "console.example.com:443",
        "OTHER.example.com:8443"
      ]) {
        assert.strictEqual((yield* asking(token, `host: ${host}`)).status, 200, host)
        assert.strictEqual((yield* signingIn(yield* codeOf("admin"), `host: ${host}`)).status, 200, host)
      }
    })
  )

  it.effect("under any other name is refused, and the message names the flag (DNS rebinding)", () =>
    Effect.gen(function* () {
      const [token, code, ownPort] = [yield* tokenOf("admin"), yield* codeOf("admin"), yield* port]
      for (const host of [
        `evil.test:${ownPort}`,
        "evil.test",
        `localhost.evil.test:${ownPort}`,
        `127.0.0.1.evil.test:${ownPort}`,
        `10.0.0.1:${ownPort}`,
        `console.example.com.evil.test`,
        "localhost",
        "127.0.0.1",
        "localhost:1",
        `localhost:${ownPort}@evil.test`,
        `evil.test#localhost:${ownPort}`,
        ""
      ]) {
        for (const { body, status } of [
          yield* asking(token, `host: ${host}`),
          yield* signingIn(code, `host: ${host}`)
        ]) {
          assert.strictEqual(status, 403, host)
          assert.include(body, "--public-url")
          // It would be good: nothing was used up, and nothing is said of the credentials.
          assert.notInclude(body, "credentials")
        }
      }
      const named = yield* asking(token, "host: evil.test")
      assert.include(named.body, `localhost:${ownPort}`)
      const observability = yield* rawExchange([
        `GET ${dashboardsPath} HTTP/1.1`,
        "connection: close",
        "host: evil.test",
        `authorization: Bearer ${token}`
      ])
      assert.deepStrictEqual(
        [statusAndBody(observability).status, Object.keys(JSON.parse(statusAndBody(observability).body))],
        [403, ["message"]]
      )
      const unnamed = yield* rawExchange([`GET ${own} HTTP/1.0`, `authorization: Bearer ${token}`])
      assert.strictEqual(statusAndBody(unnamed).status, 403)
      assert.strictEqual((yield* signingIn(code, `host: localhost:${ownPort}`)).status, 200)
    })
  )

  it.effect("comes from this server's own origin", () =>
    Effect.gen(function* () {
      const [token, ownPort] = [yield* tokenOf("admin"), yield* port]
      const direct = `host: 127.0.0.1:${ownPort}`
      for (const headers of [
        [direct],
        [direct, `origin: http://127.0.0.1:${ownPort}`],
        [direct, `origin: http://127.0.0.1:${ownPort}`, "sec-fetch-site: same-origin"],
        ["host: console.example.com", `origin: ${https}`, "sec-fetch-site: same-origin"],
        // A proxy that names this server itself.
        [direct, `origin: ${https}`, "sec-fetch-site: same-origin"],
        [
          `host: 127.0.0.1:${ownPort}`,
          "x-forwarded-for: 203.0.113.7",
          "x-forwarded-host: console.example.com",
          `origin: ${https}`
        ]
      ]) {
        assert.strictEqual((yield* asking(token, ...headers)).status, 200, headers.join())
        assert.strictEqual((yield* signingIn(yield* codeOf("admin"), ...headers)).status, 200, headers.join())
      }
    })
  )

  it.effect("of any other origin or site is refused (CSRF)", () =>
    Effect.gen(function* () {
      const [token, code, ownPort] = [yield* tokenOf("admin"), yield* codeOf("admin"), yield* port]
      const direct = `host: 127.0.0.1:${ownPort}`
      for (const headers of [
        [direct, "origin: http://evil.test"],
        [direct, `origin: http://localhost:${ownPort}`],
        [direct, "origin: http://127.0.0.1:1"],
        [direct, `origin: https://127.0.0.1:${ownPort}`],
        [direct, "origin: null"],
        [direct, "origin: "],
        [direct, "sec-fetch-site: cross-site"],
        [direct, "sec-fetch-site: same-site"],
        // No fetch of a page sends it.
        [direct, "sec-fetch-site: none"],
        ["host: console.example.com", "origin: http://console.example.com"],
        ["host: console.example.com", "origin: https://console.example.com:8443"],
        ["host: console.example.com", "origin: https://evil.test"],
        [direct, "x-forwarded-for: 203.0.113.7", "x-forwarded-host: evil.test", `origin: ${https}`]
      ]) {
        assert.strictEqual((yield* asking(token, ...headers)).status, 403, headers.join())
        assert.strictEqual((yield* signingIn(code, ...headers)).status, 403, headers.join())
      }
      assert.strictEqual((yield* signingIn(code, direct)).status, 200)
    })
  )

  it.effect("leaves keys and tokens to every name and page, as before", () =>
    Effect.gen(function* () {
      const foreign = yield* rawExchange([
        `GET ${own} HTTP/1.1`,
        "connection: close",
        "host: evil.test",
        "origin: http://evil.test",
        `authorization: ${as("admin")}`
      ])
      assert.strictEqual(statusAndBody(foreign).status, 200)
    })
  )
})

layer(memoryServer(environment))("an untrusted proxy", (it) => {
  it.effect("names this server by no X-Forwarded-Host", () =>
    Effect.gen(function* () {
      const { host } = new URL(yield* ServerUrl)
      const { status } = yield* asking(
        yield* tokenOf("admin"),
        "host: evil.test",
        "x-forwarded-for: 203.0.113.7",
        `x-forwarded-host: ${host}`
      )
      assert.strictEqual(status, 403)
    })
  )
})

layer(memoryServer(environment, { admin: true }))("with --admin", (it) => {
  it.effect("a session reaches no /_admin, and the journal shows neither a session nor a code", () =>
    Effect.gen(function* () {
      const [token, code] = [yield* tokenOf("admin"), yield* codeOf("admin")]
      const refused = yield* call("/_admin/requests", { authorization: bearer(token) })
      assert.strictEqual(refused.status, 403)
      assert.include(refused.json.error, "/_admin takes no session of the console")
      yield* call("/_admin/requests", { method: "DELETE" })
      const opened = yield* exchange(code)
      yield* call(own, { authorization: bearer(opened.json.result.token) })
      yield* call(`${own}?code=${code}&token=${token}`, { headers: { "user-agent": `${code} ${token}` } })
      yield* call(`/console/${code}/${token}`)
      yield* exchange({ [code]: token })
      yield* call(signInPath, { method: "DELETE", authorization: bearer(token) })
      const shown = yield* journal()
      assert.deepStrictEqual(
        shown.slice(0, 2).map(({ path, status }: { path: string; status: number }) => [path, status]),
        [
          [signInPath, 200],
          [own, 200]
        ]
      )
      assert.strictEqual(shown[1].keyIdSuffix, "dmin")
      assert.deepStrictEqual(shown[0].body, { code: "<redacted>" })
      const text = JSON.stringify(shown)
      for (const secret of [token, code, opened.json.result.token]) assert.notInclude(text, secret)
    })
  )
})
