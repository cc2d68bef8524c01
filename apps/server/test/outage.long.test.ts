import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { describePostgres } from "../../../packages/sql-adapter/test/support/postgres.ts"
import { sampleFile } from "./support/fullSnapshot.ts"
import { basic, bearer } from "./support/liveServer.ts"
import { readCredentials, serverProcess, temporaryDirectory } from "./support/processes.ts"
import { dashboardsPath, firstPipe, keysPath, pipePath } from "./support/environment.ts"

it.live("a server whose store is damaged names, in its log, the request ID that the caller was told", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const file = join(directory, "credentials.json")
    const server = yield* serverProcess("--data", directory, "--credentials-file", file)
    const { token } = readCredentials(file)[0]!
    const store = new DatabaseSync(join(directory, "headgate.sqlite"))
    store.exec("DROP TABLE dashboard")
    store.close()
    const response = yield* Effect.promise(() =>
      fetch(`${server.url}${dashboardsPath}`, { headers: { authorization: bearer(token) } })
    )
    assert.strictEqual(response.status, 500)
    yield* Effect.promise(() => server.stop())
    const { stderr } = server.printed
    const failure = stderr.slice(stderr.indexOf("a request failed"))
    assert.include(failure, response.headers.get("x-request-id") ?? "no id")
    assert.include(failure, "no such table: dashboard")
  }).pipe(Effect.scoped)
)

/** A file system of its own with room for a small store; `undefined` for who may not mount one. */
const smallDisk = Effect.acquireRelease(
  Effect.map(temporaryDirectory, (directory) => {
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", directory])
    return mounted.status === 0 ? directory : undefined
  }),
  (directory) => Effect.sync(() => directory !== undefined && spawnSync("umount", ["--lazy", directory]))
)

it.live("a server whose disk is full answers what reads, refuses what writes, and goes on when there is room", (test) =>
  Effect.gen(function* () {
    const disk = yield* smallDisk
    if (disk === undefined) return test.skip("only root may mount a disk that is full")
    const credentials = join(yield* temporaryDirectory, "credentials.json")
    const data = join(disk, "data")
    const flags = ["--import", fileURLToPath(sampleFile), "--credentials-file", credentials]
    const server = yield* serverProcess("--data", data, ...flags)
    const { keyId, keySecret, organization, token } = readCredentials(credentials)[0]!
    const ask = (path: string, authorization: string, body?: string) =>
      Effect.promise(async () => {
        const headers = { authorization, "content-type": "application/json" }
        const response = await fetch(
          `${server.url}${path}`,
          body === undefined ? { headers } : { method: "POST", headers, body }
        )
        return response.status
      })
    const readPipe = ask(pipePath(firstPipe), basic(keyId, keySecret))
    const listDashboards = ask(dashboardsPath, bearer(token))
    const createKey = ask(keysPath(organization.id), basic(keyId, keySecret), '{"name":"x"}')

    const filler = join(disk, "filler")
    spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=4096"])
    // The key was never used: each of these would write that down.
    assert.deepStrictEqual([yield* readPipe, yield* readPipe, yield* listDashboards], [200, 200, 200])
    assert.strictEqual(yield* createKey, 503)
    assert.strictEqual(yield* readPipe, 200)
    assert.match(server.printed.stderr, /last uses of keys are not written down: .*database or disk is full/)

    rmSync(filler)
    assert.strictEqual(yield* createKey, 200)
  }).pipe(Effect.scoped)
)

describePostgres("a server whose Postgres is gone", (postgres) => {
  it.live("answers 503 in the shape of each API, and goes on when Postgres is back", () =>
    Effect.gen(function* () {
      const { createEmptyDatabase, whileStopped } = yield* postgres
      const file = join(yield* temporaryDirectory, "credentials.json")
      const url = Redacted.value(yield* createEmptyDatabase)
      const limits = ["--rate-limit", "1000/m"]
      const server = yield* serverProcess("--database-url", url, "--credentials-file", file, ...limits)
      const { keyId, keySecret, organization, token } = readCredentials(file)[0]!

      const post = (path: string, authorization: string) =>
        Effect.promise(async () => {
          const headers = { authorization, "content-type": "application/json" }
          const response = await fetch(`${server.url}${path}`, { method: "POST", headers, body: '{"name":"x"}' })
          const json: any = await response.json()
          return { status: response.status, json }
        })
      const createKey = post(keysPath(organization.id), basic(keyId, keySecret))
      const createDashboard = post(dashboardsPath, bearer(token))

      assert.strictEqual((yield* createKey).status, 200)
      yield* whileStopped(
        Effect.gen(function* () {
          const key = yield* createKey
          assert.strictEqual(key.status, 503)
          assert.match(key.json.error, /^UNAVAILABLE: /)
          const dashboard = yield* createDashboard
          assert.strictEqual(dashboard.status, 503)
          assert.deepStrictEqual(Object.keys(dashboard.json), ["message"])
          const before = server.printed.stderr.length
          for (let count = 0; count < 5; count++) yield* createKey
          const lines = server.printed.stderr.slice(before).split("\n").slice(0, -1)
          // The next call may fail for another reason than the first, whose connection was cut.
          assert.isAtMost(lines.length, 1)
          for (const line of server.printed.stderr.split("\n")) assert.notMatch(line, /^\s+(?:cause|_tag|at )/)
        })
      )
      const back = yield* createKey.pipe(
        Effect.repeat({ until: ({ status }) => status === 200, schedule: Schedule.spaced("100 millis"), times: 100 })
      )
      assert.strictEqual(back.status, 200)
      assert.strictEqual((yield* createDashboard).status, 200)
    }).pipe(Effect.scoped)
  )
})
