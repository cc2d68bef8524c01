import { readdirSync, readFileSync, statSync } from "node:fs"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { headgate } from "./headgate.ts"
import { type LocalServer, startLocalServer } from "./localServer.ts"
import { kafkaPipe, key, postgresPipe, resourceDirectory } from "./resourceDirectory.ts"

const brokerPassword = "s3cr3t-of-the-broker"
const shopPassword = "s3cr3t-of-the-shop"
const bucketSecret = "s3cr3t-of-the-bucket"

interface Sent {
  readonly method: string
  readonly path: string
  readonly authorization: string
  /** The headers and the body, without the credentials of the caller. */
  readonly rest: string
}

let server: LocalServer
const files = resourceDirectory()
const sent: Array<Sent> = []

/** Stands between headgate and the server, and keeps what is sent. */
const proxy = createServer((received: IncomingMessage, response: ServerResponse) => {
  const chunks: Array<Buffer> = []
  received.on("data", (chunk: Buffer) => chunks.push(chunk))
  received.on("end", () => {
    const { method = "", url = "" } = received
    const { authorization = "", ...headers } = received.headers
    const body = Buffer.concat(chunks)
    sent.push({ method, path: url, authorization, rest: `${url} ${JSON.stringify(headers)} ${String(body)}` })
    const forwarded = request(new URL(url, server.url), { method, headers: received.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    forwarded.end(body)
  })
})
beforeAll(async () => {
  server = await startLocalServer()
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
})
afterAll(async () => {
  files.clear({ again: false })
  proxy.closeAllConnections()
  proxy.close()
  await server.stop()
})
beforeEach(async () => {
  await server.reset()
  files.clear({ again: true })
  sent.splice(0)
})

const env = () => {
  const { port } = proxy.address() as AddressInfo
  return { ...server.env, HEADGATE_URL: `http://127.0.0.1:${port}`, ORDERS_PASSWORD: brokerPassword }
}
const keySecret = () => server.env["HEADGATE_KEY_SECRET"] ?? ""

const foreign = "${env:HEADGATE_KEY_SECRET} ${file:shop.secret}"
const foreignDashboard = JSON.stringify({
  name: foreign,
  tags: ["${env:ORDERS_PASSWORD}"],
  tiles: [{ name: foreign, x: 0, y: 0, w: 24, h: 2, series: [{ type: "markdown", content: foreign, where: foreign }] }]
})
const bucketPipe = `name: bucket
source:
  objectStorage:
    type: azureblobstorage
    format: JSONEachRow
    authentication: CONNECTION_STRING
    connectionString: \${file:bucket.secret}
    path: a/*.json
    azureContainerName: \${env:HEADGATE_KEY_SECRET}
destination: { database: analytics, table: bucket, managedTable: true, columns: [{ name: id, type: UInt64 }] }
`

const writeAll = () => {
  files.write("orders.pipe.yaml", kafkaPipe.replace("topics: orders", `topics: "${foreign}"`))
  files.write("shop.pipe.yaml", postgresPipe("orders"))
  files.write("shop.secret", shopPassword)
  files.write("bucket.pipe.yaml", bucketPipe)
  files.write("bucket.secret", bucketSecret)
  files.write("ci.key.yaml", key.replace("description: office", 'description: "${env:HEADGATE_KEY_SECRET}"'))
  files.write("foreign.dashboard.json", foreignDashboard)
}

/** Every file below a directory, by its name there. */
const textsIn = (directory: string): ReadonlyArray<readonly [string, string]> =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(directory, name)).isFile())
    .map((name) => [name, readFileSync(join(directory, name), "utf8")])

const run = async (args: ReadonlyArray<string>, expected = 0) => {
  const { exitCode, stderr, stdout } = await headgate(args, { env: env() })
  assert.strictEqual(exitCode, expected, stderr)
  return stdout + stderr
}

describe("the secrets of files", () => {
  it("are in the requests that need them, and in no output, no other file and no other request", async () => {
    writeAll()
    const exported = join(files.directory, "exported")
    const inDirectory = ["-f", files.directory, "--secrets-dir", files.secrets, "--yes", "--verbose"]
    let output = ""
    for (const [args, exitCode] of [
      [["diff", "-f", files.directory, "--verbose"], 3],
      [["diff", "-f", files.directory, "--json"], 3],
      [["apply", ...inDirectory, "--dry-run"], 3],
      [["apply", ...inDirectory], 0],
      [["apply", ...inDirectory, "--send-secrets", "--json"], 0],
      [["export", "--dir", files.directory, "--verbose"], 0],
      [["export", "--dir", exported, "--verbose"], 0],
      [["export", "--dir", join(exported, "json"), "--format", "json", "--json"], 0],
      [["diff", "-f", exported, "--output", "yaml"], 0]
    ] as const) {
      output += await run(args, exitCode)
    }
    // What only the files of the secrets and of the new key may hold.
    const credentials = JSON.parse(readFileSync(join(files.secrets, "ci.json"), "utf8"))
    const secrets = [keySecret(), brokerPassword, shopPassword, bucketSecret, credentials.keySecret]
    for (const secret of secrets) assert.notInclude(output, secret)

    const holders = textsIn(join(files.directory, "..")).filter(([, text]) => secrets.some((one) => text.includes(one)))
    assert.deepStrictEqual(holders.map(([name]) => name).toSorted(), [
      "files/bucket.secret",
      "files/shop.secret",
      "secrets/ci.json"
    ])
    assert.strictEqual(statSync(join(files.secrets, "ci.json")).mode & 0o777, 0o600)

    const withSecret = (secret: string) =>
      sent
        .filter(({ rest }) => rest.includes(secret))
        .map(({ method, path }) => `${method} ${path.replace(/.*dbpipes(\/[^/]*)?$/, "pipe")}`)
    assert.deepStrictEqual(withSecret(brokerPassword), ["POST pipe", "PATCH pipe"])
    assert.deepStrictEqual(withSecret(shopPassword), ["POST pipe", "PATCH pipe"])
    assert.deepStrictEqual(withSecret(bucketSecret), ["POST pipe", "PATCH pipe"])
    assert.deepStrictEqual([withSecret(keySecret()), withSecret(credentials.keySecret)], [[], []])
    const login = Buffer.from(`${server.env["HEADGATE_KEY_ID"]}:${keySecret()}`).toString("base64")
    assert.deepStrictEqual([...new Set(sent.map(({ authorization }) => authorization))], [`Basic ${login}`])
  })

  it("are where the service was given them, and references elsewhere are text", async () => {
    writeAll()
    await run(["apply", "-f", files.directory, "--secrets-dir", files.secrets, "--yes"])
    const bodies = sent.map(({ rest }) => rest).join("\n")
    assert.include(bodies, `"credentials":{"username":"headgate","password":"${brokerPassword}"}`)
    assert.include(bodies, `"connectionString":"${bucketSecret}"`)
    assert.include(bodies, `"azureContainerName":"\${env:HEADGATE_KEY_SECRET}"`)
    assert.include(bodies, JSON.stringify(foreign))
    const [dashboard] = JSON.parse((await headgate(["dashboard", "list", "--json"], { env: env() })).stdout)
    assert.deepInclude(dashboard.tiles[0], { name: foreign })
  })

  it.each(["HEADGATE_KEY_SECRET", "HEADGATE_TOKEN"])("are never %s, also in a credential field", async (name) => {
    files.write("orders.pipe.yaml", kafkaPipe.replace("ORDERS_PASSWORD", name))
    const output = await run(["apply", "-f", files.directory, "--yes"], 2)
    assert.include(output, `source.kafka.credentials.password: ${name} is a credential of headgate itself`)
    assert.isTrue(sent.every(({ method }) => method === "GET"))
  })

  it("in clear in a file are in no output, also if the file is wrong", async () => {
    const clear = kafkaPipe.replace("${env:ORDERS_PASSWORD}", brokerPassword)
    files.write("orders.pipe.yaml", clear)
    let output = await run(["diff", "-f", files.directory, "--verbose"], 3)
    output += await run(["apply", "-f", files.directory, "--yes", "--verbose"])
    files.edit("orders.pipe.yaml", "topics: orders", `topics: o\n    extra: { apiSecret: ${brokerPassword} }`)
    output += await run(["diff", "-f", files.directory, "--json"], 3)
    // The server refuses the field, and nothing repeats its value.
    const refused = await run(["apply", "-f", files.directory, "--yes", "--send-secrets", "--verbose"], 1)
    assert.include(refused, "source.kafka.extra: Unknown field")
    output += refused
    for (const [name, text] of [
      ["orders.pipe.yaml", clear.replace(brokerPassword, `${brokerPassword}: [`)],
      ["orders.pipe.yaml", clear.replace(`password: ${brokerPassword}`, `password: [${brokerPassword}]`)],
      ["orders.pipe.yaml", clear.replace("username: headgate", "- username")],
      ["orders.pipe.json", `{"password": ${brokerPassword}}`]
    ] as const) {
      files.clear({ again: true })
      files.write(name, text)
      output += await run(["diff", "-f", files.directory], 2)
    }
    // Not even a part.
    assert.notInclude(output, brokerPassword.slice(0, 6))
  })

  it("that are not files are an error", async () => {
    writeAll()
    files.edit("shop.pipe.yaml", "shop.secret", "/dev/zero")
    assert.include(
      await run(["apply", "-f", files.directory, "--yes", "--secrets-dir", files.secrets], 2),
      "is not a file"
    )
  })
})
