import * as Effect from "effect/Effect"
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"

/** How a service treats a request. `good` is the answer that the operation should have had. */
export type Fault = (response: ServerResponse, context: { readonly good: unknown; readonly nth: number }) => void

const json = (response: ServerResponse, status: number, body: unknown) => {
  const text = JSON.stringify(body)
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
  response.end(text)
}

const withText =
  (status: number, type: string, body: string, headers: Record<string, string> = {}): Fault =>
  (response) => {
    response.writeHead(status, { "content-type": type, ...headers })
    response.end(body)
  }

const reset: Fault = (response) => {
  response.socket?.resetAndDestroy()
}

const half = (value: unknown) => {
  const text = JSON.stringify(value)
  return { text, half: text.slice(0, text.length / 2) }
}

const afterFlush = (response: ServerResponse, chunk: string, then: () => void) => {
  response.write(chunk, () => setTimeout(then, 20))
}

/** Floods the client until it hangs up. */
const flood = (response: ServerResponse) => {
  const chunk = Buffer.alloc(1024 * 1024, 0x20)
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on("drain", pour)
  pour()
}

const good: Fault = (response, { good }) => {
  json(response, 200, good)
}

export const faults = {
  "a good answer": good,
  "a good answer in chunks": (response, { good }) => {
    response.writeHead(200, { "content-type": "application/json" })
    const { text, half: start } = half(good)
    afterFlush(response, start, () => response.end(text.slice(start.length)))
  },
  "a good answer, compressed": (response, { good }) => {
    const body = gzipSync(JSON.stringify(good))
    response.writeHead(200, { "content-encoding": "gzip", "content-length": body.length })
    response.end(body)
  },
  "201 with a good body": (response, { good }) => json(response, 201, good),
  "204": (response) => {
    response.writeHead(204)
    response.end()
  },
  "an empty 200": withText(200, "application/json", ""),
  "an empty object": withText(200, "application/json", "{}"),
  "a page with 200": withText(200, "text/html", "<html><body>Welcome</body></html>"),
  "cut JSON": (response, { good }) => withText(200, "application/json", half(good).half)(response, { good, nth: 0 }),
  "a wrong shape": (response) => json(response, 200, { status: "200", requestId: 7, result: [], data: 7 }),
  "a failure inside a success": (response) =>
    json(response, 200, {
      status: 500,
      error: "INTERNAL_ERROR: x",
      requestId: "44444444-4444-4444-8444-444444444444"
    }),
  "plain-text 401": withText(401, "text/plain", "Unauthorized"),
  "HTML 429": withText(429, "text/html", "<html><title>429</title><body>Slow down</body></html>"),
  "429 with little": withText(429, "application/json", `{"error":"TOO_MANY_REQUESTS"}`),
  "a redirect": (response, { nth }) =>
    withText(302, "text/plain", "", { location: `/elsewhere?${nth}` })(response, { good: null, nth }),
  "500, then good": (response, context) =>
    context.nth === 1 ? json(response, 500, { error: "INTERNAL_ERROR: once" }) : good(response, context),
  "503 with Retry-After, then good": (response, context) =>
    context.nth === 1
      ? withText(503, "text/plain", "", { "retry-after": "0" })(response, context)
      : good(response, context),
  "a reset before the answer": reset,
  "a reset, then good": (response, context) => (context.nth === 1 ? reset(response, context) : good(response, context)),
  "a reset in the answer": (response, { good }) => {
    const { text, half: start } = half(good)
    response.writeHead(200, { "content-type": "application/json", "content-length": text.length })
    afterFlush(response, start, () => response.socket?.resetAndDestroy())
  },
  "a reset between chunks": (response, { good }) => {
    response.writeHead(200, { "content-type": "application/json" })
    afterFlush(response, half(good).half, () => response.socket?.resetAndDestroy())
  },
  "an end before the declared length": (response, { good }) => {
    const { text, half: start } = half(good)
    response.writeHead(200, { "content-type": "application/json", "content-length": text.length })
    afterFlush(response, start, () => response.socket?.end())
  },
  "no HTTP": (response) => {
    response.socket?.end("SSH-2.0-OpenSSH_9.9\r\n")
  },
  silence: () => {},
  "silence in the answer": (response, { good }) => {
    const { text, half: start } = half(good)
    response.writeHead(200, { "content-type": "application/json", "content-length": text.length })
    response.write(start)
  },
  "silence between chunks": (response, { good }) => {
    response.writeHead(200, { "content-type": "application/json" })
    response.write(half(good).half)
  },
  "a declared flood": (response) => {
    // The announcement is enough: who waits for the rest waits in vain.
    response.writeHead(200, { "content-length": 65 * 1024 * 1024 })
    response.write("{")
  },
  "a compressed flood": (response) => {
    const body = gzipSync(Buffer.alloc(65 * 1024 * 1024))
    response.writeHead(200, { "content-encoding": "gzip", "content-length": body.length })
    response.end(body)
  },
  "an endless flood": (response) => {
    response.writeHead(200)
    flood(response)
  }
} satisfies Record<string, Fault>
export type FaultName = keyof typeof faults

export interface Observed {
  readonly baseUrl: string
  /** How many requests came in. */
  readonly requests: () => number
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

/** A real HTTP server on a free port of loopback, gone with its scope. */
export const serve = (handle: (request: IncomingMessage, response: ServerResponse, nth: number) => void) =>
  Effect.acquireRelease(
    Effect.callback<Observed & { readonly close: () => void }>((resume) => {
      const paths: Array<string> = []
      let aborted = 0
      let atOnce = 0
      let mostAtOnce = 0
      let connections = 0
      let open = 0
      const listener: RequestListener = (request, response) => {
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
      const server = createServer(listener)
      server.on("connection", (socket) => {
        connections += 1
        open += 1
        socket.on("close", () => {
          open -= 1
        })
        socket.on("error", () => {})
      })
      server.listen(0, "127.0.0.1", () => {
        const bound = server.address()
        const port = bound !== null && typeof bound === "object" ? bound.port : 0
        const close = () => {
          server.closeAllConnections()
          server.close()
        }
        resume(
          Effect.succeed({
            baseUrl: `http://127.0.0.1:${port}`,
            requests: () => paths.length,
            aborted: () => aborted,
            mostAtOnce: () => mostAtOnce,
            connections: () => connections,
            open: () => open,
            paths,
            close
          })
        )
      })
    }),
    ({ close }) => Effect.sync(close)
  )
