import { assert, describe, it } from "vitest"
import { enveloped, errorReply, service } from "./Service.ts"
import { everything, headgate, organization, pipeId, serviceId } from "./headgate.ts"
import { connectionString, wholePipe } from "./wholePipe.ts"

const api = service()

describe("headgate pipe list", () => {
  it("prints a table without secrets or control characters", async () => {
    const kafka = { id: pipeId, serviceId, name: "orders\u001b[2J", state: "Running", source: { kafka: {} } }
    api.respondWith(({ path }) => (path.endsWith("/statuses") ? errorReply(404, "no") : enveloped([kafka])))
    const run = await headgate(["pipe", "list"], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
    assert.match(run.stdout, /^ID +STATE +SOURCE +NAME\n/)
    assert.include(run.stdout, pipeId)
    assert.include(run.stdout, "kafka")
    assert.notInclude(run.stdout, "\u001b")
  })

  it.each([
    ["neutral", "db_", "dbpipes"],
    ["clickhouse", "clickhouse_", "clickpipes"]
  ] as const)("--json prints the documents of the service, leaf for leaf, in %s", async (dialect, prefix, segment) => {
    api.respondWith(enveloped([wholePipe(prefix)]))
    const run = await headgate(["pipe", "list", "--json", "--dialect", dialect], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
    assert.deepStrictEqual(JSON.parse(run.stdout), [wholePipe(prefix)])
    assert.include(run.stdout, connectionString)
    assert.deepStrictEqual(
      api.received.map(({ method, path }) => `${method} ${path}`),
      [`GET /v1/organizations/${organization}/services/${serviceId}/${segment}`]
    )
  })

  it("prints what cannot be read with --json, and a warning on stderr", async () => {
    const odd = [wholePipe("db_"), { ...wholePipe("db_"), state: 7 }]
    api.respondWith(enveloped(odd))
    const run = await headgate(["pipe", "list", "--json"], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, JSON.parse(run.stdout)], [0, odd])
    assert.match(
      run.stderr,
      /^warning: GET .*: left out 1 of 2 elements, which cannot be read: result\[1\]\.state: .*\n$/
    )
  })

  it("notes on stderr that the service has no pipes", async () => {
    api.respondWith(enveloped([]))
    const run = await headgate(["pipe", "list"], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stdout.trim()], [0, ""])
    assert.include(run.stderr, "no pipes")
  })

  it("shows rows a second, lag and errors of pipes that move rows, from one request more", async () => {
    const pipes = ["a", "b"].map((digit, index) => ({
      ...wholePipe("db_"),
      id: `${pipeId.slice(0, -1)}${digit}`,
      name: `pipe ${index}`
    }))
    const moved = {
      id: pipes[0]?.id,
      state: "Running",
      simulated: false,
      rowsPerSecond: 1234,
      lag: 5_000_000,
      errors: 7
    }
    const simulated = { id: pipes[1]?.id, state: "Running", simulated: true }
    api.respondWith(({ path }) => enveloped(path.endsWith("/statuses") ? [moved, simulated] : pipes))
    const run = await headgate(["pipe", "list"], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
    const [head = "", first = "", second = ""] = run.stdout.split("\n")
    assert.match(head, /^ID +STATE +SOURCE +NAME +ROWS\/S +LAG +ERRORS$/)
    assert.match(first, / pipe 0 +1,234 +5,000,000 +7$/)
    assert.match(second, / pipe 1\s*$/)
    assert.deepStrictEqual(
      api.received.map(({ path }) => path.split("/").at(-1)),
      ["dbpipes", "statuses"]
    )
    await headgate(["pipe", "list", "--fields", "name"], { env: everything(api.url) })
    assert.lengthOf(api.received, 3)
  })

  it.each([
    [404, ""],
    [400, ""],
    [403, ""],
    [500, "warning: without rows a second, lag and errors: "]
  ])("lists the pipes where their statuses are answered %i", async (status, warning) => {
    api.respondWith(({ path }) =>
      path.endsWith("/statuses") ? errorReply(status, "no") : enveloped([wholePipe("db_")])
    )
    const run = await headgate(["pipe", "list", "--max-retries", "0"], { env: everything(api.url) })
    assert.strictEqual(run.exitCode, 0)
    assert.match(run.stdout, /^ID +STATE +SOURCE +NAME\n/)
    assert.include(run.stdout, pipeId)
    if (warning === "") assert.strictEqual(run.stderr, "")
    else assert.include(run.stderr, warning)
  })

  it("exits with 5 for an unknown service", async () => {
    api.respondWith(errorReply(404, "NOT_FOUND: the organization has no such service"))
    const run = await headgate(["pipe", "list"], { env: everything(api.url) })
    assert.strictEqual(run.exitCode, 5)
    assert.include(run.stderr, "--service")
  })
})
