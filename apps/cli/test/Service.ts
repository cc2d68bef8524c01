import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, beforeEach } from "vitest"

/** What the service was asked. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What the service answers; `undefined`: nothing, ever. */
export type Answer =
  | { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> }
  | undefined

export const requestId = "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d"

/** The envelope of the management API around a result. */
export const enveloped = (result: unknown): Answer => ({ status: 200, body: { status: 200, requestId, result } })

/** The management API's way to say no. */
export const refused = (status: number, error: string): Answer => ({ status, body: { status, error, requestId } })

/** A service on loopback that answers as each test says and remembers what it was asked. */
export const service = () => {
  const asked: Array<Asked> = []
  let answer: (asked: Asked) => Answer = () => refused(500, "INTERNAL_ERROR: no answer was set")
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString()
      const one = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body }
      asked.push(one)
      const reply = answer(one)
      if (reply === undefined) return
      response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers })
      response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body))
    })
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
  beforeEach(() => void asked.splice(0))
  afterAll(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return {
    asked,
    answers: (next: Answer | ((asked: Asked) => Answer)): void => {
      answer = typeof next === "function" ? next : () => next
    },
    get url(): string {
      const { port } = server.address() as AddressInfo
      return `http://127.0.0.1:${port}`
    }
  }
}
