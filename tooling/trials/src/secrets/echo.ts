import { createServer, type IncomingMessage, type ServerResponse } from "node:http"

/** All that a request told, in every way that a careless service might repeat it. */
const toldBy = (request: IncomingMessage, body: string): string => {
  const { authorization = "" } = request.headers
  const credentials = Buffer.from(authorization.split(" ")[1] ?? "", "base64").toString("utf8")
  return `you sent ${authorization}, that is ${credentials}, with ${body}`.replace(/[^\x20-\x7e]/g, "?")
}

type Mode = (response: ServerResponse, told: string) => void

const json = (response: ServerResponse, status: number, body: object, headers = {}) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))

/** Services that repeat what they were told, or break off. */
const modes = {
  "401-in-text": (response, told) => response.writeHead(401, { "x-request-id": told }).end(told),
  "400-in-json": (response, told) =>
    json(
      response,
      400,
      { status: 400, error: `BAD_REQUEST: ${told}`, message: told, requestId: told },
      { "x-request-id": told }
    ),
  "429-with-a-date": (response, told) => json(response, 429, { error: told, message: told }, { "retry-after": told }),
  "500-in-html": (response, told) =>
    response.writeHead(500, { "content-type": "text/html" }).end(`<html><title>${told}</title>${told}</html>`),
  redirect: (response, told) =>
    response.writeHead(302, { location: `http://127.0.0.1:1/${encodeURIComponent(told)}` }).end(told),
  "200-no-json": (response, told) =>
    response.writeHead(200, { "content-type": "application/json" }).end(`{"x":"${told}`),
  "200-misfit": (response, told) =>
    json(response, 200, { status: 200, requestId: 7, result: { keySecret: told, key: told }, data: told }),
  "cut-off": (response, told) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100000" })
    response.write(told, () => response.socket?.destroy())
  },
  reset: (response) => response.socket?.resetAndDestroy(),
  silence: () => undefined
} satisfies Record<string, Mode>

/** The names of what can go wrong: the first segment of a path says which. */
export const echoModes: ReadonlyArray<string> = Object.keys(modes)

/** Whether a call fails at it. A delete wants nothing of an answer but that it is a good one. */
export const isFailure = (call: string, mode: string): boolean =>
  mode !== "200-misfit" || !/^pipes?[ .]delete/.test(call)

/** A service that answers as the first segment of the path says. */
export const startEcho = async (): Promise<{ readonly url: string; readonly close: () => void }> => {
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const wanted = (request.url ?? "").split("/")[1]
      const mode: Mode | undefined = Object.entries(modes).find(([name]) => name === wanted)?.[1]
      if (mode === undefined) throw new Error(`nothing is known of ${request.url}`)
      mode(response, toldBy(request, Buffer.concat(chunks).toString("utf8")))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
