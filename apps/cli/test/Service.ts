import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, beforeEach } from "vitest"

/** A request that reached the service. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The reply of the service; `undefined`: never. */
export type Reply =
  | { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> }
  | undefined

export const requestId = "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d"

/** The envelope of the management API around a result. */
export const enveloped = (result: unknown): Reply => ({ status: 200, body: { status: 200, requestId, result } })

/** An error response of the management API. */
export const errorReply = (status: number, error: string): Reply => ({ status, body: { status, error, requestId } })

/** A service on a free port that responds as each test says, and records its requests. */
export const service = () => {
  const received: Array<ReceivedRequest> = []
  let reply: (received: ReceivedRequest) => Reply = () => errorReply(500, "INTERNAL_ERROR: no reply was set")
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString()
      const one = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body }
      received.push(one)
      const answer = reply(one)
      if (answer === undefined) return
      response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers })
      response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body))
    })
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
  beforeEach(() => void received.splice(0))
  afterAll(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return {
    received,
    respondWith: (next: Reply | ((received: ReceivedRequest) => Reply)): void => {
      reply = typeof next === "function" ? next : () => next
    },
    get url(): string {
      const { port } = server.address() as AddressInfo
      return `http://127.0.0.1:${port}`
    }
  }
}
