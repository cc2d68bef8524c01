import { execFile, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { examples, neutral } from "@headgate/http-contract"
import { assert, describe, it } from "vitest"
import { enveloped, service } from "./Service.ts"
import { everything, headgate, organization, pipeId, secrets, serviceId } from "./headgate.ts"

const api = service()
const folder = mkdtempSync(join(tmpdir(), "headgate-dry-"))

const dry = (args: ReadonlyArray<string>) => headgate([...args, "--dry-run"], { env: everything(api.url) })

const file = (name: string, content: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(content))
  return path
}

const pipeFile = file("pipe.json", examples(neutral).pipe.create.payload)
const dashboardFile = file("dashboard.json", { name: "it's", tiles: [], tags: [] })
const apiKey = { id: pipeId, name: "ci", roles: ["developer"], state: "enabled" }
const inService = `/v1/organizations/${organization}/services/${serviceId}`

describe("--dry-run prints the request as a curl command and sends nothing that changes something", () => {
  it.each<[ReadonlyArray<string>, string]>([
    [["pipe", "create", "--file", pipeFile], `POST '%${inService}/dbpipes'`],
    [
      ["pipe", "update", pipeId, "--file", file("changes.json", { name: "x" })],
      `PATCH '%${inService}/dbpipes/${pipeId}'`
    ],
    [["pipe", "delete", pipeId], `DELETE '%${inService}/dbpipes/${pipeId}'`],
    [["pipe", "stop", pipeId], `PATCH '%${inService}/dbpipes/${pipeId}/state'`],
    [["pipe", "scale", pipeId, "--replicas", "2"], `PATCH '%${inService}/dbpipes/${pipeId}/scaling'`],
    [["service", "stop"], `PATCH '%${inService}/state'`],
    [["key", "create", "--name", "x", "--role", "admin"], `POST '%/v1/organizations/${organization}/keys'`],
    [["key", "update", pipeId, "--name", "x"], `PATCH '%/v1/organizations/${organization}/keys/${pipeId}'`],
    [["key", "rotate", pipeId], `POST '%/v1/organizations/${organization}/keys'`],
    [["key", "delete", pipeId], `DELETE '%/v1/organizations/${organization}/keys/${pipeId}'`],
    [["dashboard", "create", "--file", dashboardFile], "POST '%/api/v2/dashboards'"],
    [["api", "DELETE", "/v1/x"], "DELETE '%/v1/x'"]
  ])("%j", async (args, request) => {
    api.respondWith(enveloped(apiKey))
    const run = await dry(args)
    assert.strictEqual(run.exitCode, 0, run.stderr)
    const expected = request.replace("%", api.url)
    assert.isTrue(run.stdout.startsWith(`curl -X ${expected} \\\n`), run.stdout)
    const credentials = request.includes("/api/v2")
      ? `-H "Authorization: Bearer $HEADGATE_TOKEN"`
      : `-u "$HEADGATE_KEY_ID:$HEADGATE_KEY_SECRET"`
    assert.include(run.stdout, credentials)
    for (const secret of Object.values(secrets)) assert.notInclude(run.stdout + run.stderr, secret)
    assert.isEmpty(api.received.filter(({ method }) => method !== "GET"))
  })

  it("without the secrets of the body", async () => {
    const source = {
      kafka: {
        type: "kafka",
        format: "JSONEachRow",
        brokers: "a:9092",
        topics: "t",
        authentication: "PLAIN",
        credentials: { username: "u", password: "s3cr3t-of-the-broker" }
      }
    }
    const run = await dry(["api", "POST", `${inService}/dbpipes`, "--data", JSON.stringify({ name: "x", source })])
    assert.notInclude(run.stdout, "s3cr3t")
    assert.include(run.stdout, `"credentials":"<redacted>"`)
  })

  it("and sends reads", async () => {
    api.respondWith(enveloped([]))
    const run = await dry(["api", "GET", "/v1/organizations"])
    assert.strictEqual(run.exitCode, 0)
    assert.include(run.stdout, `"result":[]`)
  })

  it("without making a secret file", async () => {
    api.respondWith(enveloped(apiKey))
    const secretFile = join(folder, "never.env")
    assert.strictEqual((await dry(["key", "rotate", pipeId, "--credentials-file", secretFile])).exitCode, 0)
    assert.isFalse(existsSync(secretFile))
  })
})

it.skipIf(spawnSync("curl", ["--version"]).error !== undefined)(
  "the curl command sends what headgate sends",
  async () => {
    api.respondWith({ status: 200, body: { data: { id: "d1", name: "it's", tiles: [], tags: [] } } })
    const create = ["dashboard", "create", "--file", dashboardFile]
    const { stdout } = await dry(create)
    const env = { PATH: process.env["PATH"], ...everything(api.url) }
    await promisify(execFile)("sh", ["-c", stdout], { env })
    await headgate(create, { env: everything(api.url) })
    const [byCurl, byHeadgate] = api.received.map(({ body, headers, method, path }) => ({
      method,
      path,
      body: JSON.parse(body),
      authorization: headers.authorization,
      contentType: headers["content-type"]
    }))
    assert.lengthOf(api.received, 2)
    assert.deepStrictEqual(byCurl, byHeadgate)
  }
)
