import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { readdirSync, readFileSync } from "node:fs"
import { createServer, request as httpsRequest } from "node:https"
import { request as httpRequest } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describePostgres } from "../../../packages/sql-adapter/test/support/postgres.ts"
import { tls, writeCertificate } from "./support/certificate.ts"
import { collector } from "./support/collector.ts"
import { signInPath } from "./support/console.ts"
import { dashboardsPath, keysPath } from "./support/environment.ts"
import { basic, bearer } from "./support/liveServer.ts"
import {
  operate,
  readCredentials,
  serverProcess,
  type StoredCredentials,
  temporaryDirectory
} from "./support/processes.ts"

const send = (url: string, path: string, headers: Record<string, string>, method = "GET", body?: object) =>
  Effect.promise(async () => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, text, json: text.startsWith("{") ? JSON.parse(text) : undefined }
  })

const made = (
  what: "consoleSessions" | "consoleCodes",
  url: string,
  { keyId, keySecret, organization }: StoredCredentials
) =>
  Effect.map(
    send(url, `/v1/organizations/${organization.id}/${what}`, { authorization: basic(keyId, keySecret) }, "POST"),
    ({ json }): string => json.result.token ?? json.result.code
  )

const signIn = (url: string, code: string) => send(url, signInPath, {}, "POST", { code })

const read = (url: string, token: string) =>
  Effect.map(send(url, "/v1/whoami", { authorization: bearer(token) }), ({ status }) => status)

describePostgres("two servers over one Postgres", (postgres) => {
  it.live("share sessions and codes, and what ends them", () =>
    Effect.gen(function* () {
      const { createEmptyDatabase } = yield* postgres
      const file = join(yield* temporaryDirectory, "credentials.json")
      const store = ["--database-url", Redacted.value(yield* createEmptyDatabase)]
      const one = yield* serverProcess(...store, "--credentials-file", file, "--login-limit", "off")
      const other = yield* serverProcess(...store, "--login-limit", "off")
      const owner = readCredentials(file)[0]!
      // A code that both get at once, some times over.
      for (let round = 0; round < 5; round++) {
        const code = yield* made("consoleCodes", one.url, owner)
        const answers = yield* Effect.forEach([one, other, one, other], ({ url }) => signIn(url, code), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401, 401])
      }
      const { json } = yield* signIn(one.url, yield* made("consoleCodes", other.url, owner))
      const { token } = json.result
      assert.deepStrictEqual([yield* read(one.url, token), yield* read(other.url, token)], [200, 200])
      const kept = yield* made("consoleSessions", one.url, owner)
      assert.strictEqual((yield* send(other.url, signInPath, { authorization: bearer(token) }, "DELETE")).status, 200)
      assert.deepStrictEqual([yield* read(one.url, token), yield* read(one.url, kept)], [401, 200])

      const headers = { authorization: basic(owner.keyId, owner.keySecret) }
      const keys = keysPath(owner.organization.id)
      const created = (yield* send(one.url, keys, headers, "POST", { name: "second", roles: ["admin"] })).json.result
      const second = { ...owner, keyId: created.keyId, keySecret: created.keySecret }
      const session = yield* made("consoleSessions", one.url, second)
      const left = yield* made("consoleCodes", one.url, second)
      assert.strictEqual(yield* read(other.url, session), 200)
      const path = `${keys}/${created.key.id}`
      const narrowed = { ipAccessList: [{ source: "203.0.113.0/24" }] }
      assert.strictEqual((yield* send(one.url, path, headers, "PATCH", narrowed)).status, 200)
      assert.strictEqual(yield* read(other.url, session), 403)
      assert.strictEqual((yield* signIn(other.url, left)).status, 403)
      yield* send(one.url, path, headers, "PATCH", { ipAccessList: [{ source: "0.0.0.0/0" }] })
      assert.strictEqual(yield* read(other.url, session), 200)
      const disabled = yield* operate(
        "key",
        "disable",
        ...store,
        "--organization",
        owner.organization.id,
        created.key.id
      )
      assert.strictEqual(disabled.code, 0, disabled.stderr)
      assert.deepStrictEqual([yield* read(one.url, session), yield* read(other.url, session)], [401, 401])
      assert.strictEqual((yield* signIn(one.url, left)).status, 401)
      yield* operate("key", "enable", ...store, "--organization", owner.organization.id, created.key.id)
      assert.strictEqual(yield* read(one.url, session), 401)
      assert.strictEqual((yield* signIn(one.url, left)).status, 401)
    }).pipe(Effect.scoped)
  )
})

describe("a session and a code", () => {
  it.live("are in no output, journal, metric, trace, export or file of the server, and its key is named", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = join(directory, "credentials.json")
      const data = join(directory, "data")
      const spans = yield* collector(() => (_, response) => response.end("{}"))
      const flags = ["--data", data, "--credentials-file", file, "--admin", "--otlp-endpoint", spans.url]
      const server = yield* serverProcess(...flags)
      const owner = readCredentials(file)[0]!
      const code = yield* made("consoleCodes", server.url, owner)
      const unused = yield* made("consoleCodes", server.url, owner)
      const other = yield* made("consoleSessions", server.url, owner)
      const token: string = (yield* signIn(server.url, code)).json.result.token
      const authorization = bearer(token)
      yield* signIn(server.url, code)
      yield* signIn(server.url, token)
      yield* send(server.url, `/v1/whoami?token=${token}&code=${unused}`, { authorization })
      yield* send(server.url, dashboardsPath, { authorization }, "POST", { name: "mine" })
      yield* send(server.url, keysPath(owner.organization.id), { authorization: `${authorization}x`, cookie: token })
      yield* send(server.url, keysPath(owner.organization.id), { authorization, origin: "http://evil.test" })
      yield* send(server.url, "/_admin/requests", { authorization })
      const metrics = yield* send(server.url, "/metrics", {})
      const journal = yield* send(server.url, "/_admin/requests", {})
      assert.strictEqual(journal.status, 200)
      yield* send(server.url, signInPath, { authorization }, "DELETE")
      const { stderr, stdout } = yield* Effect.promise(() => server.stop())
      const exported = yield* operate("export", "--data", data, "--with-secrets")
      const stored = readdirSync(data).map((name) => readFileSync(join(data, name), "latin1"))
      const places = { stdout, stderr, metrics: metrics.text, journal: journal.text, spans: spans.received.join("\n") }
      for (const [place, text] of Object.entries({ ...places, exported: exported.stdout, stored: stored.join("\n") })) {
        assert.isNotEmpty(text, place)
        for (const secret of [token, code, unused, other]) assert.notInclude(text, secret, place)
      }
      assert.include(metrics.text, `route="${signInPath}"`)
      const lines = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
      const ofSession = lines.filter((line) => line.console === true)
      assert.deepStrictEqual(
        ofSession.map(({ keyIdSuffix, path, status }) => [keyIdSuffix, path, status]),
        [
          [owner.keyId.slice(-4), "/v1/whoami", 200],
          [owner.keyId.slice(-4), dashboardsPath, 200]
        ]
      )
      assert.include(spans.received.join("\n"), "headgate.console")
    }).pipe(Effect.scoped)
  )
})

/** A proxy with a certificate in front of a server, as a browser reaches it: by another name, over TLS. */
const proxyBefore = (url: string, directory: string, forwarded: boolean) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
      const [cert, key] = ["cert.pem", "key.pem"].map((name) => readFileSync(join(directory, name)))
      const proxy = createServer({ cert, key }, (asked, answer) => {
        const { host = "", ...headers } = asked.headers
        const more = forwarded
          ? { "x-forwarded-for": "203.0.113.7", "x-forwarded-host": host, "x-forwarded-proto": "https" }
          : { host }
        const passed = httpRequest(`${url}${asked.url}`, { method: asked.method, headers: { ...headers, ...more } })
        passed.on("response", (response) => {
          answer.writeHead(response.statusCode ?? 0, response.headers)
          response.pipe(answer)
        })
        asked.pipe(passed)
      })
      proxy.listen(0, "127.0.0.1", () =>
        resume(Effect.succeed({ port: (proxy.address() as AddressInfo).port, close: () => void proxy.close() }))
      )
    }),
    ({ close }) => Effect.sync(close)
  )

/** A sign-in over TLS as the page of an origin sends it. */
const signInOver = (port: number, ca: string, host: string, origin: string, code: string) =>
  Effect.callback<number>((resume) => {
    const headers = { host, origin, "sec-fetch-site": "same-origin", "content-type": "application/json" }
    const options = { port, method: "POST", path: signInPath, ca, servername: "localhost", headers, agent: false }
    const asked = httpsRequest({ host: "127.0.0.1", ...options }, (response) => {
      response.resume()
      resume(Effect.succeed(response.statusCode ?? 0))
    })
    asked.end(JSON.stringify({ code }))
  })

describe("over TLS", () => {
  it.live("a proxy in front is named by --public-url, and by nothing else", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const ca = yield* writeCertificate(directory)
      const file = join(directory, "credentials.json")
      const origin = "https://console.example.com"
      const flags = ["--credentials-file", file, "--trust-proxy", "127.0.0.1", "--public-url", origin]
      const server = yield* serverProcess("--memory", ...flags)
      const owner = readCredentials(file)[0]!
      for (const forwarded of [true, false]) {
        const { port } = yield* proxyBefore(server.url, directory, forwarded)
        const named = (host: string, from: string) =>
          Effect.flatMap(made("consoleCodes", server.url, owner), (code) => signInOver(port, ca, host, from, code))
        assert.strictEqual(yield* named("console.example.com", origin), 200)
        assert.strictEqual(yield* named("evil.test", "https://evil.test"), 403)
        assert.strictEqual(yield* named("console.example.com", "https://evil.test"), 403)
        assert.strictEqual(yield* named(`localhost:${port}`, `https://localhost:${port}`), 403)
      }
    }).pipe(Effect.scoped)
  )

  it.live("a server is its own origin", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const ca = yield* writeCertificate(directory)
      const file = join(directory, "credentials.json")
      // Beyond loopback, as --host says, and without a name of a proxy.
      const flags = ["--memory", "--credentials-file", file, "--host", "0.0.0.0"]
      const server = yield* serverProcess(...flags, ...tls(directory))
      const owner = readCredentials(file)[0]!
      const port = Number(new URL(server.url).port)
      const code = yield* Effect.callback<string>((resume) => {
        const headers = { authorization: basic(owner.keyId, owner.keySecret) }
        const path = `/v1/organizations/${owner.organization.id}/consoleCodes`
        const options = {
          host: "127.0.0.1",
          port,
          method: "POST",
          path,
          ca,
          servername: "localhost",
          headers,
          agent: false
        }
        httpsRequest(options, (response) => {
          let text = ""
          response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
          response.once("end", () => resume(Effect.succeed(JSON.parse(text).result.code)))
        }).end()
      })
      const from = (host: string, origin: string) => signInOver(port, ca, host, origin, code)
      assert.strictEqual(yield* from(`localhost:${port}`, `http://localhost:${port}`), 403)
      assert.strictEqual(yield* from("localhost", "https://localhost"), 403)
      assert.strictEqual(yield* from(`localhost:${port}`, `https://localhost:${port}`), 200)
      assert.strictEqual(yield* from(`localhost:${port}`, `https://localhost:${port}`), 401)
    }).pipe(Effect.scoped)
  )
})
