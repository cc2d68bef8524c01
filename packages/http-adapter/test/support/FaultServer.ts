import * as Effect from "effect/Effect"
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { createServer as createSocketServer, type Server, type Socket } from "node:net"

/** What was seen of the calls that came to a place. */
export interface Observed {
  readonly baseUrl: string
  /** How many requests came in. */
  readonly requests: () => number
  /** How many of them came although the one before, of the same call, may have been done. */
  readonly repeats: () => number
  /** How many requests the client broke off before they were answered. */
  readonly aborted: () => number
  /** How many requests were being answered at once, at most. */
  readonly mostAtOnce: () => number
  /** How many connections were opened. */
  readonly connections: () => number
  /** How many of them are open. */
  readonly open: () => number
  readonly paths: ReadonlyArray<string>
}

type Heard = Pick<Observed, "requests" | "repeats" | "aborted" | "mostAtOnce" | "paths">

/** What a place has seen that hears no request. */
const nothing: Heard = { requests: () => 0, repeats: () => 0, aborted: () => 0, mostAtOnce: () => 0, paths: [] }

/** A place without a server. */
export const nowhere = (baseUrl: string): Observed => ({ baseUrl, connections: () => 0, open: () => 0, ...nothing })

const listening = (server: Server, heard: Heard, place: { readonly scheme: string; readonly host: string }) =>
  Effect.acquireRelease(
    Effect.callback<Observed & { readonly close: () => void }>((resume) => {
      const sockets = new Set<Socket>()
      let connections = 0
      server.on("connection", (socket) => {
        connections += 1
        sockets.add(socket)
        socket.on("close", () => sockets.delete(socket))
        socket.on("error", () => {})
      })
      server.listen(0, place.host, () => {
        const bound = server.address()
        const port = bound !== null && typeof bound === "object" ? bound.port : 0
        const close = () => {
          server.close()
          for (const socket of sockets) socket.destroy()
        }
        const counts = { connections: () => connections, open: () => sockets.size }
        resume(Effect.succeed({ baseUrl: `${place.scheme}://${place.host}:${port}`, ...counts, ...heard, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

// These answers say that nothing was done: a client may send the request again.
const refuses = (response: ServerResponse): boolean =>
  response.headersSent &&
  (response.statusCode === 429 || (response.statusCode === 503 && response.hasHeader("retry-after")))

/** A certificate in PEM, with its key. */
export interface Pem {
  readonly cert: string
  readonly key: string
}

/** A real HTTP server on a free port of loopback, gone with its scope; over TLS with a certificate. */
export const serve = (
  handle: (request: IncomingMessage, response: ServerResponse, nth: number) => void,
  pem?: Pem
): ReturnType<typeof listening> =>
  Effect.suspend(() => {
    const paths: Array<string> = []
    let latest: ServerResponse | undefined
    let repeats = 0
    let aborted = 0
    let atOnce = 0
    let mostAtOnce = 0
    const listener: RequestListener = (request, response) => {
      // It asks whether the key of a creation is honoured: here it is not.
      if (request.method === "HEAD") return void response.writeHead(404).end()
      if (latest !== undefined && !refuses(latest)) repeats += 1
      latest = response
      paths.push(request.url ?? "")
      atOnce += 1
      mostAtOnce = Math.max(mostAtOnce, atOnce)
      response.on("error", () => {})
      response.on("close", () => {
        atOnce -= 1
        if (!response.writableFinished) aborted += 1
      })
      request.resume()
      request.on("end", () => handle(request, response, paths.length))
    }
    const heard: Heard = {
      requests: () => paths.length,
      repeats: () => repeats,
      aborted: () => aborted,
      mostAtOnce: () => mostAtOnce,
      paths
    }
    if (pem === undefined) return listening(createServer(listener), heard, { scheme: "http", host: "127.0.0.1" })
    const server = createTlsServer(pem, listener)
    server.on("tlsClientError", () => {})
    return listening(server, heard, { scheme: "https", host: "localhost" })
  })

/** A server that does as it likes with its sockets, and hears no request. */
export const serveSockets = (scheme: "http" | "https", handle: (socket: Socket) => void) =>
  Effect.suspend(() => listening(createSocketServer(handle), nothing, { scheme, host: "127.0.0.1" }))
