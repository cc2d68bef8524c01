import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { readFileSync } from "node:fs"
import { request as httpRequest } from "node:http"
import { request as httpsRequest } from "node:https"
import { createServer } from "node:net"
import { join } from "node:path"
import { describePostgres } from "../../../packages/sql-adapter/test/support/postgres.ts"
import { mergeMetrics } from "../src/workers/workerMetrics.ts"
import { tls, writeCertificate } from "./support/certificate.ts"
import { sampleFile } from "./support/fullSnapshot.ts"
import { basic } from "./support/liveServer.ts"
import { operate, readCredentials, serverProcess, temporaryDirectory } from "./support/processes.ts"
import { openConnection } from "./support/rawConnection.ts"
import { keysPath } from "./support/world.ts"

/** A server of two workers over a fresh SQLite file, and who may enter it. */
const running = (...flags: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const file = join(directory, "credentials.json")
    const server = yield* serverProcess(
      "--data",
      join(directory, "data"),
      "--workers",
      "2",
      "--credentials-file",
      file,
      ...flags
    )
    const owner = readCredentials(file)[0]!
    return { server, keys: `${server.url}${keysPath(owner.organization.id)}`, owner, directory }
  })

interface Asked {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly ca?: string
}

/** Asks on a connection of its own, which goes to the worker whose turn it is. */
const ask = (url: string, { body, ca, headers = {}, method = "GET" }: Asked = {}) =>
  Effect.callback<{ readonly status: number | undefined; readonly text: string }, Error>((resume) => {
    const options = { method, headers, agent: false as const }
    const request =
      ca === undefined ? httpRequest(url, options) : httpsRequest(url, { ...options, ca, servername: "localhost" })
    request.once("response", (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
      response.once("end", () => resume(Effect.succeed({ status: response.statusCode, text })))
      response.once("error", (error) => resume(Effect.fail(error)))
    })
    request.once("error", (error) => resume(Effect.fail(error)))
    request.end(body)
  })

const create = (keys: string, keyId: string, keySecret: string) =>
  ask(keys, {
    method: "POST",
    headers: { authorization: basic(keyId, keySecret), "content-type": "application/json" },
    body: '{"name":"x"}'
  })

const childrenOf = (pid: number): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number)

const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const servedBy = (metrics: string, worker: number) =>
  Number(
    new RegExp(`^headgate_http_requests_total{.*route="/docs".*worker="${worker}"} (\\d+)$`, "m").exec(metrics)?.[1] ??
      0
  )

describe.skipIf(process.platform !== "linux")("--workers", () => {
  it.live("every worker answers, over one store that was readied once, and each tells the figures of all", () =>
    Effect.gen(function* () {
      const { keys, owner, server } = yield* running("--import", sampleFile.pathname)
      assert.strictEqual(server.printed.stderr.match(/imported/g)?.length, 1)
      assert.strictEqual(server.printed.stderr.match(/listening on/g)?.length, 1)
      assert.include(server.printed.stderr, "workers  2")
      for (let count = 0; count < 8; count++) yield* ask(`${server.url}/docs`)
      for (let count = 0; count < 4; count++) {
        const { text } = yield* ask(`${server.url}/metrics`)
        assert.strictEqual(servedBy(text, 1) + servedBy(text, 2), 8)
        assert.isAbove(servedBy(text, 1), 0)
        assert.isAbove(servedBy(text, 2), 0)
        assert.include(text, "headgate_workers 2\n")
      }
      const created = yield* create(keys, owner.keyId, owner.keySecret)
      const { keyId, keySecret } = JSON.parse(created.text).result
      // A key without roles: every worker knows it at once.
      for (let count = 0; count < 4; count++) assert.strictEqual((yield* create(keys, keyId, keySecret)).status, 403)
    }).pipe(Effect.scoped)
  )

  it.live("one that is killed under load is replaced, and the others go on", () =>
    Effect.gen(function* () {
      const { keys, owner, server } = yield* running()
      const [victim = 0] = childrenOf(server.pid)
      const load = yield* Effect.forkChild(Effect.forever(Effect.exit(create(keys, owner.keyId, owner.keySecret))))
      process.kill(victim, "SIGKILL")
      yield* Effect.promise(() => server.printedBy(/worker \d is gone \(SIGKILL\)/))
      // Connections that are made from now on are answered, whoever is there.
      for (let count = 0; count < 20; count++) assert.strictEqual((yield* ask(`${server.url}/healthz`)).status, 200)
      const metrics = yield* ask(`${server.url}/metrics`).pipe(
        Effect.repeat({
          until: ({ text }) => text.includes("headgate_workers 2\n"),
          schedule: Schedule.spaced("50 millis")
        })
      )
      load.interruptUnsafe()
      assert.include(metrics.text, "headgate_worker_deaths_total 1\n")
      const workers = childrenOf(server.pid)
      assert.strictEqual(workers.length, 2)
      assert.notInclude(workers, victim)
      for (let count = 0; count < 4; count++) {
        assert.strictEqual((yield* create(keys, owner.keyId, "wrong")).status, 401)
      }
    }).pipe(Effect.scoped)
  )

  it.live("all that die at once come back on the port that was announced", () =>
    Effect.gen(function* () {
      const { server } = yield* running()
      for (const pid of childrenOf(server.pid)) process.kill(pid, "SIGKILL")
      yield* Effect.promise(() => server.printedBy(/is gone[^]*is gone/))
      const back = Effect.sync(() => childrenOf(server.pid).length === 2)
      yield* Effect.repeat(back, { until: (isBack) => isBack, schedule: Schedule.spaced("20 millis") })
      const answered = yield* Effect.retry(ask(`${server.url}/healthz`), {
        times: 100,
        schedule: Schedule.spaced("50 millis")
      })
      assert.strictEqual(answered.status, 200)
    }).pipe(Effect.scoped)
  )

  it.live("all answer what they have begun when the server is told to end, and none is left", () =>
    Effect.gen(function* () {
      const { keys, owner, server } = yield* running()
      const body = '{"name":"made while the server ended"}'
      const uploads = yield* Effect.forEach(
        [1, 2, 3, 4],
        () =>
          Effect.promise(async () => {
            const connection = await openConnection(server.url)
            // Answered first, so that what follows is known to be in a worker's hands.
            connection.send("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
            await connection.received(/"ok"/)
            connection.send(
              `POST ${new URL(keys).pathname} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n` +
                `authorization: ${basic(owner.keyId, owner.keySecret)}\r\ncontent-length: ${body.length}\r\n\r\n{`
            )
            return connection
          }),
        { concurrency: "unbounded" }
      )
      const workers = childrenOf(server.pid)
      // One request later, what was sent before has been read.
      for (let count = 0; count < 4; count++) yield* ask(`${server.url}/healthz`)
      const ended = server.stop()
      // A connection that Node's cluster was handing over as the last worker closed is neither refused nor answered.
      const asked = Effect.timeout(ask(`${server.url}/healthz`), "1 second")
      yield* Effect.exit(asked).pipe(
        Effect.repeat({ until: ({ _tag }) => _tag === "Failure", schedule: Schedule.spaced("20 millis") })
      )
      for (const upload of uploads) upload.send(body.slice(1))
      for (const upload of uploads) {
        assert.match(yield* Effect.promise(() => upload.closed), /"name":"made while the server ended"/)
      }
      const { code, complaints, stdout } = yield* Effect.promise(() => ended)
      assert.deepStrictEqual([code, complaints], [0, ""])
      // The log of every worker is there to the end, a line a request.
      assert.strictEqual(stdout.match(/^\{"time":.*"status":200.*\}$/gm)?.length, 4)
      assert.deepStrictEqual(workers.filter(exists), [])
    }).pipe(Effect.scoped)
  )

  it.live("a signal to the whole group, as systemd and Ctrl-C send it, is no second one: --drain-delay is kept", () =>
    Effect.gen(function* () {
      const { server } = yield* running("--drain-delay", "30s")
      const workers = childrenOf(server.pid)
      const ended = server.stop()
      const ready = Effect.map(ask(`${server.url}/readyz`), ({ status }) => status)
      yield* Effect.repeat(ready, { until: (status) => status === 503 })
      for (const pid of workers) process.kill(pid, "SIGTERM")
      // Time enough for one that would be gone at once.
      yield* Effect.sleep("500 millis")
      assert.deepStrictEqual(workers.map(exists), [true, true])
      assert.deepStrictEqual([yield* ready, yield* ready], [503, 503])
      server.signal("SIGTERM")
      yield* Effect.promise(() => ended)
      yield* Effect.repeat(
        Effect.sync(() => workers.some(exists)),
        {
          until: (anyLeft) => !anyLeft,
          schedule: Schedule.spaced("20 millis")
        }
      )
    }).pipe(Effect.scoped)
  )

  it.live("one that is told to end by itself is replaced; with the supervisor gone all go", () =>
    Effect.gen(function* () {
      const { server } = yield* running()
      const [first = 0] = childrenOf(server.pid)
      process.kill(first, "SIGTERM")
      yield* Effect.promise(() => server.printedBy(/worker \d is gone \(exit code 0\)/))
      const two = yield* Effect.sync(() => childrenOf(server.pid)).pipe(
        Effect.repeat({ until: (pids) => pids.length === 2, schedule: Schedule.spaced("20 millis") })
      )
      yield* Effect.promise(() => server.stop("SIGKILL"))
      yield* Effect.sync(() => two.some(exists)).pipe(
        Effect.repeat({ until: (left) => !left, schedule: Schedule.spaced("20 millis") })
      )
    }).pipe(Effect.scoped)
  )

  it.live("share the rate limit of a key, and the failed logins of an address", () =>
    Effect.gen(function* () {
      const { keys, owner } = yield* running("--rate-limit", "6/h", "--login-limit", "4/h")
      const statuses: Array<number | undefined> = []
      for (let count = 0; count < 8; count++) statuses.push((yield* create(keys, owner.keyId, owner.keySecret)).status)
      assert.deepStrictEqual(statuses, [200, 200, 200, 200, 200, 200, 429, 429])
      for (let count = 0; count < 4; count++) yield* create(keys, owner.keyId, "wrong")
      // Told of by one worker to the other: soon, not at once.
      let refused = 0
      while (refused < 4) refused = (yield* create(keys, "another", "wrong")).status === 429 ? refused + 1 : 0
    }).pipe(Effect.scoped)
  )

  it.live("all read a new certificate on SIGHUP", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* writeCertificate(directory)
      const { server } = yield* running(...tls(directory))
      const ca = yield* writeCertificate(directory)
      server.signal("SIGHUP")
      let verified = 0
      while (verified < 6) {
        const { _tag } = yield* Effect.exit(ask(`${server.url}/healthz`, { ca }))
        verified = _tag === "Success" ? verified + 1 : 0
      }
    }).pipe(Effect.scoped)
  )

  it.live("says once what keeps workers from starting", () =>
    Effect.gen(function* () {
      const taken = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const server = createServer().listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => server.close())
      )
      const address = taken.address()
      const port = typeof address === "object" ? String(address?.port) : ""
      const data = join(yield* temporaryDirectory, "data")
      const busy = yield* operate("--data", data, "--workers", "2", "--port", port)
      assert.strictEqual(busy.code, 1)
      assert.strictEqual(
        busy.stderr,
        `headgate-server: another program listens on 127.0.0.1, port ${port}: pass another --port\n`
      )
    }).pipe(Effect.scoped)
  )
})

describePostgres("--workers over Postgres", (postgres) => {
  it.live("share failed logins through the database", () =>
    Effect.gen(function* () {
      const { createEmptyDatabase } = yield* postgres
      const file = join(yield* temporaryDirectory, "credentials.json")
      const url = Redacted.value(yield* createEmptyDatabase)
      const flags = ["--database-url", url, "--workers", "2", "--login-limit", "4/h", "--credentials-file", file]
      const server = yield* serverProcess(...flags)
      const owner = readCredentials(file)[0]!
      const keys = `${server.url}${keysPath(owner.organization.id)}`
      const statuses: Array<number | undefined> = []
      for (let count = 0; count < 6; count++) statuses.push((yield* create(keys, owner.keyId, "wrong")).status)
      assert.deepStrictEqual(statuses, [401, 401, 401, 401, 429, 429])
    }).pipe(Effect.scoped)
  )
})

describe("the metrics of several processes", () => {
  it.effect("are one text, each family once", () =>
    Effect.sync(() => {
      const of = (worker: number) =>
        `# HELP a What a is\n# TYPE a counter\na{worker="${worker}"} 1\n# HELP b What b is\n# TYPE b gauge\nb{worker="${worker}"} 2\n`
      assert.strictEqual(
        mergeMetrics(["", of(1), of(2)]),
        '# HELP a What a is\n# TYPE a counter\na{worker="1"} 1\na{worker="2"} 1\n' +
          '# HELP b What b is\n# TYPE b gauge\nb{worker="1"} 2\nb{worker="2"} 2\n'
      )
    })
  )
})
