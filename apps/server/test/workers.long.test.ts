import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { existsSync, readFileSync } from "node:fs"
import { request as httpRequest } from "node:http"
import { request as httpsRequest } from "node:https"
import { join } from "node:path"
import { describePostgres } from "../../../packages/sql-adapter/test/support/postgres.ts"
import { limitOfWorker } from "../src/flags.ts"
import { mergeMetrics } from "../src/workers/mergeMetrics.ts"
import { tls, writeCertificate } from "./support/certificate.ts"
import { sampleFile } from "./support/fullSnapshot.ts"
import { basic } from "./support/liveServer.ts"
import { operate, readCredentials, serverProcess, takenPort, temporaryDirectory } from "./support/processes.ts"
import { openConnection } from "./support/rawConnection.ts"
import { keysPath } from "./support/world.ts"

/** A server of two workers over a fresh SQLite file, and its first credentials. */
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

interface RequestOptions {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly ca?: string
}

/** Sends a request on a new connection. `node:cluster` gives connections to the workers in turn. */
const send = (url: string, { body, ca, headers = {}, method = "GET" }: RequestOptions = {}) =>
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
  send(keys, {
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
  it.live(
    "every worker answers, over one store that was prepared once, and /metrics holds a series of each worker",
    () =>
      Effect.gen(function* () {
        const { keys, owner, server } = yield* running("--import", sampleFile.pathname)
        assert.strictEqual(server.printed.stderr.match(/imported/g)?.length, 1)
        assert.strictEqual(server.printed.stderr.match(/listening on/g)?.length, 1)
        assert.include(server.printed.stderr, "workers  2")
        for (let count = 0; count < 8; count++) yield* send(`${server.url}/docs`)
        for (let count = 0; count < 4; count++) {
          const { text } = yield* send(`${server.url}/metrics`)
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

  it.live("replaces a worker that is killed under load, while the others answer", () =>
    Effect.gen(function* () {
      const { keys, owner, server } = yield* running()
      const [victim = 0] = childrenOf(server.pid)
      const load = yield* Effect.forkChild(Effect.forever(Effect.exit(create(keys, owner.keyId, owner.keySecret))))
      process.kill(victim, "SIGKILL")
      yield* Effect.promise(() => server.printedBy(/worker \d ended \(SIGKILL\)/))
      // New connections go to the workers that are left.
      for (let count = 0; count < 20; count++) assert.strictEqual((yield* send(`${server.url}/healthz`)).status, 200)
      const metrics = yield* send(`${server.url}/metrics`).pipe(
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

  it.live("restarts workers that are killed at once, on the port that was announced", () =>
    Effect.gen(function* () {
      const { server } = yield* running()
      for (const pid of childrenOf(server.pid)) process.kill(pid, "SIGKILL")
      yield* Effect.promise(() => server.printedBy(/ended \([^]*ended \(/))
      const back = Effect.sync(() => childrenOf(server.pid).length === 2)
      yield* Effect.repeat(back, { until: (isBack) => isBack, schedule: Schedule.spaced("20 millis") })
      const answered = yield* Effect.retry(send(`${server.url}/healthz`), {
        times: 100,
        schedule: Schedule.spaced("50 millis")
      })
      assert.strictEqual(answered.status, 200)
    }).pipe(Effect.scoped)
  )

  it.live("workers answer the requests in flight at SIGTERM, then all end", () =>
    Effect.gen(function* () {
      const { keys, owner, server } = yield* running()
      const body = '{"name":"made while the server ended"}'
      const uploads = yield* Effect.forEach(
        [1, 2, 3, 4],
        () =>
          Effect.promise(async () => {
            const connection = await openConnection(server.url)
            // The answer shows that a worker has the connection.
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
      // After another request of each worker, the earlier bytes have been read.
      for (let count = 0; count < 4; count++) yield* send(`${server.url}/healthz`)
      const ended = server.stop()
      // A connection that Node's cluster was handing over as the last worker closed is neither refused nor answered.
      const sent = Effect.timeout(send(`${server.url}/healthz`), "1 second")
      yield* Effect.exit(sent).pipe(
        Effect.repeat({ until: ({ _tag }) => _tag === "Failure", schedule: Schedule.spaced("20 millis") })
      )
      for (const upload of uploads) upload.send(body.slice(1))
      for (const upload of uploads) {
        assert.match(yield* Effect.promise(() => upload.closed), /"name":"made while the server ended"/)
      }
      const { code, complaints, stdout } = yield* Effect.promise(() => ended)
      assert.deepStrictEqual([code, complaints], [0, ""])
      // The access logs of all workers are complete, one line for each request.
      assert.strictEqual(stdout.match(/^\{"time":.*"status":200.*\}$/gm)?.length, 4)
      assert.deepStrictEqual(workers.filter(exists), [])
    }).pipe(Effect.scoped)
  )

  it.live("a SIGTERM to the whole process group, as systemd and Ctrl-C send it, does not cut --drain-delay", () =>
    Effect.gen(function* () {
      const { server } = yield* running("--drain-delay", "30s")
      const workers = childrenOf(server.pid)
      const ended = server.stop()
      const ready = Effect.map(send(`${server.url}/readyz`), ({ status }) => status)
      yield* Effect.repeat(ready, { until: (status) => status === 503 })
      for (const pid of workers) process.kill(pid, "SIGTERM")
      // Enough time for a worker that would end at once.
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

  it.live("replaces a worker that gets SIGTERM alone; workers end when the supervisor is killed", () =>
    Effect.gen(function* () {
      const { server } = yield* running()
      const [first = 0] = childrenOf(server.pid)
      process.kill(first, "SIGTERM")
      yield* Effect.promise(() => server.printedBy(/worker \d ended \(exit code 0\)/))
      const two = yield* Effect.sync(() => childrenOf(server.pid)).pipe(
        Effect.repeat({ until: (pids) => pids.length === 2, schedule: Schedule.spaced("20 millis") })
      )
      yield* Effect.promise(() => server.stop("SIGKILL"))
      yield* Effect.sync(() => two.some(exists)).pipe(
        Effect.repeat({ until: (left) => !left, schedule: Schedule.spaced("20 millis") })
      )
    }).pipe(Effect.scoped)
  )

  it.live("each worker counts its part of the failed logins of an address", () =>
    Effect.gen(function* () {
      const { keys, owner } = yield* running("--login-limit", "12/h")
      const statuses: Array<number | undefined> = []
      // Connections go to the two workers in turn: each counts 6.
      for (let count = 0; count < 16; count++) statuses.push((yield* create(keys, owner.keyId, "wrong")).status)
      assert.deepStrictEqual(statuses, [...Array(12).fill(401), ...Array(4).fill(429)])
    }).pipe(Effect.scoped)
  )

  it.live("--rate-limit over SQLite is a usage error without --redis-url", () =>
    Effect.gen(function* () {
      const data = join(yield* temporaryDirectory, "data")
      const { code, stderr } = yield* operate("--data", data, "--workers", "2", "--rate-limit", "6/h")
      assert.strictEqual(code, 2)
      assert.strictEqual(
        stderr,
        "headgate-server: --rate-limit with --workers needs a store that counts for all workers, and SQLite does not: " +
          "pass --redis-url or --database-url, or leave out --workers\n"
      )
      assert.isFalse(existsSync(data))
    }).pipe(Effect.scoped)
  )

  it.live("all workers read a new certificate on SIGHUP", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* writeCertificate(directory)
      const { server } = yield* running(...tls(directory))
      const ca = yield* writeCertificate(directory)
      server.signal("SIGHUP")
      let verified = 0
      while (verified < 6) {
        const { _tag } = yield* Effect.exit(send(`${server.url}/healthz`, { ca }))
        verified = _tag === "Success" ? verified + 1 : 0
      }
    }).pipe(Effect.scoped)
  )

  it.live("prints once why workers cannot start", () =>
    Effect.gen(function* () {
      const port = yield* takenPort
      const data = join(yield* temporaryDirectory, "data")
      const busy = yield* operate("--data", data, "--workers", "2", "--port", String(port))
      assert.strictEqual(busy.code, 1)
      assert.strictEqual(
        busy.stderr,
        `headgate-server: another program listens on 127.0.0.1, port ${port}: pass another --port\n`
      )
    }).pipe(Effect.scoped)
  )
})

describePostgres("--workers over Postgres", (postgres) => {
  it.live("share the rate limit of a key and the failed logins of an address through the database", () =>
    Effect.gen(function* () {
      const { createEmptyDatabase } = yield* postgres
      const file = join(yield* temporaryDirectory, "credentials.json")
      const url = Redacted.value(yield* createEmptyDatabase)
      const limits = ["--rate-limit", "6/h", "--login-limit", "4/h"]
      const server = yield* serverProcess(
        "--database-url",
        url,
        "--workers",
        "2",
        "--credentials-file",
        file,
        ...limits
      )
      const owner = readCredentials(file)[0]!
      const keys = `${server.url}${keysPath(owner.organization.id)}`
      const statusesOf = (secret: string) =>
        Effect.forEach(Array.from({ length: 8 }), () =>
          Effect.map(create(keys, owner.keyId, secret), ({ status }) => status)
        )
      assert.deepStrictEqual(yield* statusesOf(owner.keySecret), [200, 200, 200, 200, 200, 200, 429, 429])
      assert.deepStrictEqual(yield* statusesOf("wrong"), [401, 401, 401, 401, 429, 429, 429, 429])
    }).pipe(Effect.scoped)
  )
})

describe("the limit of one worker", () => {
  it.effect.each<readonly [limit: number, workers: number, part: number]>([
    [20, 1, 20],
    [20, 2, 10],
    [20, 3, 6],
    [20, 8, 5],
    [4, 2, 4]
  ])("%i with %i workers is %i", ([limit, workers, part]) =>
    Effect.sync(() => {
      const window = Duration.minutes(1)
      assert.deepStrictEqual(limitOfWorker({ limit, window }, workers), { limit: part, window })
    })
  )
})

describe("merged metrics of several processes", () => {
  it.effect("hold each metric once, with the series of every process", () =>
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
