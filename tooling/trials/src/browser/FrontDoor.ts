import { createServer, type IncomingMessage, request as forward, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { arrivedPath, type PageConfig, redirectingPath, silentPath } from "./Page.ts"

/** One origin in front of the pages and of a real server, as a proxy stands in front of both: the server has no CORS. */
export interface FrontDoor {
  readonly url: string
  /** The other origin, to which requests are redirected. */
  readonly elsewhereUrl: string
  /** Method and path of every request to an API, in the order they came. */
  readonly asked: ReadonlyArray<string>
  /** How many requests to the silent API were aborted by their sender. */
  readonly aborted: () => number
  /** What reached the other origin: nothing should. */
  readonly elsewhere: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

/** A page and the script it runs. */
export interface Served {
  readonly config: PageConfig
  readonly code: string
}

const html = (config: PageConfig) =>
  `<!doctype html><title>running</title><link rel="icon" href="data:,">` +
  `<script type="application/json" id="config">${JSON.stringify(config)}</script>` +
  `<body><script type="module" src="/${config.name}.js"></script>`

const listen = (server: Server) =>
  new Promise<string>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      // A server that listens on a port has an address of this kind.
      const { port } = server.address() as AddressInfo
      resolve(`http://127.0.0.1:${port}`)
    })
  })

const closing = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

const passOn = (api: string, request: IncomingMessage, response: ServerResponse) => {
  const { headers, method, url } = request
  const onward = forward(new URL(url ?? "/", api), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  onward.on("error", () => response.destroy())
  request.pipe(onward)
}

const serveFile = (response: ServerResponse, { body, type }: { readonly type: string; readonly body: string }) => {
  // No script but the page's own file, and none made up at run time.
  response.writeHead(200, { "content-type": type, "content-security-policy": "script-src 'self'" })
  response.end(body)
}

/** Opens a front door to the API of a server, and another origin beside it. */
export const openFrontDoor = async (api: string, pages: ReadonlyArray<Served>): Promise<FrontDoor> => {
  const asked: Array<string> = []
  const elsewhere: Array<string> = []
  const files = new Map<string, { readonly type: string; readonly body: string }>(
    pages.flatMap(({ code, config }) => [
      [`/${config.name}.html`, { type: "text/html; charset=utf-8", body: html(config) }],
      [`/${config.name}.js`, { type: "text/javascript; charset=utf-8", body: code }]
    ])
  )
  let aborted = 0
  let silenced = 0
  const waiting: Array<() => void> = []

  const other = createServer(({ headers, method, url }, response) => {
    elsewhere.push(`${method} ${url}${headers.authorization === undefined ? "" : ", with credentials"}`)
    // Every origin is welcome here, so that a browser keeps nothing back.
    response.writeHead(200, { "access-control-allow-origin": "*", "access-control-allow-headers": "*, authorization" })
    response.end("{}")
  })
  const elsewhereUrl = await listen(other)

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { method = "", url = "" } = request
    const file = files.get(url)
    if (file !== undefined) return serveFile(response, file)
    if (url === arrivedPath) {
      const reply = () => response.end()
      return silenced > 0 ? reply() : void waiting.push(reply)
    }
    asked.push(`${method} ${url}`)
    if (url.startsWith(silentPath)) {
      silenced++
      response.once("close", () => {
        silenced--
        aborted++
      })
      return waiting.splice(0).forEach((reply) => reply())
    }
    if (url.startsWith(redirectingPath)) {
      response.writeHead(307, { location: elsewhereUrl + url.slice(redirectingPath.length) })
      return response.end()
    }
    return passOn(api, request, response)
  }
  const door = createServer((request, response) => void answer(request, response))
  const url = await listen(door)
  const close = async () => {
    await Promise.all([closing(door), closing(other)])
  }
  return { url, elsewhereUrl, asked, aborted: () => aborted, elsewhere, close }
}
