import { assert, describe, it } from "vitest"
import { errorReply, requestId, service } from "./Service.ts"
import { everything, headgate, headgateProcess, pipeId, secrets, unreachable } from "./headgate.ts"
import { forbiddenHint } from "../src/request/forbiddenHint.ts"

const api = service()

const get = (args: ReadonlyArray<string> = [], env: Record<string, string> = {}) =>
  headgate(["pipe", "get", pipeId, "--max-retries", "0", ...args], { env: { ...everything(api.url), ...env } })

it("a refused connection is reported with how often it was tried, and not as sent", async () => {
  const args = ["dashboard", "list", "--max-retries", "1"]
  const run = await headgate(args, { env: { HEADGATE_URL: unreachable, HEADGATE_TOKEN: secrets.token } })
  assert.include(run.stderr, "tried 2 times")
  assert.notMatch(run.stderr, /nothing was sent|sent 2 times/)
})

describe("an error of the service", () => {
  it.each<[number, string, number, string]>([
    [400, "BAD_REQUEST: pipeId: Expected a UUID", 1, "InvalidRequest"],
    [401, "UNAUTHORIZED: expired", 4, "Unauthorized"],
    [403, "FORBIDDEN: not from this address", 4, "Forbidden"],
    [404, "NOT_FOUND: no such pipe", 5, "PipeNotFound"],
    [409, "CONFLICT: busy", 1, "Conflict"],
    [429, "TOO_MANY_REQUESTS: slow down", 1, "RateLimited"],
    [500, "INTERNAL_ERROR: oops", 1, "ServerError"],
    [418, "TEAPOT: short and stout", 1, "UnexpectedResponse"]
  ])("with status %i is JSON on stderr with --json, and has its exit code", async (status, error, exitCode, tag) => {
    api.respondWith(errorReply(status, error))
    const run = await get(["--json"])
    assert.deepStrictEqual([run.exitCode, run.stdout], [exitCode, ""])
    assert.strictEqual(run.stderr.trim().split("\n").length, 1)
    const report = JSON.parse(run.stderr).error
    assert.include(report, { tag, status, requestId, method: "GET", attempts: 1 })
    assert.match(report.path, /^\/v1\/organizations\/.*\/dbpipes\//)
    assert.isString(report.message)
  })

  it("404 says once that there is no such thing, and what else the service says", async () => {
    api.respondWith(errorReply(404, `NOT_FOUND: the service has no pipe ${pipeId}`))
    const [first, ...rest] = (await get()).stderr.split("\n")
    assert.strictEqual(first, `error: The service has no pipe ${pipeId}`)
    assert.lengthOf(rest.join("\n").match(/404/g) ?? [], 1)
    api.respondWith(errorReply(404, "NOT_FOUND: no such path"))
    assert.include(
      (await get()).stderr,
      `The service has no pipe ${pipeId} (the service answers with HTTP status 404: no such path)\n`
    )
  })

  it("is text with the reason, a hint and the request id", async () => {
    api.respondWith(errorReply(401, "UNAUTHORIZED: the key has expired"))
    const { exitCode, stderr, stdout } = await get()
    assert.deepStrictEqual([exitCode, stdout], [4, ""])
    assert.match(stderr, /^error: .*the key has expired/)
    assert.match(stderr, /^ {2}GET \/v1\/.*, HTTP 401$/m)
    assert.include(stderr, `request id ${requestId}`)
    assert.match(stderr, /^hint: .*HEADGATE_KEY_SECRET/m)
  })

  it("403 of a key names the permission, the roles of the key, and what else can be the cause", async () => {
    for (const [whoami, held] of [
      [{ status: 200, body: { status: 200, requestId, result: { roles: ["developer"] } } }, "The key has developer. "],
      [{ status: 200, body: { status: 200, requestId, result: { roles: [] } } }, "The key has no roles. "],
      // A service that does not know the operation.
      [errorReply(404, "NOT_FOUND: no"), ""]
    ] as const) {
      api.respondWith(({ path }) => (path === "/v1/whoami" ? whoami : errorReply(403, "FORBIDDEN: no")))
      const { exitCode, stderr } = await headgate(["pipe", "stop", pipeId], { env: everything(api.url) })
      assert.strictEqual(exitCode, 4)
      assert.include(
        stderr,
        `hint: The request needs the permission pipe:update, which admin has. ${held}The roles of the key, its IP access list or --organization can be the cause`
      )
    }
  })

  it("403 of a token names what can be the cause", async () => {
    api.respondWith(errorReply(403, "FORBIDDEN: no"))
    const { exitCode, stderr } = await headgate(["dashboard", "list"], { env: everything(api.url) })
    assert.strictEqual(exitCode, 4)
    assert.include(stderr, "hint: The role of the token's owner or an IP access list can be the cause")
    assert.lengthOf(api.received, 1)
  })

  it("403 of a token for charts names the grant that it may lack", () => {
    const hint = forbiddenHint({ method: "POST", path: "/api/v2/charts/query" }, undefined)
    assert.include(hint, "older than the permission chart:query gets it with 'headgate-server token grant'")
    assert.notInclude(forbiddenHint({ method: "GET", path: "/api/v2/dashboards" }, undefined), "grant")
  })

  it("names the request id in its hint only if there is one", async () => {
    api.respondWith(errorReply(500, "INTERNAL_ERROR: oops"))
    assert.include((await get()).stderr, "send the request id to the operator")
    api.respondWith({ status: 500, body: "oops" })
    assert.include((await get()).stderr, "hint: If it persists, tell the operator of the service when it happened.")
  })

  it("has the number of attempts", async () => {
    api.respondWith({ ...errorReply(503, "UNAVAILABLE: later"), headers: { "retry-after": "0" } } as ReturnType<
      typeof errorReply
    >)
    const run = await headgate(["pipe", "get", pipeId, "--max-retries", "1", "--json"], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, JSON.parse(run.stderr).error.attempts, api.received.length], [1, 2, 2])
  })

  it("cannot control the terminal", async () => {
    api.respondWith(errorReply(409, "CONFLICT: \u001b]0;owned\u0007"))
    const run = await get()
    // oxlint-disable-next-line no-control-regex
    assert.notMatch(run.stderr, /[\u0000-\u0009\u000b-\u001f]/)
  })
})

describe("no response", () => {
  it("because nothing listens ends with 1", async () => {
    const run = await get(["--json"], { HEADGATE_URL: unreachable })
    assert.deepStrictEqual([run.exitCode, run.stdout], [1, ""])
    assert.strictEqual(JSON.parse(run.stderr).error.tag, "ConnectionError")
  })

  it("within --timeout ends with 8", async () => {
    api.respondWith(undefined)
    const run = await get(["--timeout", "300ms", "--json"])
    assert.deepStrictEqual([run.exitCode, run.stdout], [8, ""])
    assert.strictEqual(JSON.parse(run.stderr).error.tag, "TimeoutError")
  })

  it("before Ctrl-C ends with 130 and prints nothing", async () => {
    let stop = (): void => {}
    api.respondWith(() => {
      stop()
      return undefined
    })
    const run = await headgateProcess(["pipe", "get", pipeId], {
      env: everything(api.url),
      onStart: (kill) => (stop = () => kill("SIGINT"))
    })
    assert.deepStrictEqual(run, { exitCode: 130, stdout: "", stderr: "" })
  })
})

describe("secrets", () => {
  it("are in no output, for any error and at any log level", async () => {
    // A service that echoes the request.
    api.respondWith(({ headers, path }) => errorReply(400, `BAD_REQUEST: ${path} ${JSON.stringify(headers)}`))
    const commands: ReadonlyArray<ReadonlyArray<string>> = [
      ["pipe", "get", pipeId],
      ["pipe", "delete", pipeId, "--yes"],
      ["key", "create", "--name", "x", "--role", "admin"],
      ["dashboard", "list"],
      ["dashboard", "create", "--name", "x"],
      ["pipe", "get", "nonsense"],
      ["--help"]
    ]
    const encoded = Buffer.from(`keyOfTheTests:${secrets.keySecret}`).toString("base64")
    for (const command of commands) {
      for (const more of [[], ["--json"], ["--log-level", "all"]]) {
        const { stderr, stdout } = await headgate([...command, ...more], { env: everything(api.url) })
        for (const secret of [secrets.keySecret, secrets.token, encoded]) {
          assert.notInclude(stdout + stderr, secret, command.join(" "))
        }
      }
    }
  }, 60_000)

  it("are left out of what --verbose prints: attempts, pauses, status and request id", async () => {
    api.respondWith({ ...errorReply(503, "UNAVAILABLE: later"), headers: { "x-request-id": requestId } } as ReturnType<
      typeof errorReply
    >)
    const { stderr } = await headgate(["pipe", "get", pipeId, "--verbose", "--max-retries", "1"], {
      env: everything(api.url)
    })
    assert.lengthOf(stderr.match(/^debug: GET http:.* 503 \d+ms request id [0-9a-f-]{36}$/gm) ?? [], 2)
    assert.match(stderr, /^debug: retry 1 in \d+.*: /m)
    for (const secret of Object.values(secrets)) assert.notInclude(stderr, secret)
  })

  it("are left out of what --verbose prints if the service sends them back as the request id", async () => {
    api.respondWith(({ headers }) => ({
      status: 400,
      body: { status: 400, error: "BAD_REQUEST: no" },
      headers: { "x-request-id": headers.authorization ?? "" }
    }))
    const { stderr } = await headgate(["pipe", "get", pipeId, "--verbose"], { env: everything(api.url) })
    assert.match(stderr, /^debug: GET http:.* 400 \d+ms$/m)
    const credentials = Buffer.from(`keyOfTheTests:${secrets.keySecret}`).toString("base64")
    assert.include(api.received[0]?.headers.authorization, credentials)
    assert.notInclude(stderr, credentials)
  })

  it("are left out of the requests that --log-level debug prints to stderr", async () => {
    api.respondWith({ status: 200, body: { data: [] } })
    const run = await headgateProcess(["dashboard", "list", "--json", "--log-level", "debug"], {
      env: everything(api.url)
    })
    assert.strictEqual(run.stdout, "[]\n")
    assert.match(run.stderr, /^debug: GET http:.*\/api\/v2\/dashboards 200 \d+ms$/m)
  })
})
