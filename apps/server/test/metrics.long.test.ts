import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { readFileSync } from "node:fs"
import { networkInterfaces } from "node:os"
import { join } from "node:path"
import { describePostgres } from "../../../packages/sql-adapter/test/support/postgres.ts"
import { basic } from "./support/liveServer.ts"
import { readCredentials, serverProcess, temporaryDirectory } from "./support/processes.ts"
import { openConnection } from "./support/rawConnection.ts"
import { keysPath } from "./support/environment.ts"

const get = (url: string, headers: Record<string, string> = {}) =>
  Effect.promise(async () => {
    const response = await fetch(url, { headers })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })

const metricsOf = (url: string) => Effect.map(get(`${url}/metrics`), ({ text }) => text)

const secrets = ({ keyId, keySecret, token }: { keyId: string; keySecret: string; token: string }) => [
  keyId,
  keySecret,
  token
]

describe("GET /metrics", () => {
  it.live("counts requests by method, route and status, and failed logins", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "credentials.json")
      const server = yield* serverProcess("--memory", "--credentials-file", file)
      const owner = readCredentials(file)[0]!
      const keys = `${server.url}${keysPath(owner.organization.id)}`
      const create = (authorization: string) =>
        Effect.promise(() =>
          fetch(keys, {
            method: "POST",
            headers: { authorization, "content-type": "application/json" },
            body: '{"name":"x"}'
          })
        )
      yield* create(basic(owner.keyId, owner.keySecret))
      yield* create(basic(owner.keyId, owner.keySecret))
      yield* create(basic(owner.keyId, "wrong"))
      yield* get(`${server.url}/healthz`)
      for (let count = 0; count < 20; count++) yield* get(`${server.url}/guess/${count}`)
      const garbage = yield* Effect.promise(() => openConnection(server.url))
      garbage.send("NO REQUEST\r\n\r\n")
      yield* Effect.promise(() => garbage.closed)

      const { headers, text } = yield* get(`${server.url}/metrics`)
      assert.match(headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/)
      const route = 'route="/v1/organizations/{organizationId}/keys"'
      for (const line of [
        `headgate_http_requests_total{method="POST",${route},status="200"} 2`,
        `headgate_http_requests_total{method="POST",${route},status="401"} 1`,
        'headgate_http_requests_total{method="GET",route="none",status="404"} 20',
        'headgate_http_requests_total{method="none",route="none",status="400"} 1',
        `headgate_http_request_duration_seconds_count{method="POST",${route}} 3`,
        `headgate_http_request_duration_seconds_bucket{method="POST",${route},le="+Inf"} 3`,
        "headgate_http_requests_in_flight 1",
        "headgate_failed_logins_total 1",
        "headgate_unavailable_total 0",
        "headgate_access_log_dropped_total 0"
      ]) {
        assert.include(text.split("\n"), line)
      }
      for (const name of [
        "process_resident_memory_bytes",
        "process_cpu_seconds_total",
        "process_start_time_seconds",
        "nodejs_eventloop_lag_seconds",
        "nodejs_eventloop_active_seconds_total",
        "headgate_build_info"
      ]) {
        assert.match(text, new RegExp(`^# TYPE ${name} (counter|gauge)$`, "m"))
      }
      // Probes are counted nowhere, and nothing of a caller's is in a label.
      assert.notMatch(text, /healthz|guess|127\.0\.0\.1/)
      for (const secret of [...secrets(owner), owner.organization.id]) assert.notInclude(text, secret)
    }).pipe(Effect.scoped)
  )

  it.live("measures the delay of the event loop for those who read it: until then, an idle server hardly wakes", () =>
    Effect.gen(function* () {
      const server = yield* serverProcess("--memory")
      const wakeUpsASecond = Effect.gen(function* () {
        const wakeUps = () =>
          Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1])
        const before = wakeUps()
        yield* Effect.sleep("3 seconds")
        return (wakeUps() - before) / 3
      })
      // What the start leaves to be done.
      yield* Effect.sleep("3 seconds")
      const idle = yield* wakeUpsASecond
      yield* metricsOf(server.url)
      const measured = yield* wakeUpsASecond
      assert.isBelow(idle, 8)
      assert.isAbove(measured, 2 * idle)
      const lag = /^nodejs_eventloop_lag_seconds\{quantile="0.99"\} (.+)$/m.exec(yield* metricsOf(server.url))?.[1]
      assert.isAbove(Number(lag), 0)
    }).pipe(Effect.scoped)
  )

  it.live("is for callers of this machine that no proxy stands in front of", () =>
    Effect.gen(function* () {
      const server = yield* serverProcess("--memory")
      const refused = yield* get(`${server.url}/metrics`, { "x-forwarded-for": "127.0.0.1" })
      assert.strictEqual(refused.status, 403)
      assert.include(refused.text, "--metrics-from")
      const behind = yield* serverProcess("--memory", "--trust-proxy", "127.0.0.1")
      const from = (address: string) =>
        Effect.map(get(`${behind.url}/metrics`, { "x-forwarded-for": address }), ({ status }) => status)
      assert.strictEqual(yield* from("203.0.113.1"), 403)
      assert.strictEqual(yield* from("127.0.0.1, 203.0.113.1"), 403)
      assert.strictEqual((yield* get(`${behind.url}/metrics`)).status, 200)
    }).pipe(Effect.scoped)
  )

  it.live("is for the networks of --metrics-from, and then for no others", () =>
    Effect.gen(function* () {
      const flags = ["--memory", "--trust-proxy", "127.0.0.1", "--metrics-from", "203.0.113.0/24"]
      const server = yield* serverProcess(...flags)
      const from = (address: string) =>
        Effect.map(get(`${server.url}/metrics`, { "x-forwarded-for": address }), ({ status }) => status)
      assert.strictEqual(yield* from("203.0.113.7"), 200)
      assert.strictEqual(yield* from("198.51.100.7"), 403)
      assert.strictEqual((yield* get(`${server.url}/metrics`)).status, 403)
    }).pipe(Effect.scoped)
  )

  const outside = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === "IPv4" && !address.internal)?.address
  it.live.skipIf(outside === undefined)("is not for callers of another address", () =>
    Effect.gen(function* () {
      const server = yield* serverProcess("--memory", "--host", "0.0.0.0", "--insecure-http")
      const { port } = new URL(server.url)
      assert.strictEqual((yield* get(`http://127.0.0.1:${port}/metrics`)).status, 200)
      assert.strictEqual((yield* get(`http://${outside}:${port}/metrics`)).status, 403)
      assert.strictEqual((yield* get(`http://${outside}:${port}/readyz`)).status, 200)
    }).pipe(Effect.scoped)
  )
})

describe("the metrics of this machine", () => {
  const asked = (url: string, ...headers: ReadonlyArray<string>) =>
    Effect.promise(async () => {
      const connection = await openConnection(url)
      connection.send(["GET /metrics HTTP/1.1", "connection: close", ...headers, "", ""].join("\r\n"))
      return connection.closed
    })

  it.live("are for its programs alone: for no page, whatever name was pointed here (DNS rebinding)", () =>
    Effect.gen(function* () {
      const server = yield* serverProcess("--memory")
      for (const host of ["localhost", "127.0.0.1:7420", "[::1]:7420"]) {
        assert.match(yield* asked(server.url, `host: ${host}`), /^HTTP\/1.1 200 /)
      }
      for (const headers of [
        ["host: evil.test"],
        ["host: evil.test", "origin: http://evil.test"],
        ["host: localhost", "sec-fetch-site: cross-site"]
      ]) {
        const answer = yield* asked(server.url, ...headers)
        assert.match(answer, /^HTTP\/1.1 403 /)
        assert.include(answer, "--metrics-from")
        assert.notInclude(answer, "headgate_")
      }
    }).pipe(Effect.scoped)
  )

  it.live("are for a network by whatever name it calls the server, once --metrics-from names it", () =>
    Effect.gen(function* () {
      const server = yield* serverProcess("--memory", "--metrics-from", "127.0.0.0/8")
      assert.match(yield* asked(server.url, "host: headgate.internal:7420"), /^HTTP\/1.1 200 /)
    }).pipe(Effect.scoped)
  )
})

describe("the probes", () => {
  it.live("are probes in every spelling that the router takes, and answer GET and HEAD alone", () =>
    Effect.gen(function* () {
      const { stop, url } = yield* serverProcess("--memory")
      const ask = (path: string, method: string) => Effect.promise(() => fetch(`${url}${path}`, { method }))
      for (const path of ["/healthz", "/readyz?verbose", "/healthz/", "/readyz/?x=1", "/metrics?x", "/metrics/"]) {
        for (const method of ["GET", "HEAD"]) assert.strictEqual((yield* ask(path, method)).status, 200, path)
      }
      // HAProxy's checks are OPTIONS unless told otherwise: told so, and logged, for somebody has to change that.
      for (const path of ["/readyz", "/healthz/", "/metrics", "/docs", "/openapi.json"]) {
        const { headers, status } = yield* ask(path, "OPTIONS")
        assert.deepStrictEqual([status, headers.get("allow")], [405, "GET, HEAD"], path)
      }
      assert.strictEqual((yield* ask("/healthzz", "GET")).status, 404)
      assert.strictEqual((yield* ask("/healthz/more", "GET")).status, 404)
      const text = yield* metricsOf(url)
      for (const route of ["/readyz", "/healthz", "/metrics"]) {
        assert.include(text, `headgate_http_requests_total{method="OPTIONS",route="${route}",status="405"} 1\n`)
      }
      const { stdout } = yield* Effect.promise(() => stop())
      const logged = stdout
        .split("\n")
        .flatMap((line) => /"method":"(\w+)","path":"([^"]+)"/.exec(line)?.slice(1).join(" ") ?? [])
      assert.deepStrictEqual(logged, [
        "OPTIONS /readyz",
        "OPTIONS /healthz/",
        "OPTIONS /metrics",
        "OPTIONS /docs",
        "OPTIONS /openapi.json",
        "GET /healthzz",
        "GET /healthz/more"
      ])
    }).pipe(Effect.scoped)
  )

  it.live("stand in no contract, need no credentials, and take HEAD", () =>
    Effect.gen(function* () {
      const server = yield* serverProcess("--memory")
      assert.strictEqual((yield* get(`${server.url}/healthz`)).text, '{"status":"ok"}')
      assert.strictEqual((yield* get(`${server.url}/readyz`)).text, '{"status":"ready"}')
      const head = yield* Effect.promise(() => fetch(`${server.url}/readyz`, { method: "HEAD" }))
      assert.strictEqual(head.status, 200)
      const { text } = yield* get(`${server.url}/openapi.json`)
      for (const path of ["healthz", "readyz", "metrics"])
        assert.notInclude(Object.keys(JSON.parse(text).paths), `/${path}`)
    }).pipe(Effect.scoped)
  )
})

describePostgres("a server whose Postgres is gone", (postgres) => {
  it.live("is alive but not ready, counts what it could not serve, and is ready when Postgres is back", () =>
    Effect.gen(function* () {
      const { createEmptyDatabase, whileStopped } = yield* postgres
      const file = join(yield* temporaryDirectory, "credentials.json")
      const url = Redacted.value(yield* createEmptyDatabase)
      const server = yield* serverProcess("--database-url", url, "--credentials-file", file)
      const owner = readCredentials(file)[0]!
      const ready = Effect.map(get(`${server.url}/readyz`), ({ status }) => status)
      const until = (wanted: number) =>
        Effect.repeat(ready, { until: (status) => status === wanted, schedule: Schedule.spaced("50 millis") })
      assert.strictEqual(yield* ready, 200)
      yield* whileStopped(
        Effect.gen(function* () {
          yield* until(503)
          assert.strictEqual((yield* get(`${server.url}/healthz`)).status, 200)
          const keys = `${server.url}${keysPath(owner.organization.id)}`
          const headers = { authorization: basic(owner.keyId, owner.keySecret), "content-type": "application/json" }
          const refused = yield* Effect.promise(() => fetch(keys, { method: "POST", headers, body: '{"name":"x"}' }))
          assert.strictEqual(refused.status, 503)
          assert.match(yield* metricsOf(server.url), /^headgate_unavailable_total 1$/m)
        })
      )
      yield* until(200)
    }).pipe(Effect.scoped)
  )
})
