import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, beforeEach } from "vitest"

/** A request that reached the service. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Resolves when the connection closes before a response was sent. */
  readonly disconnected: Promise<void>
}

/** Handles a request; `nth` counts from 1. */
export type Reply = (response: ServerResponse, nth: number, received: ReceivedRequest) => void

export const requestId = "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d"

/** Responds with JSON. */
export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", "x-request-id": requestId, ...headers })
    response.end(JSON.stringify(body))
  }

/** An error response of the management API. */
export const errorReply = (status: number, error: string, headers: Record<string, string> = {}): Reply =>
  json(status, { status, error, requestId }, headers)

/** Never responds. */
export const noReply: Reply = () => {}

/** Resets the connection. */
export const resetConnection: Reply = (response) => {
  response.socket?.resetAndDestroy()
}

/** A service on a free port that responds as each test says, and records its requests. */
export const service = () => {
  const received: Array<ReceivedRequest> = []
  const waiting: Array<() => void> = []
  let reply: Reply = errorReply(500, "INTERNAL_ERROR: no reply was set")
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    const disconnected = new Promise<void>((resolve) => {
      response.on("close", () => {
        if (!response.writableEnded) resolve()
      })
    })
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const { headers, method = "", url: path = "" } = request
      const one: ReceivedRequest = { method, path, headers, body: Buffer.concat(chunks).toString(), disconnected }
      received.push(one)
      for (const resolve of waiting.splice(0)) resolve()
      reply(response, received.length, one)
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
    respondWith: (next: Reply): void => {
      reply = next
    },
    /** Resolves to the next request. */
    next: async (): Promise<ReceivedRequest> => {
      const before = received.length
      await new Promise<void>((resolve) => void waiting.push(resolve))
      const one = received[before]
      if (one === undefined) throw new Error("there was no request")
      return one
    },
    get url(): string {
      // The address of a server that listens on a port has this type.
      const { port } = server.address() as AddressInfo
      return `http://127.0.0.1:${port}`
    }
  }
}
