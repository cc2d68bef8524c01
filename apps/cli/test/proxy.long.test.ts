import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { type AddressInfo, connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { generate } from "selfsigned"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { everything, headgateProcess, secrets } from "./headgate.ts"

const whoami = { status: 200, requestId: "1", result: { organizationId: "5d0f1c8e-2b7a-4c39-9a61-0e3f4b7d2c11" } }
const directory = mkdtempSync(join(tmpdir(), "headgate-"))
const ca = join(directory, "ca.pem")
const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
  extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }]
})
writeFileSync(ca, cert)

const received: Array<{ authorization: string | undefined; port: number | undefined }> = []
const secure = createTlsServer({ cert, key }, ({ headers, socket }, response) => {
  received.push({ authorization: headers.authorization, port: socket.remotePort })
  response.end(JSON.stringify(whoami))
})

/** What the proxy was asked for, and the ports from which it connected. */
const seen: Array<string> = []
const ports = new Set<number | undefined>()
let requiresPassword = false
const proxy = createServer((request, response) => {
  seen.push(`${request.method} ${request.url}`)
  response.writeHead(502).end()
}).on("connect", ({ url = "" }, socket, head) => {
  seen.push(`CONNECT ${url}`)
  if (requiresPassword) return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
  const [host, port] = url.split(":")
  const upstream = connect(Number(port), host, () => {
    ports.add(upstream.localPort)
    socket.write("HTTP/1.1 200 OK\r\n\r\n")
    upstream.write(head)
    upstream.pipe(socket).pipe(upstream)
  })
  for (const end of [upstream, socket]) end.on("error", () => [upstream, socket].forEach((one) => one.destroy()))
})

const listen = (server: Server) =>
  new Promise<void>((resolve) => server.listen(0, "localhost", resolve)).then(() => server.address() as AddressInfo)
let url = ""
let proxyUrl = ""

beforeAll(async () => {
  url = `https://localhost:${(await listen(secure)).port}`
  proxyUrl = `http://localhost:${(await listen(proxy)).port}`
})
beforeEach(() => {
  received.length = 0
  seen.length = 0
  requiresPassword = false
})
afterAll(() => {
  for (const server of [secure, proxy]) {
    server.closeAllConnections()
    server.close()
  }
  rmSync(directory, { recursive: true })
})

const run = (env: Record<string, string>) =>
  headgateProcess(["whoami", "--json"], { env: { ...everything(url), NODE_EXTRA_CA_CERTS: ca, ...env } })

describe("HTTPS_PROXY", () => {
  it.each(["HTTPS_PROXY", "https_proxy"])("%s tunnels requests, which the proxy cannot read", async (name) => {
    const { exitCode, stderr } = await run({ [name]: proxyUrl })
    assert.strictEqual(stderr, "")
    assert.strictEqual(exitCode, 0)
    assert.deepStrictEqual(seen, [`CONNECT ${url.slice("https://".length)}`])
    assert.lengthOf(received, 1)
    assert.match(received[0]?.authorization ?? "", /^Basic /)
    assert.isTrue(ports.has(received[0]?.port))
  })

  it("is not used for the hosts of NO_PROXY", async () => {
    const { exitCode } = await run({ HTTPS_PROXY: proxyUrl, NO_PROXY: "localhost" })
    assert.strictEqual(exitCode, 0)
    assert.isEmpty(seen)
    assert.lengthOf(received, 1)
  })

  it("that wants a password fails the command, without a secret", async () => {
    requiresPassword = true
    const { exitCode, stderr } = await run({ HTTPS_PROXY: proxyUrl })
    assert.strictEqual(exitCode, 1)
    assert.match(stderr, /407/)
    assert.notInclude(stderr, secrets.keySecret)
    assert.isEmpty(received)
  })

  it("and HTTP_PROXY are not used for plain http, whose credentials the proxy could read", async () => {
    const { exitCode } = await run({
      HEADGATE_URL: url.replace("https", "http"),
      HTTP_PROXY: proxyUrl,
      HTTPS_PROXY: proxyUrl
    })
    assert.notStrictEqual(exitCode, 0)
    assert.isEmpty(seen)
  })
})

describe("a certificate of a private authority", () => {
  it("is accepted with NODE_EXTRA_CA_CERTS", async () => {
    assert.strictEqual((await run({})).exitCode, 0)
  })

  it("is refused without it, and the error says what to set", async () => {
    const { exitCode, stderr } = await run({ NODE_EXTRA_CA_CERTS: "" })
    assert.strictEqual(exitCode, 1)
    assert.include(stderr, "NODE_EXTRA_CA_CERTS")
    assert.isEmpty(received)
  })
})
