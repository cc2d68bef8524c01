import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as IpNetwork from "effect/net/IpNetwork"
import { requireLocalCaller } from "../src/access/localOnly.ts"
import { rawExchange } from "./support/admin.ts"
import { call, memoryServer, ServerUrl } from "./support/liveServer.ts"
import { serverProcess } from "./support/processes.ts"
import { as, firstPipe, pipePath, uuidV4, environment } from "./support/environment.ts"

const statusOf = ({ received }: { readonly received: string }) => Number(received.split(" ", 2)[1])

/** A POST to reset with these headers alone, over a connection of its own. */
const reset = (...headers: ReadonlyArray<string>) =>
  Effect.map(rawExchange(["POST /_admin/reset HTTP/1.1", "connection: close", ...headers]), statusOf)

const proxied = { admin: true, trustedProxies: [IpNetwork.fromStringUnsafe("127.0.0.0/8")] }

layer(memoryServer(environment, proxied))("/_admin", (it) => {
  for (const host of ["localhost", "LOCALHOST:7420", "127.0.0.1", "127.8.9.1:80", "[::1]:7420"]) {
    it.effect(`answers a program that calls it ${host}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* reset(`host: ${host}`), 200)
        assert.strictEqual(yield* reset(`host: ${host}`, `origin: http://${host}`), 200)
      })
    )
  }

  for (const host of [
    "evil.test",
    "evil.test:7420",
    "localhost.evil.test",
    "127.0.0.1.evil.test",
    "10.0.0.1",
    "[::2]",
    ""
  ]) {
    it.effect(`refuses a page whose name was pointed here (DNS rebinding): ${host}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* reset(`host: ${host}`), 403)
        assert.strictEqual(yield* reset(`host: ${host}`, `origin: http://${host}`), 403)
      })
    )
  }

  it.effect("refuses a request without a Host", () =>
    Effect.map(rawExchange(["POST /_admin/reset HTTP/1.0"]), (answer) => assert.strictEqual(statusOf(answer), 403))
  )

  for (const header of [
    "origin: http://evil.test",
    "origin: http://localhost:3000",
    "origin: https://127.0.0.1",
    "origin: null",
    "sec-fetch-site: cross-site",
    "sec-fetch-site: same-site"
  ]) {
    it.effect(`refuses a page of another origin (CSRF): ${header}`, () =>
      Effect.map(reset("host: localhost:7420", header), (status) => assert.strictEqual(status, 403))
    )
  }

  for (const header of [
    "x-forwarded-for: 127.0.0.1",
    "x-forwarded-host: localhost",
    "forwarded: for=::1",
    "via: 1.1 p",
    "x-real-ip: ::1"
  ]) {
    it.effect(`refuses what comes through a proxy, trusted or not: ${header}`, () =>
      Effect.map(reset("host: localhost", header), (status) => assert.strictEqual(status, 403))
    )
  }

  it.effect("asks for JSON by name, which a page cannot send without asking, and answers no preflight", () =>
    Effect.gen(function* () {
      for (const contentType of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"]) {
        const { status } = yield* call("/_admin/faults", { method: "PUT", body: { rules: [] }, contentType })
        assert.strictEqual(status, 415)
      }
      const charset = "application/json; charset=utf-8"
      const put = yield* call("/_admin/faults", { method: "PUT", body: { rules: [] }, contentType: charset })
      assert.strictEqual(put.status, 200)
      const preflight = yield* call("/_admin/faults", { method: "OPTIONS" })
      assert.strictEqual(preflight.status, 405)
      for (const { headers } of [put, preflight]) {
        assert.isTrue([...headers.keys()].every((name) => !name.startsWith("access-control-")))
      }
    })
  )

  it.effect("says which paths and methods there are, and is no part of the contract", () =>
    Effect.gen(function* () {
      const unknown = yield* call("/_admin")
      assert.deepStrictEqual([unknown.status, unknown.json.status], [404, 404])
      assert.include(
        unknown.json.error,
        "/_admin/reset, /_admin/seed, /_admin/pipe-state, /_admin/service-state, /_admin/clock, /_admin/requests, /_admin/faults"
      )
      const wrong = yield* call("/_admin/requests", { method: "POST" })
      assert.deepStrictEqual([wrong.status, wrong.headers.get("allow")], [405, "GET, DELETE"])
      assert.notInclude((yield* call("/openapi.json")).text, "_admin")
    })
  )

  it.effect("leaves the APIs to every caller that may call them, by any name and through a trusted proxy", () =>
    Effect.gen(function* () {
      const headers = { origin: "http://evil.test", "x-forwarded-for": "203.0.113.9" }
      const read = (keyId: string) => call(pipePath(firstPipe), { authorization: as(keyId), headers })
      assert.strictEqual((yield* read("admin")).status, 200)
      assert.strictEqual((yield* read("from-elsewhere")).status, 200)
    })
  )
})

describe("a caller", () => {
  const from = (address: string | undefined) => {
    const request = new Request("http://localhost/_admin/reset", { headers: { host: "localhost" } })
    return HttpServerRequest.fromWeb(request).modify({
      remoteAddress: Option.some("127.0.0.1"),
      peerAddress: Option.fromUndefinedOr(address)
    })
  }

  it("is who has opened the connection, whatever it says it is", () => {
    for (const address of ["127.0.0.1", "127.3.2.1", "::1", "::ffff:127.0.0.1"]) {
      assert.isUndefined(requireLocalCaller("/_admin", from(address)), address)
    }
    for (const address of ["192.0.2.1", "::ffff:192.0.2.1", "2001:db8::1", "", undefined]) {
      assert.strictEqual(requireLocalCaller("/_admin", from(address))?.code, "FORBIDDEN", address)
    }
  })
})

layer(memoryServer(environment))("without --admin", (it) => {
  it.effect("there is no /_admin", () =>
    Effect.gen(function* () {
      for (const path of ["/_admin", "/_admin/reset", "/_admin/requests"]) {
        assert.strictEqual((yield* call(path)).status, 404)
      }
      assert.include(yield* ServerUrl, "127.0.0.1")
    })
  )
})

describe("--admin", () => {
  it.live("answers with the id of the run that it announced, and refuses requests that are meant for another run", () =>
    Effect.gen(function* () {
      const { printed, url } = yield* serverProcess("--memory", "--admin")
      const [, run = ""] = /^ {2}Headgate-Run: (\S+)$/m.exec(printed.stderr) ?? []
      assert.match(run, uuidV4)
      const reset = (headers: Record<string, string>) =>
        Effect.promise(() => fetch(`${url}/_admin/reset`, { method: "POST", headers }))
      for (const headers of [{}, { "headgate-run": run }]) {
        const response = yield* reset(headers)
        assert.strictEqual(response.status, 200)
        assert.strictEqual(response.headers.get("headgate-run"), run)
      }
      const refused = yield* reset({ "headgate-run": "00000000-0000-4000-8000-000000000000" })
      assert.strictEqual(refused.status, 409)
      assert.strictEqual(refused.headers.get("headgate-run"), run)
      const body: any = yield* Effect.promise(() => refused.json())
      assert.include(body.error, "CONFLICT: headgate-run: another run of headgate-server listens here")
    }).pipe(Effect.scoped)
  )

  it.live("warns loudly, and says what it lets everyone do", () =>
    Effect.gen(function* () {
      const { printed, url } = yield* serverProcess("--memory", "--admin")
      assert.match(printed.stderr, /^WARNING: --admin is for tests/m)
      assert.match(printed.stderr, /Put no proxy in front of it/)
      for (const path of ["reset", "seed", "requests", "faults"])
        assert.include(printed.stderr, `${url}/_admin/${path}`)
    }).pipe(Effect.scoped)
  )
})
