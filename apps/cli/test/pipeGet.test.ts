import { assert, describe, it } from "vitest"
import { enveloped, errorReply, requestId, service } from "./Service.ts"
import { everything, headgate, organization, pipeId, serviceId } from "./headgate.ts"
import { connectionString, wholePipe } from "./wholePipe.ts"

const api = service()

describe("headgate pipe get", () => {
  it.each([
    ["neutral", "db_", "dbpipes"],
    ["clickhouse", "clickhouse_", "clickpipes"]
  ] as const)("--json prints the document of the service, leaf for leaf, in %s", async (dialect, prefix, segment) => {
    const document = wholePipe(prefix)
    api.respondWith(enveloped(document))
    const run = await headgate(["pipe", "get", pipeId, "--json", "--dialect", dialect], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
    assert.deepStrictEqual(JSON.parse(run.stdout), document)
    assert.deepStrictEqual(
      api.received.map(({ method, path }) => `${method} ${path}`),
      [`GET /v1/organizations/${organization}/services/${serviceId}/${segment}/${pipeId}`]
    )
  })

  it("prints every field, but no secret and no control character", async () => {
    api.respondWith(enveloped(wholePipe("db_")))
    const run = await headgate(["pipe", "get", pipeId], { env: everything(api.url) })
    assert.strictEqual(run.exitCode, 0)
    assert.strictEqual(run.stderr, "")
    for (const line of [
      "name           orders",
      "state          Hibernating",
      "createdAt      2026-01-02T03:04:05Z",
      "    connectionString    <redacted>",
      "    credentials                <redacted>",
      "    caCertificate              -----BEGIN CERTIFICATE----- ... (3 lines)",
      "  db_not_known_yet                       kept",
      "  order_id     id",
      "    iamRole             null"
    ]) {
      assert.include(run.stdout.split("\n"), line)
    }
    assert.notInclude(run.stdout, connectionString)
    assert.notInclude(run.stdout, "s3cr3t")
    // oxlint-disable-next-line no-control-regex
    assert.notMatch(run.stdout, /[\u0000-\u0009\u000b-\u001f]/)
  })

  it("prints settings with the names of the dialect", async () => {
    api.respondWith(enveloped(wholePipe("clickhouse_")))
    const env = { ...everything(api.url), HEADGATE_DIALECT: "clickhouse" }
    const run = await headgate(["pipe", "get", pipeId], { env })
    assert.match(run.stdout, /^ {2}clickhouse_max_threads +4$/m)
    assert.notMatch(run.stdout, /\bdb_/)
  })

  it("prints a pipe with four fields", async () => {
    api.respondWith(enveloped({ id: pipeId, serviceId, name: "n", state: "Running" }))
    const run = await headgate(["pipe", "get", pipeId], { env: everything(api.url) })
    assert.strictEqual(run.stdout, `name       n\nstate      Running\nid         ${pipeId}\nserviceId  ${serviceId}\n`)
  })

  /** A server that tells versions, and how a pipe moves: `undefined` is a 404. */
  const respondWithStatus = (status: object | undefined) =>
    api.respondWith(({ path }) => {
      if (!path.endsWith("/status")) {
        return { ...enveloped({ id: pipeId, serviceId, name: "n", state: "Running" })!, headers: { etag: '"3"' } }
      }
      return status === undefined ? errorReply(404, "NOT_FOUND: no such operation") : enveloped(status)
    })
  const moved = {
    state: "Running",
    message: null,
    simulated: false,
    guarantee: "exactly once",
    mover: "host-1:4711",
    rows: 990,
    lag: 10,
    errors: 1,
    unknownFields: [{ name: "note", rows: 3 }],
    warnings: ["column note\u001b[2J is not copied"]
  }

  it("shows how a pipe moves its rows, by one more request", async () => {
    respondWithStatus(moved)
    const run = await headgate(["pipe", "get", pipeId], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stderr, api.received.length], [0, "", 2])
    const lines = run.stdout.split("\n").map((line) => line.trimEnd().replace(/ {2,}/g, "  "))
    for (const line of ["movement", "  simulated  false", "  lag  10", "  rows  990", "  errors  1", "  note  3"]) {
      assert.include(lines.join("\n"), line)
    }
    assert.notInclude(run.stdout, "message")
    assert.notInclude(run.stdout, "\u001b")
  })

  it.each([["--json"], ["--output", "yaml"]])("asks once with %s, and prints the pipe alone", async (...flags) => {
    respondWithStatus(moved)
    const run = await headgate(["pipe", "get", pipeId, ...flags], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, api.received.length], [0, 1])
    assert.notInclude(run.stdout, "lag")
  })

  it.each([
    ["a simulated pipe", { ...moved, simulated: true }],
    ["a service that cannot tell", undefined]
  ])("shows the pipe alone for %s", async (_, status) => {
    respondWithStatus(status)
    const run = await headgate(["pipe", "get", pipeId], { env: everything(api.url) })
    assert.strictEqual(run.stdout, `name       n\nstate      Running\nid         ${pipeId}\nserviceId  ${serviceId}\n`)
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
  })

  it("asks a service without versions once", async () => {
    api.respondWith(enveloped({ id: pipeId, serviceId, name: "n", state: "Running" }))
    assert.strictEqual((await headgate(["pipe", "get", pipeId], { env: everything(api.url) })).exitCode, 0)
    assert.lengthOf(api.received, 1)
  })

  it("ends with 5 if there is no such pipe, and prints the request", async () => {
    api.respondWith(errorReply(404, "NOT_FOUND: no such pipe"))
    const run = await headgate(["pipe", "get", pipeId], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stdout], [5, ""])
    assert.match(run.stderr, /^error: .*6f1c2d3e/)
    assert.include(
      run.stderr,
      `GET /v1/organizations/${organization}/services/${serviceId}/dbpipes/${pipeId}, HTTP 404`
    )
    assert.include(run.stderr, `request id ${requestId}`)
    assert.match(run.stderr, /^hint: /m)
  })

  it("rejects an empty id and sends nothing", async () => {
    const run = await headgate(["pipe", "get", ""], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stdout, api.received.length], [2, "", 0])
    assert.include(run.stderr, 'Invalid value for argument <pipe-id>: "". Expected an id or a name')
  })
})
