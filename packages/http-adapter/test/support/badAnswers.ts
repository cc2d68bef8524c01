import type { ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"

/** What a fault knows of the request that it answers. */
export interface FaultContext {
  /** The answer that the operation should have had. */
  readonly good: unknown
  /** Which request of the call it is: 1 for the first. */
  readonly nth: number
  /** To be called once nothing more comes. */
  readonly silent?: () => void
}

/** How a service treats a request. */
export type Fault = (response: ServerResponse, context: FaultContext) => void

/** What an answer may have where these are tried. */
export const maxResponseBytes = 1024 * 1024

const text =
  (status: number, type: string, body: string, headers: Readonly<Record<string, string>> = {}): Fault =>
  (response) => {
    for (const [name, value] of Object.entries({ "content-type": type, ...headers })) response.setHeader(name, value)
    response.writeHead(status)
    response.end(body)
  }

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Fault => {
  const written = JSON.stringify(body)
  const length = String(Buffer.byteLength(written))
  return text(status, "application/json", written, { "content-length": length, ...headers })
}

const empty = (status: number, headers: Readonly<Record<string, string>> = {}): Fault =>
  text(status, "text/plain", "", headers)

const page = (title: string): string => `<html><head><title>${title}</title></head><body>nginx</body></html>`

const good: Fault = (response, context) => json(200, context.good)(response, context)

const thenGood =
  (fault: Fault): Fault =>
  (response, context) =>
    (context.nth === 1 ? fault : good)(response, context)

const reset: Fault = (response) => {
  response.socket?.resetAndDestroy()
}

const raw =
  (bytes: string): Fault =>
  (response) => {
    response.socket?.end(bytes)
  }

// What was written has time to arrive before what comes next.
const arrivalMillis = 20

/** Answers with the first half of a good answer, of a declared length or in chunks, and goes on when that is there. */
const half =
  (framing: "declared" | "chunked", goOn: (response: ServerResponse, context: FaultContext, rest: string) => void) =>
  (response: ServerResponse, context: FaultContext): void => {
    const body = JSON.stringify(context.good)
    const start = body.slice(0, body.length / 2)
    const length = framing === "declared" ? { "content-length": Buffer.byteLength(body) } : {}
    response.writeHead(200, { "content-type": "application/json", ...length })
    response.write(start, () => setTimeout(() => goOn(response, context, body.slice(start.length)), arrivalMillis))
  }

const compressed: Fault = (response, { good }) => {
  const body = gzipSync(JSON.stringify(good))
  response.writeHead(200, { "content-encoding": "gzip", "content-length": body.length })
  response.end(body)
}

const tooMuch = maxResponseBytes + 1
const bomb = gzipSync(Buffer.alloc(tooMuch))

const compressedFlood: Fault = (response) => {
  response.writeHead(200, { "content-encoding": "gzip", "content-length": bomb.length })
  response.end(bomb)
}

const endlessFlood: Fault = (response) => {
  const chunk = Buffer.alloc(64 * 1024, 0x20)
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.writeHead(200)
  response.on("drain", pour)
  pour()
}

/** Good answers, each in a way of its own: what a fault must not be taken for. */
const goodAnswers = {
  "a good answer": good,
  "a good answer in chunks": half("chunked", (response, _, rest) => response.end(rest)),
  "a good answer, compressed": compressed
} satisfies Record<string, Fault>

/** Bad answers over HTTP, and none. */
export const badAnswers = {
  "201 with a good body": (response, context) => json(201, context.good)(response, context),
  "202 without a body": empty(202),
  "204": (response) => {
    response.writeHead(204)
    response.end()
  },
  "an empty 200": text(200, "application/json", ""),
  "an empty object": text(200, "application/json", "{}"),
  "a null": text(200, "application/json", "null"),
  "a page with 200": text(200, "text/html", page("Welcome")),
  "cut JSON": (response, { good }) => {
    const body = JSON.stringify(good)
    response.writeHead(200, { "content-type": "application/json" })
    response.end(body.slice(0, body.length / 2))
  },
  "bytes that are no text": (response) => {
    response.writeHead(200, { "content-type": "application/json" })
    response.end(Buffer.from([0xff, 0xfe, 0x00, 0x80]))
  },
  "a body that is not compressed as it says": text(200, "application/json", "no gzip", { "content-encoding": "gzip" }),
  "a wrong shape": json(200, { status: "200", requestId: 7, result: "none", data: 7 }),
  "a failure inside a success": json(200, {
    status: 500,
    error: "INTERNAL_ERROR: x",
    requestId: "44444444-4444-4444-8444-444444444444"
  }),
  "a good body that says it is a failure": (response, { good, nth }) =>
    json(200, { ...Object(good), status: 503 })(response, { good, nth }),
  "a failure around a good body": (response, context) => json(500, context.good)(response, context),

  "a redirect": (response, context) => empty(302, { location: `/elsewhere?${context.nth}` })(response, context),
  "301 to elsewhere": empty(301, { location: "/elsewhere" }),
  "303 to elsewhere": empty(303, { location: "/elsewhere" }),
  "304 with nothing": (response) => {
    response.writeHead(304)
    response.end()
  },
  "307 to another origin": (response, context) => {
    const location = `http://localhost:${response.socket?.localPort}/elsewhere`
    empty(307, { location })(response, context)
  },
  "308 to elsewhere": empty(308, { location: "/elsewhere" }),

  "400 that names a field": json(400, { status: 400, error: "BAD_REQUEST: name: Expected 1 to 255 characters" }),
  "plain-text 401": text(401, "text/plain", "Unauthorized"),
  "401 without a body": empty(401, { "www-authenticate": "Basic" }),
  "403": json(403, { status: 403, error: "FORBIDDEN: role" }),
  "404": json(404, { status: 404, error: "NOT_FOUND: nothing here" }),
  "405 with a page": text(405, "text/html", page("405 Not Allowed")),
  "408": empty(408),
  "409": json(409, { status: 409, error: "CONFLICT: busy" }),
  "413 with a page": text(413, "text/html", page("413 Too Large")),
  "HTML 429": text(429, "text/html", "<html><title>429</title><body>Slow down</body></html>"),
  "429 with little": text(429, "application/json", `{"error":"TOO_MANY_REQUESTS"}`),
  "429 with Retry-After, then good": thenGood(empty(429, { "retry-after": "0" })),
  "500": json(500, { status: 500, error: "INTERNAL_ERROR: x" }),
  "500, then good": thenGood(json(500, { error: "INTERNAL_ERROR: once" })),
  "501 without a body": empty(501),
  "502 with a page": text(502, "text/html", page("502 Bad Gateway")),
  "503 without Retry-After": text(503, "text/plain", "down"),
  "503 with Retry-After, then good": thenGood(empty(503, { "retry-after": "0" })),
  "504 with a page": text(504, "text/html", page("504 Gateway Time-out")),

  "a reset before the answer": reset,
  "a reset, then good": thenGood(reset),
  "a reset in the answer": half("declared", reset),
  "a reset between chunks": half("chunked", reset),
  "an end before the answer": raw(""),
  "an end after an early hint": raw("HTTP/1.1 103 Early Hints\r\n\r\n"),
  "an end before the declared length": half("declared", (response) => response.socket?.end()),
  "an end between chunks": half("chunked", (response) => response.socket?.end()),
  "no HTTP": raw("SSH-2.0-OpenSSH_9.9\r\n"),
  "two lengths": raw("HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{} "),
  "headers without end": text(200, "application/json", "{}", { "x-long": "x".repeat(64 * 1024) }),

  silence: (_, { silent }) => silent?.(),
  "silence in the answer": half("declared", (_, { silent }) => silent?.()),
  "silence between chunks": half("chunked", (_, { silent }) => silent?.()),

  "a declared flood": (response) => {
    // The announcement is enough: who waits for the rest waits in vain.
    response.writeHead(200, { "content-length": tooMuch })
    response.write("{")
  },
  "a compressed flood": compressedFlood,
  "an endless flood": endlessFlood
} satisfies Record<string, Fault>

/** Everything that a server can be told to answer. */
export const faults = { ...goodAnswers, ...badAnswers }
