import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { enveloped, errorReply, service } from "./Service.ts"
import { everything, headgate, secrets } from "./headgate.ts"

const serviceUnderTest = service()
const api = (args: ReadonlyArray<string>, stdin = "") =>
  headgate(["api", ...args], { env: everything(serviceUnderTest.url), stdin })

const basic = `Basic ${Buffer.from(`keyOfTheTests:${secrets.keySecret}`).toString("base64")}`

describe("headgate api", () => {
  it("sends the key to /v1 and the token to /api/v2, and prints the body as it came", async () => {
    serviceUnderTest.respondWith({ status: 200, body: `{ "result": 1,  "unknown": [] }\n` })
    for (const [path, authorization] of [
      ["/v1/organizations?x=%2F&y=1", basic],
      ["/api/v2/dashboards", `Bearer ${secrets.token}`]
    ] as const) {
      const run = await api(["GET", path])
      assert.deepStrictEqual(run, { exitCode: 0, stdout: `{ "result": 1,  "unknown": [] }\n`, stderr: "" })
      assert.deepInclude(serviceUnderTest.received.at(-1), { method: "GET", path, body: "" })
      assert.strictEqual(serviceUnderTest.received.at(-1)?.headers.authorization, authorization)
    }
  })

  it("sends a text, a file or stdin as the body", async () => {
    serviceUnderTest.respondWith({ status: 201, body: "" })
    const file = join(mkdtempSync(join(tmpdir(), "headgate-api-")), "body.json")
    writeFileSync(file, `{"from":"file"}`)
    await api(["POST", "/v1/x", "--data", `{"from":"text"}`])
    await api(["PUT", "/v1/x", "--data", `@${file}`])
    await api(["PATCH", "/v1/x", "-d", "-", "--content-type", "text/csv"], "a,b\n1,2\n")
    assert.deepStrictEqual(
      serviceUnderTest.received.map(({ body, headers, method }) => [method, headers["content-type"], body]),
      [
        ["POST", "application/json", `{"from":"text"}`],
        ["PUT", "application/json", `{"from":"file"}`],
        ["PATCH", "text/csv", "a,b\n1,2\n"]
      ]
    )
  })

  it.each([
    [401, 4],
    [403, 4],
    [404, 5],
    [409, 1],
    [503, 1]
  ])(
    "ends a response with status %i with %i, prints its body, and sends no second request",
    async (status, exitCode) => {
      serviceUnderTest.respondWith(errorReply(status, "CODE: why"))
      const run = await api(["POST", "/v1/x", "--json"])
      assert.strictEqual(run.exitCode, exitCode)
      assert.strictEqual(JSON.parse(run.stdout).error, "CODE: why")
      assert.deepInclude(JSON.parse(run.stderr).error, { tag: "ResponseError", status, method: "POST", path: "/v1/x" })
      assert.lengthOf(serviceUnderTest.received, 1)
    }
  )

  it("follows no redirect", async () => {
    serviceUnderTest.respondWith({ status: 302, body: "", headers: { location: `${serviceUnderTest.url}/v1/other` } })
    const run = await api(["GET", "/v1/x", "--include"])
    assert.strictEqual(run.exitCode, 1)
    assert.match(run.stdout, /^HTTP 302\n/)
    assert.include(run.stdout, `location: ${serviceUnderTest.url}/v1/other\n`)
    assert.lengthOf(serviceUnderTest.received, 1)
  })

  it("prints the headers with --include, then the body", async () => {
    serviceUnderTest.respondWith(enveloped([]))
    const { stdout } = await api(["GET", "/v1/x", "-i"])
    assert.match(stdout, /^HTTP 200\n(.+: .+\n)+\n\{.*\}\n$/)
  })

  it.each([
    [["GET", "https://other.example/v1/x"], "/v1/"],
    [["GET", "/metrics"], "/v1/"],
    [["GET", "/v1/a b"], "/v1/"],
    [["get", "/v1/x"], "GET"],
    [["POST", "/v1/x", "--data", "@/does/not/exist"], "--data @/does/not/exist"]
  ])("refuses %j and sends nothing", async (args, words) => {
    const run = await api(args)
    assert.deepStrictEqual([run.exitCode, run.stdout], [2, ""])
    assert.include(run.stderr, words)
    assert.lengthOf(serviceUnderTest.received, 0)
  })

  it("names the settings that are missing", async () => {
    const run = await headgate(["api", "GET", "/api/v2/dashboards"], { env: { HEADGATE_URL: serviceUnderTest.url } })
    assert.strictEqual(run.exitCode, 2)
    assert.include(run.stderr, "HEADGATE_TOKEN")
  })
})
