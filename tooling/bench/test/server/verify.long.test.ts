import { createServer, type RequestListener, type Server } from "node:http"
import { afterAll, assert, describe, it } from "vitest"
import { contestants } from "../../src/server/Contestant.ts"
import { verify } from "../../src/server/verify.ts"

const [fastify] = contestants
const start = () => fastify?.start({ isLogging: false, directory: "" })
// One for all tests: its start costs more than they do.
const shared = start()
const original = async () => ({ name: "fastify", url: (await shared)?.url ?? "" })
const servers: Array<Server> = []

afterAll(async () => {
  for (const server of servers) server.close()
  await (await shared)?.stop()
})

/** A proxy before Fastify that changes its answers. */
const before = async (name: string, change: (url: string) => RequestListener) => {
  const { url } = await original()
  const server = createServer(change(url)).listen(0, "127.0.0.1")
  servers.push(server)
  await new Promise((resolve) => server.once("listening", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return { name, url: `http://127.0.0.1:${address.port}` }
}

const pass =
  (
    alterText: (text: string) => string,
    alterHeaders: (headers: Record<string, string>) => Record<string, string> = (headers) => headers
  ) =>
  (url: string): RequestListener =>
  (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", async () => {
      const { authorization } = request.headers
      const answer = await fetch(new URL(request.url ?? "", url), {
        method: request.method ?? "GET",
        headers: authorization === undefined ? {} : { authorization },
        ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) })
      })
      const text = alterText(await answer.text())
      response.writeHead(answer.status, {
        ...alterHeaders(Object.fromEntries(answer.headers)),
        "content-length": Buffer.byteLength(text)
      })
      response.end(text)
    })
  }

const redness = (...names: Parameters<typeof verify>[0]): Promise<string> =>
  verify(names).then(
    () => "green",
    (error: unknown) => String(error)
  )

describe("contestants", () => {
  it("that give the same answers are accepted", async () => {
    const same = await start()
    assert.isDefined(same)
    assert.strictEqual(await redness(await original(), { name: "same", url: same.url }), "green")
    await same.stop()
  })

  it("that leave a field of the document out are reported", async () => {
    const lazy = await before(
      "lazy",
      pass((text) => text.replace('"managedTable":true,', ""))
    )
    assert.match(await redness(await original(), lazy), /lazy and fastify answer GET pipe differently/)
  })

  it("that leave a header out are reported", async () => {
    const bare = await before(
      "bare",
      pass(
        (text) => text,
        (headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "x-request-id"))
      )
    )
    assert.match(await redness(await original(), bare), /bare: GET pipe: the header x-request-id is ""/)
  })

  it("that accept a request without credentials are reported", async () => {
    const { url } = await original()
    const open = await before("open", () => (request, response) => {
      const { authorization } = request.headers
      if (authorization === undefined) response.writeHead(200, { "content-type": "application/json" }).end("{}")
      else pass((text) => text)(url)(request, response)
    })
    assert.match(await redness(open), /open: GET pipe, no credentials: 200, expected 401/)
  })
})
