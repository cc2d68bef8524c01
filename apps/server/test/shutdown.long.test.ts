import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Command from "effect/cli/Command"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { operationFlags, shutdownGrace } from "../src/commands/serveFlags.ts"
import { upstreamFlags } from "../src/gateway/gatewayFlags.ts"
import { tls, writeCertificate } from "./support/certificate.ts"
import { basic } from "./support/liveServer.ts"
import { readCredentials, serverProcess, temporaryDirectory } from "./support/processes.ts"
import { openConnection } from "./support/rawConnection.ts"
import { keysPath } from "./support/environment.ts"

const body = JSON.stringify({ name: "made while the server ended" })
const probe = "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"
const answered = /HTTP\/1\.1 [^]*\r\n\r\n/

/** A running server and the first half of a request that makes a key: its other half is `body`. */
const started = (...flags: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const file = join(directory, "credentials.json")
    yield* writeCertificate(directory)
    const server = yield* serverProcess(
      "--memory",
      "--credentials-file",
      file,
      ...(flags.includes("--tls") ? [...tls(directory), ...flags.filter((flag) => flag !== "--tls")] : flags)
    )
    const { keyId, keySecret, organization } = readCredentials(file)[0]!
    const head = [
      `POST ${keysPath(organization.id)} HTTP/1.1`,
      "host: x",
      `authorization: ${basic(keyId, keySecret)}`,
      "content-type: application/json",
      `content-length: ${body.length}`,
      "\r\n"
    ].join("\r\n")
    const open = () => Effect.promise(() => openConnection(server.url))
    /** A connection on which the server waits for the body; answered, so that it is known to have arrived. */
    const uploading = Effect.gen(function* () {
      const connection = yield* open()
      connection.send(probe)
      yield* Effect.promise(() => connection.received(answered))
      connection.send(head)
      // Another answer on another connection: whatever was sent before has been read by then.
      const other = yield* open()
      other.send(probe)
      yield* Effect.promise(() => other.received(answered))
      return connection
    })
    return { server, open, uploading }
  })

for (const scheme of ["http", "https"] as const) {
  describe(`a server over ${scheme} that is told to end`, () => {
    it.live("answers what it has begun, closes what is idle at once, refuses what is new, and ends with 0", () =>
      Effect.gen(function* () {
        const { open, server, uploading } = yield* started(...(scheme === "https" ? ["--tls"] : []))
        const upload = yield* uploading
        const silent = yield* open()
        const idle = yield* open()
        idle.send(probe)
        yield* Effect.promise(() => idle.received(answered))
        const ended = server.stop()
        // The order shows that neither waits for the upload, nor the upload for them.
        yield* Effect.promise(() => Promise.all([silent.closed, idle.closed]))
        const refused = yield* Effect.exit(Effect.tryPromise(() => openConnection(server.url)))
        assert.strictEqual(refused._tag, "Failure")
        upload.send(body)
        const answer = yield* Effect.promise(() => upload.closed)
        assert.match(answer, /HTTP\/1\.1 200 OK[^]*HTTP\/1\.1 200 OK[^]*"name":"made while the server ended"/)
        assert.match(answer, /connection: close/i)
        const { code, complaints } = yield* Effect.promise(() => ended)
        assert.strictEqual(complaints, "")
        assert.strictEqual(code, 0)
      }).pipe(Effect.scoped)
    )
  })
}

describe("a server that is told to end", () => {
  it.live("cuts what hangs for longer than --shutdown-grace, and still ends with 0", () =>
    Effect.gen(function* () {
      const { server, uploading } = yield* started("--shutdown-grace", "1500ms")
      const hanging = yield* uploading
      const began = performance.now()
      const { code } = yield* Effect.promise(() => server.stop())
      // It was patient for that long: the other bound is the test's own.
      assert.isAtLeast(performance.now() - began, 1_400)
      assert.strictEqual(code, 0)
      assert.notInclude(yield* Effect.promise(() => hanging.closed), "made while")
    }).pipe(Effect.scoped)
  )

  it.live("ends at once when it is told again", () =>
    Effect.gen(function* () {
      const { open, server, uploading } = yield* started()
      yield* uploading
      const idle = yield* open()
      server.signal("SIGTERM")
      yield* Effect.promise(() => idle.closed)
      const { code } = yield* Effect.promise(() => server.stop("SIGINT"))
      assert.strictEqual(code, 130)
    }).pipe(Effect.scoped)
  )

  it.live("with --drain-delay goes on answering, not ready, until the delay is over", () =>
    Effect.gen(function* () {
      const { open, server, uploading } = yield* started("--drain-delay", "3s")
      const upload = yield* uploading
      const ready = () => fetch(`${server.url}/readyz`)
      assert.strictEqual((yield* Effect.promise(ready)).status, 200)
      const idle = yield* open()
      const ended = server.stop()
      const told = yield* Effect.promise(async () => {
        for (;;) {
          const answer = await ready()
          if (answer.status !== 200) return answer
        }
      })
      assert.strictEqual(told.status, 503)
      assert.strictEqual(told.headers.get("connection"), "close")
      assert.deepStrictEqual(yield* Effect.promise(() => told.json()), { status: "ending" })
      // Neither new nor idle connections are refused yet.
      idle.send(probe)
      assert.match(yield* Effect.promise(() => idle.closed), /HTTP\/1\.1 200 OK[^]*connection: close/i)
      upload.send(body)
      assert.match(yield* Effect.promise(() => upload.closed), /made while the server ended/)
      assert.strictEqual((yield* Effect.promise(() => ended)).code, 0)
    }).pipe(Effect.scoped)
  )
})

describe("a server without TLS that is sent SIGHUP", () => {
  const ready = (url: string) => Effect.promise(async () => (await fetch(`${url}/readyz`)).status)

  it.live("logs that there is nothing to reload, and goes on", () =>
    Effect.gen(function* () {
      const server = yield* serverProcess("--memory")
      server.signal("SIGHUP")
      yield* Effect.promise(() => server.printedBy(/nothing to reload/))
      assert.strictEqual(yield* ready(server.url), 200)
      const { code, complaints } = yield* Effect.promise(() => server.stop())
      assert.strictEqual(code, 0)
      assert.strictEqual(complaints.trim().split("\n").length, 1)
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(process.platform !== "linux")("ends where it means that its terminal is gone", () =>
    Effect.gen(function* () {
      const bin = fileURLToPath(new URL("../bin/headgate-server.mjs", import.meta.url))
      // `script` is the terminal; with it gone, whatever is started from there has none any more.
      const terminal = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn("script", ["-qec", `echo "pid $$"; exec ${process.execPath} ${bin} --memory --port 0`, "/dev/null"])
        ),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      const pid = yield* Effect.callback<number>((resume) => {
        let printed = ""
        terminal.stdout.on("data", (chunk) => {
          printed += chunk
          const [, pid] = /pid (\d+)[^]*listening on/.exec(printed) ?? []
          if (pid !== undefined) resume(Effect.succeed(Number(pid)))
        })
      })
      const isThere = () => existsSync(`/proc/${pid}`)
      assert.isTrue(isThere())
      terminal.kill("SIGKILL")
      yield* Effect.repeat(Effect.sync(isThere), { until: (it) => !it, schedule: Schedule.spaced("20 millis") })
    }).pipe(Effect.scoped)
  )
})

describe("how long running requests may take to end", () => {
  const graceOf = (...args: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      let grace: Duration.Duration | undefined
      const command = Command.make("headgate-server", { ...operationFlags, ...upstreamFlags }, (options) =>
        Effect.sync(() => {
          grace = shutdownGrace(options)
        })
      )
      yield* Command.runWith(command, { version: "0" })(args)
      return grace === undefined ? "none" : Duration.format(grace)
    }).pipe(Effect.provide(NodeServices.layer))

  it.effect("is 10 seconds, a gateway's what its upstream may take, and always what --shutdown-grace says", () =>
    Effect.gen(function* () {
      const upstream = ["--upstream", "https://api.example.com"]
      assert.strictEqual(yield* graceOf(), "10s")
      assert.strictEqual(yield* graceOf(...upstream), "26s")
      assert.strictEqual(yield* graceOf(...upstream, "--upstream-timeout", "60"), "1m 1s")
      assert.strictEqual(yield* graceOf(...upstream, "--upstream-timeout", "2"), "10s")
      assert.strictEqual(yield* graceOf(...upstream, "--shutdown-grace", "500ms"), "500ms")
    })
  )
})
