import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { pipes, sampleFile } from "./support/fullSnapshot.ts"
import { basic } from "./support/liveServer.ts"
import { operate, serverProcess, takenPort, temporaryDirectory } from "./support/processes.ts"
import { pipePath } from "./support/environment.ts"

const sample = fileURLToPath(sampleFile)

const statusOf = (url: string, authorization: string, init: RequestInit = {}) =>
  Effect.promise(async () => {
    const response = await fetch(url, { ...init, headers: { authorization, "content-type": "application/json" } })
    const json: any = await response.json()
    return { status: response.status, json }
  })

describe("the root of the server", () => {
  it.live("names the program, its version, its documentation and its console", () =>
    Effect.gen(function* () {
      const { url } = yield* serverProcess("--memory")
      const { json, status } = yield* statusOf(url, "")
      assert.strictEqual(status, 200)
      const { version, ...rest } = json
      assert.match(version, /^\d+\.\d+\.\d+/)
      const pages = { docs: "/docs", openapi: "/openapi.json", console: "/console" }
      assert.deepStrictEqual(rest, { server: "headgate-server", ...pages })
    }).pipe(Effect.scoped)
  )
})

describe("the first start", () => {
  it.live("mints an admin key and a token, shows them once, and they work", () =>
    Effect.gen(function* () {
      const data = join(yield* temporaryDirectory, "data")
      const first = yield* serverProcess("--data", data)
      const shown = (label: string) => new RegExp(`${label} +(\\S+)`).exec(first.printed.stderr)?.[1] ?? ""
      const organization = shown("organization")
      const key = basic(shown("key ID"), shown("key secret"))
      const keysUrl = `${first.url}/v1/organizations/${organization}/keys`
      const created = yield* statusOf(keysUrl, key, { method: "POST", body: '{"name":"x"}' })
      assert.strictEqual(created.status, 200)
      const dashboards = yield* statusOf(`${first.url}/api/v2/dashboards`, `Bearer ${shown("bearer token")}`)
      assert.deepStrictEqual(dashboards, { status: 200, json: { data: [] } })
      yield* Effect.promise(() => first.stop())
      const second = yield* serverProcess("--data", data)
      assert.notInclude(second.printed.stderr, "key secret")
      assert.notInclude(second.printed.stderr, "hgt_")
      const again = yield* statusOf(`${second.url}/v1/organizations/${organization}/keys`, key, {
        method: "POST",
        body: '{"name":"y"}'
      })
      assert.strictEqual(again.status, 200)
    }).pipe(Effect.scoped)
  )
})

describe("the command line", () => {
  it.live("is refused with 2 and a hint where it is wrong", () =>
    Effect.gen(function* () {
      for (const args of [["--prot", "1"], ["--port", "high"], ["extra"]]) {
        const { code, stderr, stdout } = yield* operate(...args)
        assert.strictEqual(code, 2, args.join(" "))
        assert.include(stderr, "headgate-server --help")
        assert.strictEqual(stdout, "")
      }
    })
  )

  it.live("explains itself", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* operate("--help")
      assert.strictEqual(code, 0)
      assert.strictEqual(stderr, "")
      for (const flag of ["--host", "--port", "--data", "--memory", "--dialect", "--import", "--credentials-file"]) {
        assert.include(stdout, flag)
      }
    })
  )

  it.live("says so when the port is taken, and when two stores are asked for", () =>
    Effect.gen(function* () {
      const port = yield* takenPort
      const busy = yield* operate("--memory", "--port", String(port))
      assert.strictEqual(busy.code, 1)
      // All that it says: credentials that nobody could use are not made.
      assert.strictEqual(
        busy.stderr,
        `headgate-server: another program listens on 127.0.0.1, port ${port}: pass another --port\n`
      )
      assert.strictEqual(busy.stdout, "")
      const both = yield* operate("--memory", "--data", "somewhere")
      assert.strictEqual(both.code, 2)
      assert.include(both.stderr, "--memory, --data and --database-url exclude one another")
    }).pipe(Effect.scoped)
  )

  it.live("SIGTERM and SIGINT are a good end", () =>
    Effect.gen(function* () {
      for (const signal of ["SIGTERM", "SIGINT"] as const) {
        const server = yield* serverProcess("--memory", "--import", sample)
        assert.strictEqual((yield* statusOf(`${server.url}${pipePath(String(pipes[0]?.["id"]))}`, "")).status, 401)
        const { code, complaints } = yield* Effect.promise(() => server.stop(signal))
        assert.strictEqual(code, 0)
        assert.strictEqual(complaints, "")
      }
    }).pipe(Effect.scoped)
  )
})
