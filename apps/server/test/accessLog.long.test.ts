import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { stripVTControlCharacters } from "node:util"
import { pathOf } from "../src/http/requestUrl.ts"
import { type AccessEntry, jsonLine, prettyLine } from "../src/observability/AccessEntry.ts"
import { type LineStream, LineWriter } from "../src/observability/LineWriter.ts"
import { sampleFile } from "./support/fullSnapshot.ts"
import { basic, bearer } from "./support/liveServer.ts"
import { readCredentials, serverProcess, temporaryDirectory } from "./support/processes.ts"
import { openConnection } from "./support/rawConnection.ts"
import { dashboardsPath, keysPath, uuidV4 } from "./support/environment.ts"

const running = (...flags: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const file = join(yield* temporaryDirectory, "credentials.json")
    const server = yield* serverProcess("--memory", "--credentials-file", file, ...flags)
    return { server, owner: readCredentials(file)[0]! }
  })

/** What stdout says: JSON throughout, for a collector reads it that knows nothing else. */
const linesOf = (stdout: string): ReadonlyArray<any> =>
  stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line))

describe("stdout", () => {
  it.live("is the access log and nothing else, whatever the server has to say", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const server = yield* serverProcess("--data", directory, "--import", fileURLToPath(sampleFile), "--admin")
      const token = /bearer token +(\S+)/.exec(server.printed.stderr)?.[1] ?? ""
      const store = new DatabaseSync(join(directory, "headgate.sqlite"))
      store.exec("DROP TABLE dashboard")
      store.close()
      const failed = yield* Effect.promise(() =>
        fetch(`${server.url}${dashboardsPath}`, { headers: { authorization: bearer(token) } })
      )
      const { stderr, stdout } = yield* Effect.promise(() => server.stop())
      assert.deepStrictEqual(
        linesOf(stdout).map(({ path, requestId, status }) => ({ path, requestId, status })),
        [{ path: dashboardsPath, requestId: failed.headers.get("x-request-id"), status: 500 }]
      )
      for (const said of ["imported ", "New credentials", "WARNING: --admin", "listening on", "a request failed"]) {
        assert.include(stderr, said)
      }
    }).pipe(Effect.scoped)
  )
})

describe("the access log", () => {
  it.live("is one line of JSON for each request, flushed at the end", () =>
    Effect.gen(function* () {
      const { owner, server } = yield* running()
      const keys = keysPath(owner.organization.id)
      const headers = { authorization: basic(owner.keyId, owner.keySecret), "content-type": "application/json" }
      const created = yield* Effect.promise(() =>
        fetch(`${server.url}${keys}?secret=in-the-query`, { method: "POST", headers, body: '{"name":"x"}' })
      )
      const text = yield* Effect.promise(() => created.text())
      yield* Effect.promise(() => fetch(`${server.url}${keys}`, { method: "POST", headers: {} }))
      yield* Effect.promise(() => fetch(`${server.url}/nowhere`))
      for (const probe of ["/healthz", "/readyz", "/metrics"]) {
        assert.strictEqual((yield* Effect.promise(() => fetch(`${server.url}${probe}`))).status, 200)
      }
      const { stdout } = yield* Effect.promise(() => server.stop())
      assert.notInclude(stdout, "in-the-query")
      const lines = linesOf(stdout)
      assert.strictEqual(lines.length, 3)
      const [made, refused, unknown] = lines
      assert.deepStrictEqual(
        { ...made, time: typeof made.time, milliseconds: typeof made.milliseconds },
        {
          time: "string",
          requestId: created.headers.get("x-request-id"),
          method: "POST",
          path: keys,
          status: 200,
          milliseconds: "number",
          bytes: text.length,
          keyIdSuffix: owner.keyId.slice(-4),
          remoteAddress: "127.0.0.1"
        }
      )
      assert.strictEqual(new Date(made.time).toISOString(), made.time)
      assert.strictEqual(refused.status, 401)
      assert.isUndefined(refused.keyIdSuffix)
      assert.deepStrictEqual([unknown.path, unknown.status], ["/nowhere", 404])
    }).pipe(Effect.scoped)
  )

  it.live("tells of callers who hang up, and of what is no request", () =>
    Effect.gen(function* () {
      const { owner, server } = yield* running()
      const hangingUp = yield* Effect.promise(() => openConnection(server.url))
      hangingUp.send(
        `POST ${keysPath(owner.organization.id)} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n` +
          `authorization: ${basic(owner.keyId, owner.keySecret)}\r\ncontent-length: 100\r\n\r\n{`
      )
      // Read by the time that another is answered.
      yield* Effect.promise(() => fetch(`${server.url}/docs`))
      hangingUp.destroy()
      yield* Effect.promise(() => server.printedBy(/"status":499/))
      const garbage = yield* Effect.promise(() => openConnection(server.url))
      garbage.send("NO REQUEST\r\n\r\n")
      const answer = yield* Effect.promise(() => garbage.closed)
      yield* Effect.promise(() => server.printedBy(/"status":400/))
      const lines = linesOf(server.printed.stdout)
      assert.deepStrictEqual(
        lines.map(({ status }) => status),
        [200, 499, 400]
      )
      const [, hungUp, unread] = lines
      assert.deepStrictEqual([hungUp.method, hungUp.path], ["POST", keysPath(owner.organization.id)])
      assert.match(unread.requestId, uuidV4)
      assert.include(answer, `x-request-id: ${unread.requestId}`)
      assert.strictEqual(unread.remoteAddress, "127.0.0.1")
    }).pipe(Effect.scoped)
  )

  it.live("is off when told so, and pretty when told so", () =>
    Effect.gen(function* () {
      const silent = yield* running("--access-log", "off")
      yield* Effect.promise(() => fetch(`${silent.server.url}/docs`))
      assert.notInclude((yield* Effect.promise(() => silent.server.stop())).stdout, "GET")
      const pretty = yield* running("--access-log", "pretty")
      yield* Effect.promise(() => fetch(`${pretty.server.url}/docs`))
      const { stdout } = yield* Effect.promise(() => pretty.server.stop())
      assert.match(
        stripVTControlCharacters(stdout),
        /^\d\d:\d\d:\d\d {2}200 {2}GET {5}\/docs {2}[\d.]+ ms {2}127\.0\.0\.1 {2}\S{36}$/m
      )
    }).pipe(Effect.scoped)
  )

  it.live("ends nothing when nobody reads it any more", () =>
    Effect.gen(function* () {
      const { server } = yield* running()
      server.closeStdout()
      for (let count = 0; count < 20; count++) {
        assert.strictEqual((yield* Effect.promise(() => fetch(`${server.url}/docs`))).status, 200)
      }
      const { code, complaints } = yield* Effect.promise(() => server.stop())
      assert.deepStrictEqual([code, complaints], [0, ""])
    }).pipe(Effect.scoped)
  )
})

const entry: AccessEntry = {
  time: 0,
  requestId: "00000000-0000-4000-8000-000000000000",
  method: "GET",
  path: "/",
  status: 200,
  milliseconds: 1.23456,
  bytes: undefined,
  remoteAddress: undefined,
  keyIdSuffix: undefined,
  isSession: false
}

// A line feed, a terminal's escape sequences in 7 and 8 bits, a quotation mark, and text that runs backwards.
const hostile = '/a\n{"status":200}\r\u001b[2J\u009b31m"\\\u2028\u202e\u{1f600}\u0000\u007f'

describe("a line of the access log", () => {
  it.effect("cannot be forged or coloured by what a caller sends", () =>
    Effect.sync(() => {
      const forged = { ...entry, path: hostile, keyIdSuffix: hostile, remoteAddress: hostile, method: hostile }
      const json = jsonLine(forged)
      assert.match(json, /^[\u0020-\u007e]+\n$/)
      assert.strictEqual(JSON.parse(json).path, hostile)
      assert.match(stripVTControlCharacters(prettyLine(forged)), /^[\u0020-\u007e]+\n$/)
    })
  )

  it.effect.each([
    { url: "/a/b?c=d", path: "/a/b" },
    { url: "/a;c=d", path: "/a" },
    { url: "/a#c", path: "/a" },
    { url: "http://user:secret@host:1/a?b", path: "/a" },
    { url: "http://user:secret@host", path: "" },
    { url: "*", path: "*" }
  ])("$url shows $path", ({ path, url }) => Effect.sync(() => assert.strictEqual(pathOf(url), path)))
})

/** A stream whose reader reads when it is told to. */
const makeStream = () => {
  const written: Array<string> = []
  const waiting: Array<() => void> = []
  let onError = () => {}
  const stream: LineStream = {
    write: (text, done) => {
      written.push(text)
      waiting.push(done)
    },
    on: (_, listener) => (onError = listener)
  }
  return { stream, written, read: () => waiting.shift()?.(), fail: () => onError() }
}

const turn = Effect.promise(() => new Promise((resolve) => void setImmediate(resolve)))
const line = (length: number) => `${"x".repeat(length - 1)}\n`

describe("the line writer", () => {
  it.effect("writes whole lines, as many at once as other processes cannot come between", () =>
    Effect.gen(function* () {
      const { read, stream, written } = makeStream()
      const writer = new LineWriter(stream)
      for (let count = 0; count < 10; count++) writer.write(line(1000))
      writer.write(line(5000))
      writer.write(line(10))
      assert.deepStrictEqual(written, [])
      yield* turn
      for (let count = 0; count < 10; count++) read()
      assert.deepStrictEqual(
        written.map(({ length }) => length),
        [4000, 4000, 2000, 5000, 10]
      )
      assert.isTrue(written.every((text) => text.endsWith("\n")))
    })
  )

  it.effect("waits for no reader: what is too much is dropped and counted", () =>
    Effect.gen(function* () {
      const { stream, written } = makeStream()
      const writer = new LineWriter(stream)
      for (let count = 0; count < 3000; count++) {
        writer.write(line(1000))
        if (count === 0) yield* turn
      }
      assert.strictEqual(written.length, 1)
      assert.isAbove(writer.dropped, 1900)
      assert.isBelow(writer.dropped, 2000)
    })
  )

  it.effect("does not write to a reader that is gone", () =>
    Effect.gen(function* () {
      const { fail, stream, written } = makeStream()
      const writer = new LineWriter(stream)
      fail()
      writer.write(line(10))
      yield* turn
      assert.deepStrictEqual(written, [])
      assert.strictEqual(writer.dropped, 1)
      yield* Effect.promise(() => writer.settled(60_000))
    })
  )
})
