import { assert, describe, it } from "vitest"
import { enveloped, service } from "./Service.ts"
import {
  everything,
  headgate,
  headgateProcess,
  organization,
  pipeId,
  secrets,
  serviceId,
  unreachable
} from "./headgate.ts"

const api = service()
const dashboards = service()

const pipe = enveloped({ id: pipeId, serviceId, name: "n", state: "Running" })

const basic = (keyId: string, secret: string): string => `Basic ${Buffer.from(`${keyId}:${secret}`).toString("base64")}`

const authorization = () => api.received[0]?.headers.authorization

describe("a setting", () => {
  it("is read from the environment or from its flag", async () => {
    api.respondWith(pipe)
    const fromEnvironment = await headgate(["pipe", "get", pipeId], { env: everything(api.url) })
    const fromFlags = await headgate([
      "--url=" + api.url,
      "pipe",
      "--organization",
      organization,
      "get",
      "--service",
      serviceId,
      pipeId,
      "--key-id=keyOfTheTests",
      "--key-secret",
      secrets.keySecret
    ])
    assert.deepStrictEqual([fromEnvironment.exitCode, fromFlags.exitCode], [0, 0])
    const [first, second] = api.received
    assert.deepStrictEqual([first?.path, first?.headers.authorization], [second?.path, second?.headers.authorization])
  })

  it("is that of its flag if both are given, before or after the command", async () => {
    api.respondWith(pipe)
    const env = { ...everything(unreachable), HEADGATE_SERVICE: organization, HEADGATE_DIALECT: "clickhouse" }
    const args = [
      "--url",
      api.url,
      "pipe",
      "get",
      pipeId,
      "--service",
      serviceId,
      "--dialect=neutral",
      "--key-id",
      "flag"
    ]
    const run = await headgate(args, { env })
    assert.strictEqual(run.exitCode, 0)
    assert.include(api.received[0]?.path ?? "", `/services/${serviceId}/dbpipes/`)
    assert.strictEqual(authorization(), basic("flag", secrets.keySecret))
  })

  it("that is missing is reported with its flag and its variable, together with all others", async () => {
    const run = await headgate(["pipe", "get", pipeId], { env: { HEADGATE_KEY_ID: "", HEADGATE_SERVICE: serviceId } })
    assert.deepStrictEqual([run.exitCode, run.stdout], [2, ""])
    assert.include(
      run.stderr,
      [
        "error: Missing settings. Give:",
        "  --url <url> or HEADGATE_URL",
        "  --key-id <id> or HEADGATE_KEY_ID",
        "  --key-secret <secret> or HEADGATE_KEY_SECRET"
      ].join("\n")
    )
    assert.notInclude(run.stderr, "HEADGATE_ORGANIZATION")
  })

  it.each<[ReadonlyArray<string>, ReadonlyArray<string>]>([
    [
      ["key", "create", "--name", "x", "--role", "admin"],
      ["--url", "--key-id", "--key-secret"]
    ],
    [
      ["dashboard", "list"],
      ["--observability-url", "--token"]
    ]
  ])("is required only by the commands that need it: %j", async (args, names) => {
    const run = await headgate([...args, "--json"])
    assert.strictEqual(run.exitCode, 2)
    const { error } = JSON.parse(run.stderr)
    assert.strictEqual(error.tag, "UsageError")
    for (const name of names) assert.include(error.message, name)
    assert.notInclude(error.message, "--service")
  })

  it.each<[string, Record<string, string>, ReadonlyArray<string>, string]>([
    ["an unknown dialect", { HEADGATE_DIALECT: "klingon" }, [], 'HEADGATE_DIALECT "klingon"'],
    ["an invalid URL", { HEADGATE_URL: "example.com" }, [], 'HEADGATE_URL "example.com": Expected a URL'],
    [
      "a URL with credentials",
      { HEADGATE_URL: "https://u:s3cr3t@example.com" },
      [],
      "HEADGATE_URL: Expected an origin"
    ],
    ["http to another host", { HEADGATE_URL: "http://api.example.com" }, [], "--allow-insecure-http"]
  ])("that is %s is reported with its source", async (_, env, args, words) => {
    const run = await headgate(["pipe", "get", pipeId, ...args], { env: { ...everything(api.url), ...env } })
    assert.deepStrictEqual([run.exitCode, run.stdout, api.received.length], [2, "", 0])
    assert.include(run.stderr, words)
    assert.notInclude(run.stderr, secrets.keySecret)
  })
})

describe("a secret", () => {
  it("is read from the first line of stdin, which may stay open", async () => {
    api.respondWith(pipe)
    const run = await headgateProcess(["pipe", "get", pipeId, "--key-secret", "-"], {
      env: everything(api.url),
      stdin: "hgs_from-stdin\r\nnot this\n",
      keepStdinOpen: true
    })
    assert.strictEqual(run.exitCode, 0)
    assert.strictEqual(authorization(), basic("keyOfTheTests", "hgs_from-stdin"))
  })

  it("is read from stdin for dashboards too", async () => {
    api.respondWith({ status: 200, body: { data: [] } })
    await headgate(["dashboard", "list", "--token=-"], { env: everything(api.url), stdin: "hgt_from-stdin" })
    assert.strictEqual(authorization(), "Bearer hgt_from-stdin")
  })

  it("that is missing on stdin is a usage error", async () => {
    const run = await headgate(["pipe", "get", pipeId, "--key-secret", "-"], { env: everything(api.url), stdin: "" })
    assert.deepStrictEqual([run.exitCode, run.stdout, api.received.length], [2, "", 0])
    assert.include(run.stderr, "--key-secret -")
  })

  it("that is a dash in the environment is not read from stdin", async () => {
    api.respondWith(pipe)
    const run = await headgate(["pipe", "get", pipeId], { env: { ...everything(api.url), HEADGATE_KEY_SECRET: "-" } })
    assert.strictEqual(run.exitCode, 0)
    assert.strictEqual(authorization(), basic("keyOfTheTests", "-"))
  })
})

describe("dashboards", () => {
  it("are requested from the management URL, unless --observability-url is set", async () => {
    api.respondWith({ status: 200, body: { data: [] } })
    dashboards.respondWith({ status: 200, body: { data: [] } })
    await headgate(["dashboard", "list"], { env: everything(api.url) })
    const env = { ...everything(api.url), HEADGATE_OBSERVABILITY_URL: dashboards.url }
    await headgate(["dashboard", "list"], { env })
    assert.deepStrictEqual([api.received.length, dashboards.received.length], [1, 1])
    await headgate(["dashboard", "list", "--observability-url", api.url], { env })
    assert.deepStrictEqual([api.received.length, dashboards.received.length], [2, 1])
    assert.strictEqual(dashboards.received[0]?.headers.authorization, `Bearer ${secrets.token}`)
  })
})
