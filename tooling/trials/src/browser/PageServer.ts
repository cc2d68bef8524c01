import { ReverseProxy, serveLocally } from "@headgate/harness/ReverseProxy"
import type { RequestListener, ServerResponse } from "node:http"
import { arrivedPath, type PageConfig, redirectingPath, silentPath } from "./Page.ts"

/** A page and its script. */
export interface ServedPage {
  readonly config: PageConfig
  readonly code: string
}

/** One origin for the pages and a real server behind a reverse proxy, because the server has no CORS. */
export interface PageServer {
  readonly url: string
  /** The other origin, to which requests are redirected. */
  readonly otherUrl: string
  /** Method and path of every request to the API. */
  readonly requests: ReadonlyArray<string>
  /** How many requests to {@link silentPath} were aborted by their sender. */
  readonly aborted: () => number
  /** Requests that reached the other origin; there should be none. */
  readonly elsewhere: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

const html = (config: PageConfig) =>
  `<!doctype html><title>running</title><link rel="icon" href="data:,">` +
  `<script type="application/json" id="config">${JSON.stringify(config)}</script>` +
  `<body><script type="module" src="/${config.name}.js"></script>`

const serveFile = (response: ServerResponse, [type, body]: readonly [type: string, body: string]) => {
  // No script but the page's own file.
  const headers = { "content-type": `${type}; charset=utf-8`, "content-security-policy": "script-src 'self'" }
  response.writeHead(200, headers).end(body)
}

/** Serves pages and the API of the server at `api`. */
export const startPageServer = async (api: string, pages: ReadonlyArray<ServedPage>): Promise<PageServer> => {
  const requests: Array<string> = []
  const elsewhere: Array<string> = []
  const waiting: Array<() => void> = []
  let aborted = 0
  let silent = 0
  const proxy = new ReverseProxy()
  await proxy.add(api)
  const files = new Map<string, readonly [type: string, body: string]>(
    pages.flatMap(({ code, config }) => [
      [`/${config.name}.html`, ["text/html", html(config)] as const],
      [`/${config.name}.js`, ["text/javascript", code] as const]
    ])
  )
  const other = await serveLocally(({ headers, method, url }, response) => {
    elsewhere.push(`${method} ${url}${headers.authorization === undefined ? "" : ", with credentials"}`)
    // It allows every origin, so that a browser sends everything.
    response.writeHead(200, { "access-control-allow-origin": "*", "access-control-allow-headers": "*, authorization" })
    response.end("{}")
  })

  const answer: RequestListener = (request, response) => {
    const { method = "", url = "" } = request
    const file = files.get(url)
    if (file !== undefined) return serveFile(response, file)
    if (url === arrivedPath) {
      if (silent > 0) response.end()
      else waiting.push(() => response.end())
      return
    }
    requests.push(`${method} ${url}`)
    if (url.startsWith(silentPath)) {
      silent++
      response.once("close", () => {
        silent--
        aborted++
      })
      for (const reply of waiting.splice(0)) reply()
      return
    }
    if (url.startsWith(redirectingPath)) {
      response.writeHead(307, { location: other.url + url.slice(redirectingPath.length) }).end()
      return
    }
    void proxy.forward(request, response)
  }
  const own = await serveLocally(answer)
  return {
    url: own.url,
    otherUrl: other.url,
    requests,
    aborted: () => aborted,
    elsewhere,
    close: async () => {
      proxy.close()
      await Promise.all([own.close(), other.close()])
    }
  }
}
