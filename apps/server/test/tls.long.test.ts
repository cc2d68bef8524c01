import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { get, request } from "node:https"
import { join } from "node:path"
import type { TLSSocket } from "node:tls"
import { tls, writeCertificate } from "./support/certificate.ts"
import { operate, serverProcess, startingServer, temporaryDirectory } from "./support/processes.ts"

/** The status of an answer over TLS, and the fingerprint of the certificate it came with. */
const ask = (url: string, ca: string) =>
  Effect.callback<{ readonly status: number | undefined; readonly fingerprint: string }, Error>((resume) => {
    const asked = get(`${url}/openapi.json`, { ca, servername: "localhost", agent: false }, (response) => {
      const { fingerprint256 } = (response.socket as TLSSocket).getPeerCertificate()
      response.resume()
      resume(Effect.succeed({ status: response.statusCode, fingerprint: fingerprint256 }))
    })
    asked.on("error", (error) => resume(Effect.fail(error)))
  })

/** Puts a fault rule in force over TLS. */
const putFault = (url: string, ca: string, rule: object) =>
  Effect.callback<void, Error>((resume) => {
    const options = { method: "PUT", ca, servername: "localhost", headers: { "content-type": "application/json" } }
    const put = request(`${url}/_admin/faults`, options, (response) => {
      response.resume()
      resume(response.statusCode === 200 ? Effect.void : Effect.fail(new Error(`${response.statusCode}`)))
    })
    put.on("error", (error) => resume(Effect.fail(error)))
    put.end(JSON.stringify({ rules: [rule] }))
  })

describe("TLS", () => {
  it.live("is dropped by a fault too, which cannot reset it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const ca = yield* writeCertificate(directory)
      const { url } = yield* serverProcess("--memory", "--admin", ...tls(directory))
      for (const drop of ["before", "after"]) {
        yield* putFault(url, ca, { match: { times: 1 }, drop })
        assert.match((yield* Effect.flip(ask(url, ca))).message, /socket hang up|disconnected|ECONNRESET/)
        assert.strictEqual((yield* ask(url, ca)).status, 200)
      }
    }).pipe(Effect.scoped)
  )

  it.live("serves https, also beyond loopback, and reads a new certificate on SIGHUP", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const first = yield* writeCertificate(directory)
      const server = yield* serverProcess("--memory", "--host", "0.0.0.0", ...tls(directory))
      assert.match(server.url, /^https:/)
      const url = server.url.replace("0.0.0.0", "127.0.0.1")
      const before = yield* ask(url, first)
      assert.strictEqual(before.status, 200)

      const second = yield* writeCertificate(directory)
      server.signal("SIGHUP")
      const after = yield* Effect.retry(ask(url, second), { times: 100, schedule: Schedule.spaced("20 millis") })
      assert.strictEqual(after.status, 200)
      assert.notStrictEqual(after.fingerprint, before.fingerprint)

      writeFileSync(join(directory, "cert.pem"), "no certificate")
      server.signal("SIGHUP")
      yield* Effect.promise(() => server.printedBy(/the old one is kept/))
      assert.strictEqual((yield* ask(url, second)).fingerprint, after.fingerprint)
      const stopped = yield* Effect.promise(() => server.stop())
      assert.strictEqual(stopped.code, 0)
    }).pipe(Effect.scoped)
  )

  it.live("is not ended by SIGHUP as it starts and as it ends", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const ca = yield* writeCertificate(directory)
      const flags = ["--data", join(directory, "data"), "--drain-delay", "300ms"]
      const { child, finished, printed } = yield* startingServer(...flags, ...tls(directory))
      const until = (pattern: RegExp, meanwhile: () => void) =>
        Effect.sync(meanwhile).pipe(
          Effect.repeat({
            until: () => pattern.test(printed.stderr) || child.exitCode !== null || child.signalCode !== null,
            schedule: Schedule.spaced("2 millis")
          })
        )
      yield* until(/New credentials/, () => {})
      yield* until(/listening on \S+/, () => child.kill("SIGHUP"))
      assert.strictEqual(child.signalCode, null)
      const url = /listening on (\S+)/.exec(printed.stderr)?.[1] ?? ""
      assert.strictEqual((yield* ask(url, ca)).status, 200)
      child.kill("SIGTERM")
      yield* until(/no such word/, () => child.kill("SIGHUP"))
      const { code, stderr } = yield* Effect.promise(() => finished)
      assert.deepStrictEqual([code, child.signalCode], [0, null])
      assert.notInclude(stderr, "is gone")
    }).pipe(Effect.scoped)
  )

  it.live("refuses half a pair, and files that are none", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const half = yield* operate("--memory", "--port", "0", "--tls-cert", "cert.pem")
      assert.strictEqual(half.code, 2)
      assert.include(half.stderr, "--tls-key")
      const [cert, key] = [join(directory, "cert.pem"), join(directory, "key.pem")]
      const refused = Effect.fnUntraced(function* (said: string) {
        const data = join(directory, "data")
        const { code, stderr } = yield* operate("--data", data, "--port", "0", ...tls(directory))
        assert.deepStrictEqual([code, stderr], [1, `headgate-server: ${said}\n`])
        // Nothing was created, and no credentials were shown.
        assert.isFalse(existsSync(data))
      })
      yield* refused(`--tls-cert ${cert}: ENOENT: no such file or directory, open '${cert}'`)
      yield* writeCertificate(directory)
      const pem = { cert: readFileSync(cert), key: readFileSync(key) }
      writeFileSync(cert, "x")
      yield* refused(`--tls-cert ${cert}: the file has no certificate: pass one in PEM format`)
      writeFileSync(cert, pem.cert)
      writeFileSync(key, "x")
      yield* refused(`--tls-key ${key}: the file has no private key: pass one in PEM format, without a passphrase`)
      yield* writeCertificate(directory)
      writeFileSync(cert, pem.cert)
      yield* refused(
        `--tls-key ${key}: the key does not belong to the certificate of --tls-cert: pass the one that does`
      )
      rmSync(key)
      mkdirSync(key)
      yield* refused(`--tls-key ${key}: EISDIR: illegal operation on a directory, read`)
    }).pipe(Effect.scoped)
  )
})
