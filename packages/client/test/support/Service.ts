import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, beforeEach } from "vitest"

/** A request that reached the service. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Settles when its connection is gone before it was answered. */
  readonly hungUp: Promise<void>
}

/** How the service treats a request; `nth` counts from 1. */
export type Reply = (response: ServerResponse, nth: number, asked: Asked) => void

export const requestId = "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d"

/** Answers with JSON. */
export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", "x-request-id": requestId, ...headers })
    response.end(JSON.stringify(body))
  }

/** The management API's way to say no. */
export const refused = (status: number, error: string, headers: Record<string, string> = {}): Reply =>
  json(status, { status, error, requestId }, headers)

/** Takes the request, and says nothing, ever. */
export const silence: Reply = () => {}

/** Ends the connection without a word. */
export const reset: Reply = (response) => {
  response.socket?.resetAndDestroy()
}

/** A service on loopback that answers as each test says, and remembers what it was asked. */
export const service = () => {
  const asked: Array<Asked> = []
  const waiting: Array<() => void> = []
  let reply: Reply = refused(500, "INTERNAL_ERROR: no answer was set")
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    const hungUp = new Promise<void>((resolve) => {
      response.on("close", () => {
        if (!response.writableEnded) resolve()
      })
    })
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const { headers, method = "", url: path = "" } = request
      const one: Asked = { method, path, headers, body: Buffer.concat(chunks).toString(), hungUp }
      asked.push(one)
      for (const resolve of waiting.splice(0)) resolve()
      reply(response, asked.length, one)
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
    answers: (next: Reply): void => {
      reply = next
    },
    /** Waits for the next request and gives it. */
    next: async (): Promise<Asked> => {
      const before = asked.length
      await new Promise<void>((resolve) => void waiting.push(resolve))
      const one = asked[before]
      if (one === undefined) throw new Error("nothing was asked")
      return one
    },
    get url(): string {
      // A server that listens on a port has an address of this kind.
      const { port } = server.address() as AddressInfo
      return `http://127.0.0.1:${port}`
    }
  }
}
