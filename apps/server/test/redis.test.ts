import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { basic } from "./support/liveServer.ts"
import { operate, serverProcess, temporaryDirectory } from "./support/processes.ts"
import { firstPipe, pipePath } from "./support/world.ts"

const installed = spawnSync("redis-server", ["--version"]).status === 0
const required = process.env["HEADGATE_REQUIRE_REDIS"] === "1"
if (!installed && !required)
  process.stderr.write("SKIPPED: redis-server is not installed (apt-get install redis-server)\n")

/** A real Redis on a Unix socket in a directory of its own; its URL. */
const redis = Effect.flatMap(temporaryDirectory, (directory) => {
  const socket = join(directory, "redis.sock")
  return Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn("redis-server", ["--port", "0", "--unixsocket", socket, "--save", "", "--dir", directory])
      while (!existsSync(socket)) await setTimeout(20)
      return { child, url: `unix://${socket}` }
    }),
    ({ child }) =>
      Effect.promise(async () => {
        child.kill()
        while (child.exitCode === null && child.signalCode === null) await setTimeout(20)
      })
  )
})

describe.skipIf(!installed && !required)("--redis-url", () => {
  it.live("two servers share the windows that are kept there", () =>
    Effect.gen(function* () {
      const { url } = yield* redis
      const start = () => serverProcess("--memory", "--redis-url", url, "--login-limit", "4/m")
      const [one, two] = [yield* start(), yield* start()]
      const guess = (server: { readonly url: string }) =>
        Effect.promise(async () => {
          const headers = { authorization: basic("nobody", "guess") }
          return (await fetch(`${server.url}${pipePath(firstPipe)}`, { headers })).status
        })
      const statuses = yield* Effect.forEach([one, two, one, two, one, two], guess)
      assert.deepStrictEqual(statuses, [401, 401, 401, 401, 429, 429])
    }).pipe(Effect.scoped)
  )

  it.live("a Redis that is not there stops the start, and its password is not told", () =>
    Effect.gen(function* () {
      const url = "redis://user:the-password@127.0.0.1:1"
      const { code, stderr, stdout } = yield* operate("--memory", "--port", "0", "--redis-url", url)
      assert.strictEqual(code, 1)
      assert.include(stderr, "Redis could not be opened")
      assert.notInclude(stderr + stdout, "the-password")
    })
  )
})
