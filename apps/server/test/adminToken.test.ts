import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { networkInterfaces } from "node:os"
import { join } from "node:path"
import { memoryRateLimiterStore } from "../src/access/MemoryRateLimiterStore.ts"
import { RequestLimits } from "../src/access/RequestLimits.ts"
import { AdminAccess, tokenAccess } from "../src/admin/AdminAccess.ts"
import { parseRateLimit } from "../src/flags.ts"
import { journal, putFaults, rawExchange } from "./support/admin.ts"
import { as, environment, firstPipe, pipePath } from "./support/environment.ts"
import { call, memoryServer } from "./support/liveServer.ts"
import { serverProcess, serverProcessIn, temporaryDirectory } from "./support/processes.ts"

const token = "the-admin-token-of-a-test-suite-which-has-more-than-32-characters"
const withToken = { "headgate-admin-token": token }

const limitOf = (text: string) => Option.fromUndefinedOr(parseRateLimit(text))

/** Those that are nearly right, and those that are not. */
const wrongTokens = [
  "",
  token.slice(0, -1),
  token.slice(1),
  `${token}x`,
  `${token}, ${token}`,
  token.toUpperCase(),
  `Bearer ${token}`,
  "x".repeat(token.length)
]

layer(memoryServer(environment, { admin: true, adminToken: token }))("/_admin with an admin token", (it) => {
  const reset = (...headers: ReadonlyArray<string>) =>
    Effect.map(
      rawExchange(["POST /_admin/reset HTTP/1.1", "connection: close", ...headers]),
      ({ received }) => received
    )
  const statusOf = (received: string) => Number(received.split(" ", 2)[1])

  for (const from of [
    ["host: ci.example.com:7420"],
    ["host: 10.0.0.1"],
    ["host: localhost", "x-forwarded-for: 203.0.113.9"],
    ["host: localhost", "via: 1.1 proxy"]
  ]) {
    it.effect(`lets in who has it, from anywhere, and nobody else: ${from.join(", ")}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(statusOf(yield* reset(...from, `Headgate-Admin-Token: ${token}`)), 200)
        assert.strictEqual(statusOf(yield* reset(...from)), 401)
      })
    )
  }

  it.effect("wants it of programs on this machine, too, and of each path", () =>
    Effect.gen(function* () {
      for (const path of [
        "reset",
        "seed",
        "requests",
        "faults",
        "pipe-state",
        "service-state",
        "clock",
        "no-such-path"
      ]) {
        const { headers, json, status, text } = yield* call(`/_admin/${path}`, { method: "GET" })
        assert.strictEqual(status, 401, path)
        assert.strictEqual(headers.get("www-authenticate"), "Headgate-Admin-Token")
        assert.include(json.error, "UNAUTHORIZED: headgate-admin-token: Missing")
        assert.notInclude(text, token)
      }
    })
  )

  it.effect("takes no other token, and no credentials of the API", () =>
    Effect.gen(function* () {
      for (const sent of wrongTokens) {
        const { status, text } = yield* call("/_admin/faults", { headers: { "headgate-admin-token": sent } })
        assert.strictEqual(status, 401, sent)
        assert.notInclude(text, token)
      }
      assert.strictEqual((yield* call("/_admin/faults", { authorization: as("admin") })).status, 401)
      assert.strictEqual((yield* call(`/_admin/faults?headgate-admin-token=${token}`)).status, 401)
    })
  )

  it.effect("answers no preflight of a page", () =>
    Effect.gen(function* () {
      const preflight = yield* call("/_admin/reset", {
        method: "OPTIONS",
        headers: { origin: "http://evil.test", "access-control-request-headers": "headgate-admin-token" }
      })
      assert.strictEqual(preflight.status, 401)
      assert.isTrue([...preflight.headers.keys()].every((name) => !name.startsWith("access-control-")))
    })
  )

  it.effect("is in no journal: a client may send it with every request", () =>
    Effect.gen(function* () {
      yield* call("/_admin/requests", { method: "DELETE", headers: withToken })
      yield* call(pipePath(firstPipe), { authorization: as("admin"), headers: withToken })
      yield* call(`/v1/organizations/x?token=${token}`, { headers: withToken })
      const { json, text } = yield* call("/_admin/requests", { headers: withToken })
      assert.lengthOf(json.requests, 2)
      assert.strictEqual(json.requests[0].headers["headgate-admin-token"], "<redacted>")
      assert.notInclude(text, token)
    })
  )
})

layer(memoryServer(environment, { admin: true }))("/_admin without an admin token", (it) => {
  it.effect("hides one that a client sends all the same", () =>
    Effect.gen(function* () {
      yield* putFaults({ match: { times: 1 }, status: 503 })
      yield* call(pipePath(firstPipe), { headers: withToken })
      const [entry] = yield* journal("?limit=1")
      assert.strictEqual(entry.headers["headgate-admin-token"], "<redacted>")
      assert.notInclude(JSON.stringify(entry), token)
    })
  )
})

describe("wrong admin tokens", () => {
  const access = tokenAccess(Redacted.make(token)).pipe(
    Layer.provide(RequestLimits.layer({ requests: Option.none(), failedLogins: limitOf("3/m") })),
    Layer.provide(RateLimiter.layer),
    Layer.provide(memoryRateLimiterStore())
  )
  const from = (address: string, sent: string | undefined) => {
    const headers = sent === undefined ? {} : { "headgate-admin-token": sent }
    return HttpServerRequest.fromWeb(new Request("http://localhost/_admin/reset", { headers })).modify({
      remoteAddress: Option.some("198.51.100.7"),
      peerAddress: Option.some(address)
    })
  }

  it.effect("are limited for each address, and keep nobody out who has the right one", () =>
    Effect.gen(function* () {
      const check = yield* AdminAccess
      const codesOf = (...requests: ReadonlyArray<readonly [address: string, sent: string | undefined]>) =>
        Effect.map(
          Effect.forEach(requests, ([address, sent]) => check(from(address, sent))),
          (problems) => problems.map((problem) => problem?.code)
        )
      const wrong = ["192.0.2.1", "x"] as const
      const missing = ["192.0.2.1", undefined] as const
      assert.deepStrictEqual(yield* codesOf(wrong, missing, missing, missing, wrong, wrong), [
        "UNAUTHORIZED",
        "UNAUTHORIZED",
        "UNAUTHORIZED",
        "UNAUTHORIZED",
        "UNAUTHORIZED",
        "UNAUTHORIZED"
      ])
      assert.deepStrictEqual(yield* codesOf(wrong, ["192.0.2.2", "x"], ["192.0.2.1", token], wrong), [
        "TOO_MANY_REQUESTS",
        "UNAUTHORIZED",
        undefined,
        "TOO_MANY_REQUESTS"
      ])
      const refused = yield* check(from(...wrong))
      assert.strictEqual(refused?.headers?.["retry-after"], "60")
    }).pipe(Effect.provide(access))
  )
})

/** An address of this machine that is not loopback; `undefined` if it has none. */
const foreignAddress = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.internal === false && address.family === "IPv4")?.address

const statusAt = (url: string, headers: Record<string, string> = {}) =>
  Effect.promise(() => fetch(`${url}/_admin/faults`, { headers }).then(({ status }) => status))

describe("--admin-token-file", () => {
  it.live("is read once, so that it may be a pipe of a shell", () =>
    Effect.gen(function* () {
      const pipe = join(yield* temporaryDirectory, "token")
      execFileSync("mkfifo", [pipe])
      const written = writeFile(pipe, `${token}\n`)
      const { url } = yield* serverProcess("--memory", "--admin", "--admin-token-file", pipe)
      yield* Effect.promise(() => written)
      assert.strictEqual(yield* statusAt(url, withToken), 200)
      assert.strictEqual(yield* statusAt(url), 401)
    }).pipe(Effect.scoped)
  )

  it.live("opens /_admin on any address, and shows its token to nobody", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "token")
      writeFileSync(file, `${token}\n`)
      const anywhere = "--memory --host 0.0.0.0 --insecure-http --admin --admin-token-file"
      const { printed, stop, url } = yield* serverProcess(...anywhere.split(" "), file)
      const { port } = new URL(url)
      for (const address of ["127.0.0.1", ...(foreignAddress === undefined ? [] : [foreignAddress])]) {
        assert.strictEqual(yield* statusAt(`http://${address}:${port}`, withToken), 200, address)
        assert.strictEqual(yield* statusAt(`http://${address}:${port}`), 401, address)
      }
      // The default of --login-limit: 20 a minute.
      const wrong = { "headgate-admin-token": "x" }
      const statuses = yield* Effect.forEach(Array.from({ length: 22 }), () =>
        statusAt(`http://127.0.0.1:${port}`, wrong)
      )
      assert.deepStrictEqual(statuses, [...Array.from({ length: 20 }, () => 401), 429, 429])
      const metrics = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/metrics`).then((all) => all.text()))
      assert.match(metrics, /^headgate_failed_logins_total 22$/m)
      assert.match(printed.stderr, /^WARNING: --admin is for tests\. Every caller with the admin token in the header/m)
      assert.notInclude(printed.stderr, "Put no proxy in front of it")
      const { stderr, stdout } = yield* Effect.promise(() => stop())
      assert.include(stdout, "/_admin/faults")
      for (const text of [stderr, stdout, metrics]) assert.notInclude(text, token)
    }).pipe(Effect.scoped)
  )

  it.live("may be HEADGATE_ADMIN_TOKEN instead, which is nothing without --admin", () =>
    Effect.gen(function* () {
      const environment = { HEADGATE_ADMIN_TOKEN: token }
      const { url } = yield* serverProcessIn(environment, "--memory", "--admin")
      assert.deepStrictEqual([yield* statusAt(url), yield* statusAt(url, withToken)], [401, 200])
      const plain = yield* serverProcessIn(environment, "--memory")
      assert.strictEqual(yield* statusAt(plain.url, withToken), 404)
    }).pipe(Effect.scoped)
  )
})
