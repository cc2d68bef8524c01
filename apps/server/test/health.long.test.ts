import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { rmSync } from "node:fs"
import { createServer, type RequestListener, type Server } from "node:http"
import { join } from "node:path"
import { tls, writeCertificate } from "./support/certificate.ts"
import { operate, operateIn, serverProcess, temporaryDirectory } from "./support/processes.ts"

/** The two ways to ask: without flags, which does not load the server, and with them. */
const ways: ReadonlyArray<readonly [way: string, ask: (url: string) => ReturnType<typeof operate>]> = [
  ["HEADGATE_URL", (url) => operateIn({ HEADGATE_URL: url }, "health")],
  ["--url", (url) => operate("health", "--url", url)]
]

/** Something that answers HTTP until the end of the test. */
const answering = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer(listener).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.closeAllConnections())
  ).pipe(
    Effect.map((server) => {
      const address = server.address()
      return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
    })
  )

describe.each(ways)("headgate-server health, the server named by %s", (_, ask) => {
  it.live("exits with 0 for a server that is ready, over http and over TLS", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* writeCertificate(directory)
      for (const flags of [[], tls(directory)]) {
        const { url } = yield* serverProcess("--memory", ...flags)
        assert.deepStrictEqual(yield* ask(url), { code: 0, stdout: '{"status":"ready"}\n', stderr: "" })
      }
    }).pipe(Effect.scoped)
  )

  it.live("exits with 1 and the reason for one whose store is gone", () =>
    Effect.gen(function* () {
      const data = join(yield* temporaryDirectory, "data")
      const { url } = yield* serverProcess("--data", data)
      rmSync(data, { recursive: true })
      assert.deepStrictEqual(yield* ask(url), {
        code: 1,
        stdout: "",
        stderr: `headgate-server: ${url}/readyz: 503 {"status":"the store does not answer"}\n`
      })
    }).pipe(Effect.scoped)
  )

  it.live("exits with 1 if nothing listens", () =>
    Effect.gen(function* () {
      const { stop, url } = yield* serverProcess("--memory")
      yield* Effect.promise(() => stop())
      const { code, stderr, stdout } = yield* ask(url)
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.strictEqual(stderr, `headgate-server: ${url}/readyz: connect ECONNREFUSED ${new URL(url).host}\n`)
    }).pipe(Effect.scoped)
  )

  it.live("shows what another program answers in one line, and no more than a server would say", () =>
    Effect.gen(function* () {
      const escaped = yield* answering((_, response) => response.writeHead(404).end("\u001b[2Jnot\nhere"))
      assert.deepStrictEqual(yield* ask(escaped), {
        code: 1,
        stdout: "",
        stderr: `headgate-server: ${escaped}/readyz: 404 [2Jnot here\n`
      })
      const endless = yield* answering((_, response) => {
        const more = () => response.write("x".repeat(10_000), more)
        more()
      })
      assert.deepStrictEqual(yield* ask(endless), {
        code: 1,
        stdout: "",
        stderr: `headgate-server: ${endless}/readyz: this is no headgate-server: its answer is too long\n`
      })
    }).pipe(Effect.scoped)
  )

  it.live("exits with 1 if what listens wants to speak another protocol", () =>
    Effect.gen(function* () {
      const other = yield* answering(({ socket }) => {
        socket.end("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n")
      })
      assert.deepStrictEqual(yield* ask(other), {
        code: 1,
        stdout: "",
        stderr: `headgate-server: ${other}/readyz: 101\n`
      })
    }).pipe(Effect.scoped)
  )

  it.live("exits with 2 for what is no URL of a server", () =>
    Effect.gen(function* () {
      for (const url of ["localhost:7420", "ftp://localhost"]) {
        const { code, stderr } = yield* ask(url)
        assert.strictEqual(code, 2)
        assert.include(stderr, "Expected: an http or https URL such as http://127.0.0.1:7420")
      }
    })
  )
})

it.live("headgate-server health exits with 1 if no answer comes", () =>
  Effect.gen(function* () {
    const silent = yield* answering(() => undefined)
    const { code, stderr } = yield* operate("health", "--url", silent)
    assert.deepStrictEqual([code, stderr], [1, `headgate-server: ${silent}/readyz: no answer in 4000 ms\n`])
  }).pipe(Effect.scoped)
)
